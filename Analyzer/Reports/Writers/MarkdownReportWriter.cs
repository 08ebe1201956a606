using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>Writes a report in GitHub's Markdown.</summary>
internal static class MarkdownReportWriter
{
    public static void Write(Report report, TextWriter output)
    {
        output.WriteLine("```");
        foreach (var line in HeaderLines.Of(report))
            output.WriteLine(PrintableText.Of(line));
        output.WriteLine("```");
        output.WriteLine();
        foreach (var section in report.Sections.Where(section => section.IsForPeople))
            Write(section, output);
        foreach (var line in report.Closing)
        {
            output.WriteLine(Escape(line));
            output.WriteLine();
        }

        foreach (var finding in report.ListsFindings ? report.Result.Findings : [])
            output.WriteLine($"- {(finding.Kind == FindingKind.Warning ? "**Warning**" : "Hint")}: {Escape(finding.Text)}.");
        output.WriteLine();
        output.WriteLine($"Read: {string.Join(", ", FilesRead.Of(report.Input.FilesRead).Select(file => $"`{PrintableText.Of(file)}`"))}");
    }

    /// <summary>Writes a table with its title.</summary>
    public static void Write(Section section, TextWriter output)
    {
        if (section.Title.Length > 0)
        {
            output.WriteLine($"**{PrintableText.Of(section.Title)}**");
            output.WriteLine();
        }

        foreach (var line in section.Lines)
        {
            output.WriteLine(Escape(line));
            output.WriteLine();
        }

        if (section.Texts.Count == 0 && section.Lines.Count > 0)
            return;
        WriteRow(section.Headers.Select(PrintableText.Of), output);
        WriteRow(section.IsNumber.Select(isNumber => isNumber ? "---:" : "---"), output);
        foreach (var row in section.Texts)
            WriteRow(row.Select(Escape), output);
        output.WriteLine();
    }

    private static void WriteRow(IEnumerable<string> cells, TextWriter output) => output.WriteLine($"| {string.Join(" | ", cells)} |");

    /// <summary>Escapes leading blanks (the indentation of a tree), because Markdown drops them.</summary>
    public static string Escape(string text) =>
        text.Length > 0 && text[0] == ' '
            ? string.Concat(Enumerable.Repeat("&nbsp;", text.Length - text.TrimStart(' ').Length)) + EscapeMarks(text.TrimStart(' '))
            : EscapeMarks(text);

    private static string EscapeMarks(string text) =>
        PrintableText
            .Of(text)
            .Replace("\\", "\\\\", StringComparison.Ordinal)
            .Replace("|", "\\|", StringComparison.Ordinal)
            .Replace("<", "&lt;", StringComparison.Ordinal)
            .Replace("`", "\\`", StringComparison.Ordinal);
}
