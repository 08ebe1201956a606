using System.Globalization;

namespace EtwSerializerProfiler.Workload.Features.Tables;

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
