using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.TraceEventFeed;

namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>Decodes the events of a trace that match a query, one by one, without decoding others.</summary>
public static class EventDecoder
{
    /// <summary>TraceEvent's id for events without id.</summary>
    private const int ClassicId = 0xFFFF;

    /// <summary>Decodes events.</summary>
    /// <param name="paths">The trace's file; for an .etl trace, one or more files.</param>
    /// <param name="query">Selects the events.</param>
    /// <param name="receive">Receives each event.</param>
    /// <returns>Content of the trace, for its losses.</returns>
    /// <exception cref="TraceFormatException">It is not a trace file.</exception>
    /// <exception cref="NoEventMatchesException">The trace has no event of the provider, name or process.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static TraceContents Read(IReadOnlyList<string> paths, EventQuery query, Action<DecodedEvent> receive)
    {
        ArgumentNullException.ThrowIfNull(query);
        ArgumentNullException.ThrowIfNull(receive);
        if (TraceKinds.Of(paths) is { } kind)
            return kind == TraceKind.NetTrace
                ? NetTraceContents.Decode(paths[0], query, receive)
                : PerfContents.Decode(paths[0], query, receive);
        var byProcess = query.Process.Length > 0;
        using var files = EtwTrace.OpenFiles(paths);
        var contents = TraceContentsReader.Read(files, byProcess);
        var kinds = EventSelection.Of(contents, query);
        var clock = contents.Clock;
        var reading = new EtlReadOptions { From = query.From, To = query.To };
        var first = query.From is { } from ? clock.OriginTicks + clock.FromNanoseconds(from.Ticks * 100) : long.MinValue;
        var received = 0L;
        var feed = new EventRecordFeed(
            EtwTrace.OpenReader(files, reading),
            contents.Schemas,
            Select,
            () => EtwTrace.OpenReader(files, new EtlReadOptions { Buffers = contents.DescriptionBuffers })
        );
        using var source = feed.CreateSource();
        StandardParsers.AddTo(source);
        source.AllEvents += data =>
        {
            if (received >= query.Top)
                return;
            receive(Decode(data, clock, contents.Schemas));
            if (++received >= query.Top)
                source.StopProcessing();
        };
        feed.ProcessAll(source);
        return contents with { Undecodable = feed.Undecodable, DamagedManifests = feed.DamagedManifests };

        // The header's records are delivered regardless of the range.
        bool Select(in EtlEvent item) =>
            item.Timestamp >= first && kinds.Contains(TraceContentsReader.KeyOf(item, contents.Schemas, byProcess));
    }

    internal static DecodedEvent Decode(Microsoft.Diagnostics.Tracing.TraceEvent data, TraceClock clock, TraceLoggingSchemas schemas)
    {
#pragma warning disable CS0618 // "Discouraged": the only exact time
        var ticks = data.TimeStampQPC;
#pragma warning restore CS0618
        var names = data.PayloadNames ?? [];
        var fields = new (string, object?)[names.Length];
        for (var i = 0; i < names.Length; i++)
            fields[i] = (names[i], Value(data, i));
        int? id =
            (int)data.ID == ClassicId ? null
            : schemas.IsGiven(data.ProviderGuid, (int)data.ID) ? 0
            : (int)data.ID;
        return new DecodedEvent(
            clock.SinceOriginMilliseconds(ticks),
            ticks,
            data.ProviderName,
            data.EventName,
            id,
            (int)data.Opcode,
            data.Version,
            data.ProcessID,
            data.ThreadID,
            data.ProcessorNumber,
            data.EventDataLength,
            fields
        )
        {
            ActivityId = data.ActivityID,
            RelatedActivityId = data.RelatedActivityID,
        };
    }

    /// <summary>A field's value; if the payload is too short, a text about that instead of an exception.</summary>
    private static object? Value(Microsoft.Diagnostics.Tracing.TraceEvent data, int index)
    {
        try
        {
            return data.PayloadValue(index);
        }
#pragma warning disable CA1031 // damaged payloads can make the parsers throw anything
        catch (Exception exception) when (exception is not OutOfMemoryException)
#pragma warning restore CA1031
        {
            return null;
        }
    }
}

/// <summary>An event with the names and values of its fields, from TraceEvent's parsers.</summary>
/// <param name="TimeMs">Time in ms since the start of the trace.</param>
/// <param name="Ticks">Time in ticks of the trace's clock.</param>
/// <param name="Provider">Name of the provider.</param>
/// <param name="Event">Name of the event.</param>
/// <param name="Id">Id; null for classic events, 0 for self-describing events.</param>
/// <param name="Opcode">Opcode.</param>
/// <param name="Version">Version of the layout.</param>
/// <param name="ProcessId">Process; -1 when the event lacks it.</param>
/// <param name="ThreadId">Thread; -1 when the event lacks it.</param>
/// <param name="Processor">Processor.</param>
/// <param name="PayloadBytes">Bytes of the payload.</param>
/// <param name="Fields">Names and values; empty when the fields are unknown.</param>
public sealed record DecodedEvent(
    double TimeMs,
    long Ticks,
    string Provider,
    string Event,
    int? Id,
    int Opcode,
    int Version,
    int ProcessId,
    int ThreadId,
    int Processor,
    int PayloadBytes,
    IReadOnlyList<(string Name, object? Value)> Fields
)
{
    /// <summary>Its activity; empty if it has none.</summary>
    public Guid ActivityId { get; init; }

    /// <summary>The activity that started its activity; empty when missing.</summary>
    public Guid RelatedActivityId { get; init; }

    /// <summary>W3C trace id, 32 hexadecimal digits; empty if it has none. Only NetTrace 6 has this and the following.</summary>
    public string TraceId => Labels?.TraceId ?? "";

    /// <summary>W3C span id, 16 hexadecimal digits; empty if it has none.</summary>
    public string SpanId => Labels?.SpanId ?? "";

    /// <summary>Labels from the program or its tracer, texts and numbers; empty if it has none.</summary>
    public IReadOnlyList<(string Name, object? Value)> NamedLabels => Labels?.Named ?? [];

    internal EventLabels? Labels { get; init; }
}
