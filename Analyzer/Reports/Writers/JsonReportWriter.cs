using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>Writes a report as one JSON object; null = not recorded. docs/metrics.md lists its fields.</summary>
internal static class JsonReportWriter
{
    /// <summary>Version of the object's shape; raised when a field changes its meaning or goes.</summary>
    public const int Schema = 1;

    /// <summary>Fields of a row that mean something of rows together.</summary>
    private static readonly HashSet<string> s_totals = ["runs", "failedRuns", .. RunMeasures.All.Where(measure => measure.IsInTotals).Select(measure => measure.Key)];

    public static void Write(Report report, TextWriter output)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer, new JsonWriterOptions { Indented = true, NewLine = "\n", Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            json.WriteStartObject();
            json.WriteNumber("schema", Schema);
            json.WriteString("report", report.Kind);
            if (report.Header is null)
            {
                WriteEnvironment(report, json);
                WriteLosses(report.Result, json);
            }

            foreach (var section in report.Sections.Where(section => section is { Key.Length: > 0, IsInJson: true }))
                WriteRows(section, json);
            if (report.Kind == "table")
                WriteTotals(report.Result, json);
            if (report.Summary.Count > 0)
                WriteSummary(report, json);
            WriteFindings(report.Result.Findings, json);
            WriteStrings("filesRead", report.Input.FilesRead, json);
            json.WriteEndObject();
        }

