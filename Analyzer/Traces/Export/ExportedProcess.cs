using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Recordings;
using Microsoft.Diagnostics.Tracing.Session;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Facts of a process for which Windows' events have no field: one TraceLogging event of texts per process, at the start of an exported
/// trace.
/// </summary>
/// <param name="ProcessId">The process.</param>
/// <param name="Program">Name of its program.</param>
/// <param name="Runtime">Version of its runtime, empty when unknown.</param>
/// <param name="Kinds">Recorded kinds of events, even if none occurred.</param>
/// <param name="Details">Recorded details of these events.</param>
/// <param name="HeldMs">How long the recorder kept it waiting at its start, in ms; null when unknown.</param>
/// <param name="Source">Name of the recording.</param>
/// <param name="OperatingSystem">The recorded system.</param>
internal sealed record ExportedProcess(
    int ProcessId,
    string Program,
    string Runtime,
    EventKinds Kinds,
    EventDetails Details,
    double? HeldMs,
    string Source,
    string OperatingSystem
)
{
    /// <summary>The part that a circular recording kept; null when everything was kept.</summary>
    public KeptInterval? Kept { get; init; }

    /// <summary>Time during which all sessions recorded; null for the process's whole life.</summary>
    public RecordedSpan? Span { get; init; }

    /// <summary>Kinds of events that end early because their file was damaged, with the time.</summary>
    public IReadOnlyList<(EventKinds Kinds, long Until)> Ends { get; init; } = [];

    /// <summary>Name of the provider.</summary>
    public const string ProviderName = "EtwSerializerProfiler-Export";

    private const string EventName = "RecordedProcess";

    /// <summary>Type of a field: UTF-16 with a zero (TlgInUNICODESTRING).</summary>
    private const byte Text = 1;

    private const int MaxText = 3000;

    /// <summary>Channel of TraceLogging events.</summary>
    private const byte TraceLoggingChannel = 11;

    private static readonly Guid s_provider = TraceEventProviders.GetEventSourceGuidFromName(ProviderName);
    private static readonly string[] s_fields =
    [
        "Program",
        "Runtime",
        "Recorded",
        "HeldMs",
        "Source",
        "OperatingSystem",
        "EndsEarly",
        "Kept",
        "Span",
    ];
    private static readonly byte[] s_schema = Sized([
        0,
        .. Name(EventName),
        .. s_fields.SelectMany(field => (byte[])[.. Name(field), Text]),
    ]);
    private static readonly byte[] s_traits = Sized(Name(ProviderName));

    /// <summary>Reads an event; null for other events.</summary>
    public static ExportedProcess? Read(in EtlEvent item)
    {
        if (item.ProviderId != s_provider)
            return null;
        var texts = Encoding.Unicode.GetString(item.Payload).Split('\0');
        if (texts.Length < s_fields.Length || !TryReadRecorded(texts[2], out var kinds, out var details))
            return null;
        var held = double.TryParse(texts[3], NumberStyles.Float, CultureInfo.InvariantCulture, out var ms) ? ms : (double?)null;
        return new ExportedProcess(item.ProcessId, texts[0], texts[1], kinds, details, held, texts[4], texts[5])
        {
            Ends = [.. texts[6].Split(';').Select(ReadEnd).OfType<(EventKinds, long)>()],
            Kept = ReadJson(texts[7], RecordingFileJson.Contract.KeptInterval),
            Span = ReadJson(texts[8], RecordingFileJson.Contract.RecordedSpan),
        };
    }

    /// <summary>Reads the names of kinds and those of details.</summary>
    private static bool TryReadRecorded(string text, out EventKinds kinds, out EventDetails details)
    {
        (kinds, details) = (EventKinds.None, EventDetails.None);
        return text.Split("; ") is [var first, var second] && Enum.TryParse(first, out kinds) && Enum.TryParse(second, out details);
    }

    private static T? ReadJson<T>(string text, JsonTypeInfo<T> type)
        where T : class
    {
        try
        {
            return text.Length == 0 ? null : JsonSerializer.Deserialize(text, type);
        }
        catch (JsonException)
        {
            return null; // the trace is damaged here
        }
    }

    private static string Json<T>(T? value, JsonTypeInfo<T> type)
        where T : class => value is null ? "" : JsonSerializer.Serialize(value, type);

    private static (EventKinds, long)? ReadEnd(string text) =>
        text.Split('@') is [var kinds, var time]
        && Enum.TryParse<EventKinds>(kinds, out var parsed)
        && long.TryParse(time, CultureInfo.InvariantCulture, out var until)
            ? (parsed, until)
            : null;

    public void Write(EtlWriter writer, long time)
    {
        Span<byte> items = new byte[EtlExtendedItemWriter.SizeOf(s_schema.Length) + EtlExtendedItemWriter.SizeOf(s_traits.Length)];
        var extended = new EtlExtendedItemWriter(items);
        extended.Add(EtlExtendedType.EventSchemaTraceLogging, s_schema);
        extended.Add(EtlExtendedType.ProviderTraits, s_traits);
        string[] values =
        [
            Program,
            Runtime,
            $"{Kinds}; {Details}",
            HeldMs?.ToString("R", CultureInfo.InvariantCulture) ?? "",
            Source,
            OperatingSystem,
            string.Join(';', Ends.Select(end => FormattableString.Invariant($"{end.Kinds}@{end.Until}"))),
            Json(Kept, RecordingFileJson.Contract.KeptInterval),
            Json(Span, RecordingFileJson.Contract.RecordedSpan),
        ];
        writer.Write(
            new EtlEventFields
            {
                HeaderType = EtlHeaderType.Event64,
                Timestamp = time,
                ProcessId = ProcessId,
                ThreadId = ProcessId,
                ProviderId = s_provider,
                Channel = TraceLoggingChannel,
                Level = 4,
            },
            Encoding.Unicode.GetBytes(string.Concat(values.Select(value => Cut(value).Replace('\0', ' ') + "\0"))),
            extended.Written
        );
    }

    /// <summary>Cuts a text so that all texts fit into a record; only those of a damaged recording are longer.</summary>
    public static string Cut(string text) => text.Length <= MaxText ? text : text[..MaxText];

    private static byte[] Name(string text) => [.. Encoding.UTF8.GetBytes(text), 0];

    /// <summary>Preceded by its own size.</summary>
    private static byte[] Sized(byte[] bytes) => [(byte)(bytes.Length + 2), (byte)((bytes.Length + 2) >> 8), .. bytes];
}
