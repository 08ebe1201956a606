using System.Globalization;
using CsvHelper;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>
/// Writes a report's rows as RFC 4180, all sections below each other under one header; empty = not recorded. Findings do not fit into a CSV: they go
/// to the command's error stream.
/// </summary>
internal static class CsvReportWriter
{
    public static void Write(Report report, TextWriter output)
    {
        using var csv = CsvWriter.Create(output, CsvWriterOptions.Default, leaveOpen: true);
        foreach (var key in report.Sections[0].Keys)
            csv.WriteField(CsvText.Inert(key));
        csv.EndRecord();
        foreach (var row in report.Sections.Where(section => section is { Key.Length: > 0, IsInCsv: true }).SelectMany(section => section.Values))
        {
            foreach (var value in row)
                csv.WriteField(Text(value));
            csv.EndRecord();
        }
    }

    /// <summary>A value as a cell; texts are such that spreadsheets do not compute them.</summary>
    internal static string Text(object? value) => value switch
    {
        null => "",
        string text => CsvText.Inert(text),
        double number => Rounded(number).ToString(CultureInfo.InvariantCulture),
        IFormattable other => other.ToString(null, CultureInfo.InvariantCulture),
        _ => CsvText.Inert(value.ToString() ?? ""),
    };

    /// <summary>Six decimals: a nanosecond where the unit is ms. What lies behind them is no measurement.</summary>
    internal static double Rounded(double value) => Math.Round(value, 6);
}
