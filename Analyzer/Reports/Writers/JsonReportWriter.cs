using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>
/// Writes a report as one JSON object; null = not recorded. docs/metrics.md lists its fields. Rows, totals and summaries have the fields
/// that columns and measures declare; the shape of everything else is <see cref="ReportJson"/>'s.
/// </summary>
internal static class JsonReportWriter
{
    /// <summary>Version of the JSON schema; increases when a field changes its meaning or disappears.</summary>
    public const int Schema = 1;

    /// <summary>Fields of a row that also apply to several rows together.</summary>
    private static readonly HashSet<string> s_totals =
    [
        "runs",
        "failedRuns",
        .. RunMeasures.All.Where(measure => measure.IsInTotals).Select(measure => measure.Key),
    ];

    public static void Write(Report report, TextWriter output)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer, ReportJson.Layout))
        {
            json.WriteStartObject();
            json.WriteNumber("schema", Schema);
            json.WriteString("report", report.Kind);
            if (report.Header is null)
                WriteRuns(report, json);
            foreach (var section in report.Sections.Where(section => section is { Key.Length: > 0, IsInJson: true }))
                WriteRows(section, json);
            if (report.Kind == "table")
                WriteTotals(report.Result, json);
            if (report.Summary.Count > 0)
                WriteSummary(report, json);
            json.WriteFields("findings", FindingFields.Of(report.Result.Findings));
            json.WriteFields("filesRead", report.Input.FilesRead);
            json.WriteEndObject();
        }

        output.WriteLine(System.Text.Encoding.UTF8.GetString(buffer.GetBuffer(), 0, (int)buffer.Length));
    }

    /// <summary>Writes the environment of the runs, and their losses.</summary>
    private static void WriteRuns(Report report, Utf8JsonWriter json)
    {
        var result = report.Result;
        if (report.Input.Recording is { } recording)
            json.WriteFields("environment", new RecordingEnvironment(report, recording));
        else
            json.WriteFields("environment", FilesEnvironment.Of(report));
        json.WriteCell("runsExpected", result.RunsExpected);
        json.WriteCell("runsFound", result.RunsFound);
        json.WriteCell("runsBeforeInterval", result.RunsOutside.Before);
        json.WriteCell("runsAfterInterval", result.RunsOutside.After);
        json.WriteFields("runsBySerializer", result.RunsBySerializer);
        json.WriteFields(
            "missingRuns",
            result.Processes.SelectMany(process => process.MissingRunIds.Select(run => new MissingRun(process.Process, run)))
        );
        json.WriteCell("lostEvents", result.LostEvents);
        json.WriteFields("losses", result.InputProblems);
        json.WriteFields(
            "damagedFiles",
            result.Damages.Select(damage => new DamagedFile(damage.File, damage.Offset, damage.FileBytes, damage.Reason))
        );
    }

    /// <summary>Writes rows as an array of objects; in a tree, each object has its child rows as <c>children</c>.</summary>
    internal static void WriteRows(Section section, Utf8JsonWriter json)
    {
        json.WriteStartArray(section.Key);
        for (var at = 0; at < section.Values.Count; at++)
        {
            json.WriteStartObject();
            for (var i = 0; i < section.Keys.Count; i++)
                json.WriteCell(section.Keys[i], section.Values[at][i]);
            if (section.Depths is not { } depths)
            {
                json.WriteEndObject();
                continue;
            }

            json.WriteStartArray("children");
            var next = at + 1 < depths.Count ? depths[at + 1] : 0;
            for (var depth = depths[at]; depth >= next; depth--)
            {
                json.WriteEndArray();
                json.WriteEndObject();
            }
        }

        json.WriteEndArray();
    }

    /// <summary>Writes sums over all measured runs, by the columns of a row.</summary>
    private static void WriteTotals(AnalysisResult result, Utf8JsonWriter json)
    {
        var measured = result.MeasuredRuns.ToList();
        json.WriteStartObject("totals");
        if (measured.Count > 0)
        {
            var total = new SummaryRow(new SummaryKey("", "", RunKind.Measured, 0, 0, 0), measured);
            foreach (var column in SummaryColumns.Main.Where(column => s_totals.Contains(column.Key)))
                json.WriteCell(column.Key, column.Value(total));
        }

        json.WriteEndObject();
    }

    private static void WriteSummary(Report report, Utf8JsonWriter json)
    {
        json.WriteStartObject(report.SummaryKey);
        foreach (var (key, value) in report.Summary)
            json.WriteCell(key, value);
        json.WriteEndObject();
    }
}
