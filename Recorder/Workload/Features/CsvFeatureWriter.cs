using System.Globalization;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload.Features;

/// <summary>Writes a feature table as CSV with a line per cell, so that files of several runtimes can be concatenated.</summary>
public static class CsvFeatureWriter
{
    /// <summary>Writes the table.</summary>
    public static void Write(FeatureTable table, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(table);
        ArgumentNullException.ThrowIfNull(output);
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
