using CsvHelper;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Writers;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>
/// Writes a row for each method and cause of each group: as CSV (RFC 4180, without place for metadata), or as JSON with facts about the
/// recording.
/// </summary>
internal static class RowsWriter
{
    /// <summary>Version of the JSON object's shape.</summary>
    private const int Schema = 1;

    public static void WriteCsv(ProfileDocument document, Stream stream)
    {
        using var writer = new StreamWriter(stream, leaveOpen: true);
        using var csv = CsvWriter.Create(writer, CsvWriterOptions.Default, leaveOpen: true);
        foreach (var column in ProfileColumns.All)
            csv.WriteField(column.Key);
        csv.EndRecord();
        foreach (var row in MethodSums.Of(document.Profile))
        {
            foreach (var column in ProfileColumns.All)
                csv.WriteField(Text(column.Value(row)));
            csv.EndRecord();
        }
    }

    public static void WriteJson(ProfileDocument document, Stream stream)
    {
        var (profile, facts) = document;
        using var json = JsonStream.Open(stream);
        json.WriteStartObject();
        json.WriteNumber("schema", Schema);
        json.WriteString("exporter", facts.Exporter);
        json.WriteString("source", facts.Source);
        if (facts.StartedUtc is { } started)
            json.WriteString("startedUtc", started);
        json.WriteString("command", facts.Command);
        json.WriteStrings("runtimes", facts.Runtimes);
        json.WriteNumber("samples", profile.SampleCount);
        json.WriteNumber("cpuMs", profile.CpuNs / 1e6);
        json.WriteNumber("periodMs", profile.PeriodNs / 1e6);
        json.WriteNumber("lostEvents", facts.LostEvents);
        json.WriteString("completeness", facts.Completeness);
        json.WriteStrings("losses", facts.Losses);
        json.WriteStartArray("rows");
        foreach (var row in MethodSums.Of(profile))
        {
            json.WriteStartObject();
            foreach (var column in ProfileColumns.All)
                json.WriteCell(column.Key, column.Value(row));
            json.WriteEndObject();
            json.Drain();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static string Text(object? value) =>
        value is bool truth
            ? truth
                ? "true"
                : "false"
            : CsvReportWriter.Text(value);
}
