using System.Globalization;
using CsvHelper;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>
/// Writes a report's rows as RFC 4180, all sections under one header; empty = not recorded. Findings do not fit into a CSV,
/// so the command writes them to its error stream.
/// </summary>
internal static class CsvReportWriter
{
    public static void Write(Report report, TextWriter output)
    {
        using var csv = CsvWriter.Create(output, CsvWriterOptions.Default, leaveOpen: true);
        foreach (var key in report.Sections[0].Keys)
            csv.WriteField(CsvText.Inert(key));
        csv.EndRecord();
        foreach (
            var row in report.Sections.Where(section => section is { Key.Length: > 0, IsInCsv: true }).SelectMany(section => section.Values)
        )
        {
            foreach (var value in row)
                csv.WriteField(Text(value));
            csv.EndRecord();
        }
    }

    /// <summary>Formats a cell so that spreadsheets do not evaluate text as a formula.</summary>
    internal static string Text(object? value) =>
        value switch
        {
            null => "",
            string text => CsvText.Inert(text),
            double number => Rounded(number).ToString(CultureInfo.InvariantCulture),
            IFormattable other => other.ToString(null, CultureInfo.InvariantCulture),
            _ => CsvText.Inert(value.ToString() ?? ""),
        };

    /// <summary>Rounds to six decimals, a nanosecond for values in ms; further digits are not measured.</summary>
    internal static double Rounded(double value) => Math.Round(value, 6);
}
