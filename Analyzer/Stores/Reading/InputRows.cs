using System.Globalization;
using System.Text;
using System.Text.Json;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Stores.Reading;

/// <summary>Converts rows of the tables environment, process and loss back.</summary>
internal static class InputRows
{
    /// <summary>The input: recordings, processes without sources, environments.</summary>
    /// <param name="trace">The trace.</param>
    /// <param name="path">Path as the user named it.</param>
    /// <param name="environments">Rows of table environment.</param>
    /// <param name="processes">Rows of table process.</param>
    public static TraceInput Input(
        StoredTrace trace,
        string path,
        IReadOnlyList<StoredRow> environments,
        IReadOnlyList<StoredRow> processes
    )
    {
        var folder = TracePart.Divide(trace.Name).Path;
        var recordings = environments
            .Select(row => (Row: row, Description: Recording(trace, row)))
            .Where(pair => pair.Description is not null)
            .Select(pair => new InputRecording(
                pair.Row.Text("label"),
                pair.Row.Text("label") is { Length: > 0 } label ? Path.Combine(folder, label) : folder,
                pair.Description!
            ))
            .ToList();
        return new TraceInput([path], [.. processes.Select(Process)], recordings, HasRunCsv: false, [], [path.Split('#')[0]])
        {
            Environments = [.. environments.Select(row => Environment(row, recordings)).OfType<InputEnvironment>()],
        };
    }

    /// <summary>Facts about each recording as a whole.</summary>
    public static IReadOnlyList<RecordingFacts> Facts(IReadOnlyList<StoredRow> environments, TraceInput input) =>
        [
            .. environments.Select(row => new RecordingFacts(
                row.Text("label"),
                row.Integer("lost_events"),
                row.Small("planned_runs"),
                input.Recordings.FirstOrDefault(recording => recording.Label == row.Text("label"))?.Description.Kept
            )),
        ];

    /// <summary>Converts a process and its runs.</summary>
    /// <param name="row">Its row.</param>
    /// <param name="runs">Its runs.</param>
    public static ProcessRuns ProcessRuns(StoredRow row, IReadOnlyList<Run> runs) =>
        new(
            Key(row),
            runs,
            row.Delimiter("pairing"),
            (int?)row.OptionalInteger("runs_expected"),
            row.Small("runs_found"),
            [
                .. row.Text("missing_runs")
                    .Split(',', StringSplitOptions.RemoveEmptyEntries)
                    .Select(number => int.Parse(number, CultureInfo.InvariantCulture)),
            ]
        )
        {
            Before = row.Small("runs_before"),
            After = row.Small("runs_after"),
            Cut = row.Small("runs_cut"),
            BySerializer = Counts(row.Text("by_serializer")),
        };

    /// <summary>Identifies a process in its trace.</summary>
    public static ProcessKey Key(StoredRow row) => new(row.Text("label"), row.Small("process_id"));

    /// <summary>Converts a damaged file.</summary>
    public static TraceDamage Damage(StoredRow row) =>
        new(row.Text("file"), row.Integer("file_offset"), row.Integer("file_bytes"), row.Text("text"));

    private static TracedProcess Process(StoredRow row) =>
        new(row.Small("process_id"), row.Text("program"), row.Text("runtime"), [], [])
        {
            Label = row.Text("label"),
            HeldMs = row.OptionalReal("held_ms"),
        };

    private static Recording? Recording(StoredTrace trace, StoredRow row)
    {
        if (row.OptionalText("recording_json") is not { } json)
            return null;
        var recording = RecordingFile.Parse(json, trace.Name);
        return row.OptionalText("environment_json") is { } suite
            ? recording with
            {
                Environment = RunEnvironment.Parse(Encoding.UTF8.GetBytes(suite), trace.Name),
            }
            : recording;
    }

    /// <summary>Environment of the recording; null when the trace does not contain it.</summary>
    private static InputEnvironment? Environment(StoredRow row, List<InputRecording> recordings) =>
        row.Text("os").Length == 0 && row.OptionalInteger("processors") is null
            ? null
            : new InputEnvironment(
                row.Text("machine"),
                row.Text("os"),
                row.Text("architecture"),
                row.Text("cpu"),
                row.OptionalReal("cpu_mhz"),
                row.Small("processors")
            )
            {
                Mode = row.Text("mode"),
                ToolVersion = row.Text("tool_version"),
                Suite = recordings.Find(recording => recording.Label == row.Text("label"))?.Description.Environment,
            };

    private static IReadOnlyList<RunCount> Counts(string json)
    {
        using var document = JsonDocument.Parse(json.Length > 0 ? json : "[]");
        return
        [
            .. document
                .RootElement.EnumerateArray()
                .Select(item => new RunCount(item[0].GetString() ?? "", item[1].GetInt32(), item[2].GetInt32())),
        ];
    }
}