        output.WriteLine(System.Text.Encoding.UTF8.GetString(buffer.GetBuffer(), 0, (int)buffer.Length));
    }

    internal static void WriteFindings(IReadOnlyList<Finding> findings, Utf8JsonWriter json)
    {
        json.WriteStartArray("findings");
        foreach (var finding in findings)
        {
            json.WriteStartObject();
            json.WriteString("kind", finding.Kind.ToString());
            json.WriteString("code", finding.Code);
            json.WriteString("text", finding.Text);
            json.WriteString("confidence", finding.Confidence.ToString());
            json.WriteString("advice", finding.Advice);
            WriteEvidence(finding.Evidence, json);
            WritePlaces(finding.Places, json);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteEvidence(IReadOnlyList<FindingFigure> evidence, Utf8JsonWriter json)
    {
        json.WriteStartArray("evidence");
        foreach (var figure in evidence)
        {
            json.WriteStartObject();
            json.WriteString("name", figure.Name);
            WriteValue("value", figure.Value, json);
            json.WriteString("unit", figure.Unit);
            WriteValue("low", figure.Interval?.Low, json);
            WriteValue("high", figure.Interval?.High, json);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WritePlaces(IReadOnlyList<FindingPlace> places, Utf8JsonWriter json)
    {
        json.WriteStartArray("places");
        foreach (var place in places)
        {
            json.WriteStartObject();
            if (place.Process.Recording.Length > 0)
                json.WriteString("recording", place.Process.Recording);
            json.WriteNumber("processId", place.Process.ProcessId);
            WriteValue("runId", place.RunId, json);
            WriteValue("startMs", place.StartMs, json);
            WriteValue("stopMs", place.StopMs, json);
            json.WriteString("what", place.What);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteEnvironment(Report report, Utf8JsonWriter json)
    {
        json.WriteStartObject("environment");
        WriteStrings("runtimes", HeaderLines.Runtimes(report), json);
        if (report.Input.Recording is { } recording)
            WriteRecording(recording, json);
        else if (report.Input.Recordings.Count > 0)
            WriteRecordings(report, json);
        if (RuntimeFacts.Of(report) is { Count: > 0 } runtimes)
            WriteRuntimes(runtimes, json);
        json.WriteEndObject();
    }

    private static void WriteRecordings(Report report, Utf8JsonWriter json)
    {
        json.WriteStartArray("recordings");
        foreach (var recording in report.Input.Recordings)
        {
            json.WriteStartObject();
            json.WriteString("label", recording.Label);
            json.WriteString("folder", recording.Folder);
            WriteValue("lostEvents", report.Result.Recordings.FirstOrDefault(facts => facts.Label == recording.Label)?.LostEvents, json);
            WriteRecording(recording.Description, json);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteRuntimes(IReadOnlyList<RuntimeFacts> runtimes, Utf8JsonWriter json)
    {
        json.WriteStartArray("byRuntime");
        foreach (var runtime in runtimes)
        {
            json.WriteStartObject();
            json.WriteString("runtime", runtime.Name);
            WriteStrings("versions", runtime.Versions, json);
            WriteValue("runsExpected", runtime.Expected, json);
            json.WriteNumber("runsFound", runtime.Found);
            WriteStrings("notRecorded", runtime.NotRecorded, json);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteRecording(Recording recording, Utf8JsonWriter json)
    {
        WriteHost(recording.Host, json);
        WriteStrings("command", recording.Command, json);
        json.WriteString("startedUtc", recording.StartedUtc);
        WriteValue("durationMs", recording.KnownDurationMs, json);
        json.WriteString("toolVersion", recording.ToolVersion);
        json.WriteBoolean("complete", recording.Complete);
        json.WriteString("mode", recording.Mode);
        if (recording.Configuration is { } configuration)
            json.WriteString("configuration", configuration);
        if (recording.Environment is { } environment)
        {
            json.WritePropertyName("suite");
            environment.Fields.WriteTo(json);
        }

        if (recording.Kept is { } kept)
            WriteKept(kept, json);
    }

    private static void WriteKept(KeptInterval kept, Utf8JsonWriter json)
    {
        json.WriteStartObject("keptInterval");
        json.WriteNumber("startTicks", kept.StartTicks);
        json.WriteNumber("stopTicks", kept.StopTicks);
        json.WriteNumber("ticksPerSecond", kept.TicksPerSecond);
        json.WriteString("trigger", kept.Trigger);
        json.WriteNumber("limitBytes", kept.LimitBytes);
        json.WriteNumber("keptBytes", kept.KeptBytes);
        json.WriteNumber("droppedBytes", kept.DroppedBytes);
        json.WriteNumber("droppedEvents", kept.DroppedEvents);
        json.WriteEndObject();
    }

    private static void WriteHost(RecordingHost host, Utf8JsonWriter json)
    {
        json.WriteStartObject("host");
        json.WriteString("machineName", host.MachineName);
        json.WriteString("operatingSystem", host.OperatingSystem);
        json.WriteString("architecture", host.Architecture);
        json.WriteString("cpu", host.Cpu);
        json.WriteNumber("logicalProcessors", host.LogicalProcessors);
        json.WriteNumber("memoryBytes", host.MemoryBytes);
        WriteValue("cpuMegahertz", host.CpuMegahertz, json);
        WriteValue("lastLevelCacheBytes", host.LastLevelCacheBytes, json);
        json.WriteEndObject();
    }

    private static void WriteLosses(AnalysisResult result, Utf8JsonWriter json)
    {
        WriteValue("runsExpected", result.RunsExpected, json);
        json.WriteNumber("runsFound", result.RunsFound);
        json.WriteNumber("runsBeforeInterval", result.RunsOutside.Before);
        json.WriteNumber("runsAfterInterval", result.RunsOutside.After);
        json.WriteStartArray("runsBySerializer");
        foreach (var count in result.RunsBySerializer)
        {
            json.WriteStartObject();
            json.WriteString("serializer", count.Serializer);
            json.WriteNumber("expected", count.Expected);
            json.WriteNumber("found", count.Found);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("missingRuns");
        foreach (var process in result.Processes)
        {
            foreach (var run in process.MissingRunIds)
            {
                json.WriteStartObject();
                if (process.Process.Recording.Length > 0)
                    json.WriteString("recording", process.Process.Recording);
                json.WriteNumber("processId", process.ProcessId);
                json.WriteNumber("runId", run);
                json.WriteEndObject();
            }
        }

        json.WriteEndArray();
        json.WriteNumber("lostEvents", result.LostEvents);
        WriteStrings("losses", result.InputProblems, json);
        json.WriteStartArray("damagedFiles");
        foreach (var damage in result.Damages)
        {
            json.WriteStartObject();
            json.WriteString("file", damage.File);
            json.WriteNumber("offsetBytes", damage.Offset);
            json.WriteNumber("fileBytes", damage.FileBytes);
            json.WriteString("reason", damage.Reason);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>Rows as an array of objects; of a tree each object holds the rows below it as <c>children</c>.</summary>
    private static void WriteRows(Section section, Utf8JsonWriter json)
    {
        json.WriteStartArray(section.Key);
        for (var at = 0; at < section.Values.Count; at++)
        {
            json.WriteStartObject();
            for (var i = 0; i < section.Keys.Count; i++)
                WriteValue(section.Keys[i], section.Values[at][i], json);
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

    /// <summary>Sums over all measured runs, by the same columns as a row's.</summary>
    private static void WriteTotals(AnalysisResult result, Utf8JsonWriter json)
    {
        var measured = result.MeasuredRuns.ToList();
        json.WriteStartObject("totals");
        if (measured.Count > 0)
        {
            var total = new SummaryRow(new SummaryKey("", "", RunKind.Measured, 0, 0, 0), measured);
            foreach (var column in SummaryColumns.Main.Where(column => s_totals.Contains(column.Key)))
                WriteValue(column.Key, column.Value(total), json);
        }

        json.WriteEndObject();
    }

    private static void WriteSummary(Report report, Utf8JsonWriter json)
    {
        json.WriteStartObject(report.SummaryKey);
        foreach (var (key, value) in report.Summary)
            WriteValue(key, value, json);
        json.WriteEndObject();
    }

    private static void WriteStrings(string name, IReadOnlyList<string> values, Utf8JsonWriter json)
    {
        json.WriteStartArray(name);
        foreach (var value in values)
            json.WriteStringValue(value);
        json.WriteEndArray();
    }

    private static void WriteValue(string name, object? value, Utf8JsonWriter json)
    {
        json.WritePropertyName(name);
        switch (value)
        {
            case null: json.WriteNullValue(); break;
            case double number when double.IsFinite(number): json.WriteNumberValue(CsvReportWriter.Rounded(number)); break;
            case ExactNumber { Value: var number } when double.IsFinite(number): json.WriteNumberValue(number); break;
            case double or ExactNumber: json.WriteNullValue(); break;
            case bool truth: json.WriteBooleanValue(truth); break;
            case int number: json.WriteNumberValue(number); break;
            case long number: json.WriteNumberValue(number); break;
            default: json.WriteStringValue(value.ToString()); break;
        }
    }
}
