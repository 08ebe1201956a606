using System.Globalization;
using System.Text;

namespace EtwSerializerProfiler.Workload.Features.Tables;

/// <summary>Writes a feature table in GitHub's Markdown.</summary>
internal static class MarkdownFeatureWriter
{
    private const string Special = "\\`*_<>[]|&#~";

    public static void Write(FeatureTable table, TextWriter output)
    {
        var report = FeatureReport.Of(table);
        output.WriteLine(Escape(FeatureReport.Legend));
        foreach (var section in report.Sections)
        {
            output.WriteLine();
            output.WriteLine($"**{Escape(section.Title)}**");
            if (section.Rows.Count > 0)
            {
                output.WriteLine();
                WriteRow(section.Headers.Select(Escape), output);
                WriteRow(section.Headers.Select(_ => "---"), output);
                foreach (var row in section.Rows)
                    WriteRow(row.Select(Escape), output);
            }

            if (section.OwnTypesOnly.Count == 0)
                continue;
            output.WriteLine();
            output.WriteLine($"{FeatureCell.OwnTypesOnly}: {Escape(string.Join(", ", section.OwnTypesOnly))}");
        }

        output.WriteLine();
        for (var i = 0; i < report.Notes.Count; i++)
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"- \\[{i + 1}\\] {Escape(report.Notes[i])}"));
        foreach (var line in report.Footer)
        {
            output.WriteLine();
            output.WriteLine(Escape(line));
        }
    }

    private static void WriteRow(IEnumerable<string> cells, TextWriter output) => output.WriteLine($"| {string.Join(" | ", cells)} |");

    /// <summary>Shown as it is, whatever marks of Markdown and HTML a message has.</summary>
    private static string Escape(string text)
    {
        var escaped = new StringBuilder(text.Length);
        foreach (var character in text)
        {
            if (Special.Contains(character.ToString(), StringComparison.Ordinal))
                escaped.Append('\\');
            escaped.Append(character is < ' ' ? ' ' : character);
        }

        return escaped.ToString();
    }
}
