using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>
/// JSON contract of the report parts with a fixed schema, generated at build time. Fields are in declaration order, a class's own before
/// those of its base.
/// </summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    Converters = [typeof(NumberConverter)]
)]
[JsonSerializable(typeof(RecordingEnvironment))]
[JsonSerializable(typeof(FilesEnvironment))]
[JsonSerializable(typeof(IReadOnlyList<RunCount>))]
[JsonSerializable(typeof(IEnumerable<MissingRun>))]
[JsonSerializable(typeof(IEnumerable<DamagedFile>))]
[JsonSerializable(typeof(IEnumerable<FindingFields>))]
[JsonSerializable(typeof(IReadOnlyList<string>))]
internal sealed partial class ReportJson : JsonSerializerContext
{
    /// <summary>Layout of the JSON.</summary>
    public static JsonWriterOptions Layout { get; } =
        new()
        {
            Indented = true,
            NewLine = "\n",
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        };
}

/// <summary>Writes fields of reports.</summary>
internal static class ReportJsonWriter
{
    /// <summary>Writes the fields of a value whose schema is in <see cref="ReportJson"/>.</summary>
    public static void WriteFields<T>(this Utf8JsonWriter json, string name, T value)
    {
        json.WritePropertyName(name);
        JsonSerializer.Serialize(json, value, (JsonTypeInfo<T>)ReportJson.Default.GetTypeInfo(typeof(T))!);
    }

    /// <summary>Writes a cell; numbers have only measured decimals.</summary>
    public static void WriteCell(this Utf8JsonWriter json, string name, object? value)
    {
        json.WritePropertyName(name);
        switch (value)
        {
            case null:
                json.WriteNullValue();
                break;
            case double number:
                json.WriteFinite(CsvReportWriter.Rounded(number));
                break;
            case ExactNumber { Value: var number }:
                json.WriteFinite(number);
                break;
            case bool truth:
                json.WriteBooleanValue(truth);
                break;
            case int number:
                json.WriteNumberValue(number);
                break;
            case long number:
                json.WriteNumberValue(number);
                break;
            default:
                json.WriteStringValue(value.ToString());
                break;
        }
    }

    /// <summary>Writes a number; null if it is not finite, because JSON cannot represent it.</summary>
    public static void WriteFinite(this Utf8JsonWriter json, double value)
    {
        if (double.IsFinite(value))
            json.WriteNumberValue(value);
        else
            json.WriteNullValue();
    }
}

/// <summary>
/// Content and environment of a recording. Constructors are internal, because the generator would otherwise write contracts for their
/// parameters.
/// </summary>
internal class RecordingFields
{
    internal RecordingFields(Recording recording)
    {
        (Host, Command, StartedUtc, DurationMs) = (recording.Host, recording.Command, recording.StartedUtc, recording.KnownDurationMs);
        (ToolVersion, Complete, Mode, Configuration, Suite) = (
            recording.ToolVersion,
            recording.Complete,
            recording.Mode,
            recording.Configuration,
            recording.Environment?.Fields
        );
        if (recording.Kept is { } kept)
            KeptInterval = new KeptPart(
                kept.StartTicks,
                kept.StopTicks,
                kept.TicksPerSecond,
                kept.Trigger,
                kept.LimitBytes,
                kept.KeptBytes,
                kept.DroppedBytes,
                kept.DroppedEvents
            );
    }

    public RecordingHost Host { get; }

    public IReadOnlyList<string> Command { get; }

    public DateTime StartedUtc { get; }

    public double? DurationMs { get; }

    public string ToolVersion { get; }

    public bool Complete { get; }

