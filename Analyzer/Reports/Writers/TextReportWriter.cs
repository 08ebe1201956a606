using EtwSerializerProfiler.Analysis.Findings;
using Spectre.Console;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>Writes a report for people: header lines, tables, findings, files. Lines are as wide as they need to be and carry no colour codes.</summary>
internal static class TextReportWriter
{
    /// <summary>Wider than any table: Spectre wraps nothing.</summary>
    private const int Unlimited = 100_000;

    public static void Write(Report report, TextWriter output)
    {
        foreach (var line in HeaderLines.Of(report))
            output.WriteLine(line);
        output.WriteLine();
        foreach (var section in report.Sections.Where(section => section.IsForPeople))
        {
            if (section.Title.Length > 0)
                output.WriteLine(section.Title);
            foreach (var line in section.Lines)
                output.WriteLine(line);
            WriteTable(section, output);
            output.WriteLine();
        }

        foreach (var line in report.Closing)
            output.WriteLine(line);
        foreach (var finding in report.ListsFindings ? report.Result.Findings : [])
            output.WriteLine($"{(finding.Kind == FindingKind.Warning ? "Warning" : "Hint")}: {finding.Text}.");
        output.WriteLine($"Read: {string.Join(", ", FilesRead.Of(report.Input.FilesRead))}");
    }

    private static void WriteTable(Section section, TextWriter output)
    {
        if (section.Texts.Count == 0)
        {
            if (section.WhenEmpty.Length > 0)
                output.WriteLine(section.WhenEmpty);
            return;
        }

        var table = new Table { Border = TableBorder.Minimal };
        for (var i = 0; i < section.Headers.Count; i++)
            table.AddColumn(new TableColumn(new Text(section.Headers[i])) { NoWrap = true, Alignment = section.IsNumber[i] ? Justify.Right : Justify.Left });
        foreach (var row in section.Texts)
            table.AddRow(row.Select(cell => new Text(cell)));

        using var rendered = new StringWriter();
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
            Out = new AnsiConsoleOutput(rendered),
        });
        console.Profile.Width = Unlimited;
        console.Profile.Capabilities.Unicode = true;
        console.Write(table);
        foreach (var line in rendered.ToString().ReplaceLineEndings("\n").Split('\n'))
        {
            if (!string.IsNullOrWhiteSpace(line))
                output.WriteLine(line.TrimEnd());
        }
    }
}
