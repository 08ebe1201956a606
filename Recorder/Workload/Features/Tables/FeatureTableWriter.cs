using System.Globalization;
using System.Text;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Features.Tables;

/// <summary>Writes a feature table in one of the formats.</summary>
public static class FeatureTableWriter
{
    /// <summary>Writes the table.</summary>
    public static void Write(FeatureTable table, FeatureFormat format, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(table);
        ArgumentNullException.ThrowIfNull(output);
        switch (format)
        {
            case FeatureFormat.Markdown:
                MarkdownFeatureWriter.Write(table, output);
                break;
            case FeatureFormat.Csv:
                CsvFeatureWriter.Write(table, output);
                break;
            default:
                TextFeatureWriter.Write(table, output);
                break;
        }
    }
}

/// <summary>Writes a feature table as CSV with a line per cell, so that files of several runtimes can be concatenated.</summary>
internal static class CsvFeatureWriter
{
    public static void Write(FeatureTable table, TextWriter output)
    {
        WriteLine(
            ["serializer", "library", "version", "group", "key", "feature", "seen", "detail", "runtime", "system", "measured_utc"],
            output
        );
        var measured = table.MeasuredUtc.ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture);
        foreach (var row in table.Rows)
        {
            foreach (var feature in table.Features)
            {
                var cell = row.Cells[feature.Key];
                WriteLine(
                    [
                        row.Serializer,
                        row.Library,
                        row.LibraryVersion,
                        feature.Group,
                        feature.Key,
                        feature.Title,
                        cell.Seen,
                        cell.Detail,
                        table.Place.Runtime,
                        table.Place.System,
                        measured,
                    ],
                    output
                );
            }
        }
    }

    private static void WriteLine(IEnumerable<string> fields, TextWriter output) =>
        output.WriteLine(string.Join(",", fields.Select(field => CsvText.Quoted(CsvText.Inert(field)))));
}

/// <summary>Writes a feature table in aligned columns.</summary>
internal static class TextFeatureWriter
{
    public static void Write(FeatureTable table, TextWriter output)
    {
        var report = FeatureReport.Of(table);
        output.WriteLine(FeatureReport.Legend);
        foreach (var section in report.Sections)
        {
            output.WriteLine();
            output.WriteLine(section.Title);
            var rows = section.Rows.Prepend(section.Headers).ToArray();
            var widths = Enumerable.Range(0, section.Headers.Count).Select(column => rows.Max(row => row[column].Length)).ToArray();
            foreach (var row in section.Rows.Count > 0 ? rows : [])
                output.WriteLine("  " + string.Join("  ", row.Select((cell, column) => cell.PadRight(widths[column]))).TrimEnd());
            if (section.OwnTypesOnly.Count > 0)
                output.WriteLine($"  {FeatureCell.OwnTypesOnly}: {string.Join(", ", section.OwnTypesOnly)}");
        }

        output.WriteLine();
        for (var i = 0; i < report.Notes.Count; i++)
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"[{i + 1}] {report.Notes[i]}"));
        foreach (var line in report.Footer)
            output.WriteLine(line);
    }
}

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

    /// <summary>Escapes all marks of Markdown and HTML in a message.</summary>
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