    public string Mode { get; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Configuration { get; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public JsonElement? Suite { get; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public KeptPart? KeptInterval { get; }
}

/// <summary>The environment of runs in one recording.</summary>
internal sealed class RecordingEnvironment : RecordingFields
{
    internal RecordingEnvironment(Report report, Recording recording)
        : base(recording) => (Runtimes, ByRuntime) = (HeaderLines.Runtimes(report), RuntimeFields.Of(report));

    public IReadOnlyList<string> Runtimes { get; }

    [JsonPropertyOrder(1), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IEnumerable<RuntimeFields>? ByRuntime { get; }
}

/// <summary>The environment of runs in files, or in several recordings.</summary>
internal sealed record FilesEnvironment(
    IReadOnlyList<string> Runtimes,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IEnumerable<LabelledRecording>? Recordings,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IEnumerable<RuntimeFields>? ByRuntime
)
{
    public static FilesEnvironment Of(Report report) =>
        new(
            HeaderLines.Runtimes(report),
            report.Input.Recordings.Count == 0
                ? null
                : report.Input.Recordings.Select(recording => new LabelledRecording(
                    recording,
                    report.Result.Recordings.FirstOrDefault(facts => facts.Label == recording.Label)?.LostEvents
                )),
            RuntimeFields.Of(report)
        );
}

/// <summary>One of several recordings.</summary>
internal sealed class LabelledRecording : RecordingFields
{
    internal LabelledRecording(InputRecording recording, long? lostEvents)
        : base(recording.Description) => (Label, Folder, LostEvents) = (recording.Label, recording.Folder, lostEvents);

    public string Label { get; }

    public string Folder { get; }

    public long? LostEvents { get; }
}

/// <summary>Facts on one of several runtimes.</summary>
internal sealed record RuntimeFields(
    string Runtime,
    IReadOnlyList<string> Versions,
    int? RunsExpected,
    int RunsFound,
    IReadOnlyList<string> NotRecorded,
    long? ProgramBytes
)
{
    /// <summary>The runtimes of a report; null if there is only one.</summary>
    public static IEnumerable<RuntimeFields>? Of(Report report) =>
        RuntimeFacts.Of(report) is not { Count: > 0 } runtimes
            ? null
            : runtimes.Select(runtime => new RuntimeFields(
                runtime.Name,
                runtime.Versions,
                runtime.Expected,
                runtime.Found,
                runtime.NotRecorded,
                runtime.ProgramBytes
            ));
}

/// <summary>The part that a circular recording kept.</summary>
internal sealed record KeptPart(
    long StartTicks,
    long StopTicks,
    long TicksPerSecond,
    string Trigger,
    long LimitBytes,
    long KeptBytes,
    long DroppedBytes,
    long DroppedEvents
);

/// <summary>A process, with its recording if there are several.</summary>
internal abstract record OfProcess([property: JsonIgnore] ProcessKey Process)
{
    [JsonPropertyOrder(-1), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Recording => Process.Recording.Length > 0 ? Process.Recording : null;

    [JsonPropertyOrder(-1)]
    public int ProcessId => Process.ProcessId;
}

/// <summary>An expected run that is missing.</summary>
internal sealed record MissingRun(ProcessKey Process, int RunId) : OfProcess(Process);

/// <summary>A file that is damaged at some offset.</summary>
internal sealed record DamagedFile(string File, long OffsetBytes, long FileBytes, string Reason);

/// <summary>A finding.</summary>
internal sealed record FindingFields(
    FindingKind Kind,
    string Code,
    string Text,
    FindingConfidence Confidence,
    string Advice,
    IEnumerable<EvidenceFields> Evidence,
    IEnumerable<LocationFields> Locations
)
{
    public static IEnumerable<FindingFields> Of(IEnumerable<Finding> findings) =>
        findings.Select(finding => new FindingFields(
            finding.Kind,
            finding.Code,
            finding.Text,
            finding.Confidence,
            finding.Advice,
            finding.Evidence.Select(figure => new EvidenceFields(
                figure.Name,
                figure.Value,
                figure.Unit,
                figure.Interval?.Low,
                figure.Interval?.High
            )),
            finding.Locations.Select(at => new LocationFields(at.Process, at.RunId, at.StartMs, at.StopMs, at.What))
        ));
}

/// <summary>An evidence number of a finding.</summary>
internal sealed record EvidenceFields(string Name, double Value, string Unit, double? Low, double? High);

/// <summary>A location of a finding in the trace.</summary>
internal sealed record LocationFields(ProcessKey Process, int? RunId, double StartMs, double StopMs, string What) : OfProcess(Process);

/// <summary>Numbers with only measured decimals.</summary>
internal sealed class NumberConverter : JsonConverter<double>
{
    public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        throw new NotSupportedException();

    public override void Write(Utf8JsonWriter writer, double value, JsonSerializerOptions options) =>
        writer.WriteFinite(CsvReportWriter.Rounded(value));
}
