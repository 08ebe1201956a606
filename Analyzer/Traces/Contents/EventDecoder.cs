using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.TraceEventFeed;

namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>Decodes the events of a trace that a query asks for, one after the other; the others are passed by without being decoded.</summary>
public static class EventDecoder
{
    /// <summary>TraceEvent's id of events that have none.</summary>
    private const int ClassicId = 0xFFFF;

    /// <summary>Decodes.</summary>
    /// <param name="paths">The trace's file; of an .etl trace one or more files.</param>
    /// <param name="query">Which events.</param>
    /// <param name="receive">Receives each event.</param>
    /// <returns>What is in the trace, for what was lost.</returns>
    /// <exception cref="TraceFormatException">It is not a trace file.</exception>
    /// <exception cref="NoEventMatchesException">The trace has no event of that provider, name or process.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static TraceContents Read(IReadOnlyList<string> paths, EventQuery query, Action<DecodedEvent> receive)
    {
        ArgumentNullException.ThrowIfNull(query);
        ArgumentNullException.ThrowIfNull(receive);
        if (TraceKinds.Of(paths) is { } kind)
            return kind == TraceKind.NetTrace ? NetTraceContents.Decode(paths[0], query, receive) : PerfContents.Decode(paths[0], query, receive);
        var byProcess = query.Process.Length > 0;
        using var files = EtwTrace.OpenFiles(paths);
        var contents = TraceContentsReader.Read(files, byProcess);
        var kinds = EventSelection.Of(contents, query);
        var clock = contents.Clock;
        var reading = new EtlReadOptions { From = query.From, To = query.To };
        var first = query.From is { } from ? clock.OriginTicks + clock.FromNanoseconds(from.Ticks * 100) : long.MinValue;
        var received = 0L;
        var feed = new EventRecordFeed(() => EtwTrace.OpenReader(files, reading), contents.Schemas, Select, Descriptions.Includes);
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

        // The header's records are given out whatever the range.
        bool Select(in EtlEvent item) => item.Timestamp >= first && kinds.Contains(TraceContentsReader.KeyOf(item, contents.Schemas, byProcess));
    }

    internal static DecodedEvent Decode(Microsoft.Diagnostics.Tracing.TraceEvent data, TraceClock clock, TraceLoggingSchemas schemas)
    {
#pragma warning disable CS0618 // "Discouraged": it is the only exact time
        var ticks = data.TimeStampQPC;
#pragma warning restore CS0618
        var names = data.PayloadNames ?? [];
        var fields = new (string, object?)[names.Length];
        for (var i = 0; i < names.Length; i++)
            fields[i] = (names[i], Value(data, i));
        int? id = (int)data.ID == ClassicId ? null : schemas.IsGiven(data.ProviderGuid, (int)data.ID) ? 0 : (int)data.ID;
        return new DecodedEvent(
            clock.SinceOriginMilliseconds(ticks), ticks, data.ProviderName, data.EventName, id, (int)data.Opcode, data.Version,
            data.ProcessID, data.ThreadID, data.ProcessorNumber, data.EventDataLength, fields)
        {
            ActivityId = data.ActivityID,
            RelatedActivityId = data.RelatedActivityID,
        };
    }

    /// <summary>A field's value; a payload shorter than its description says so instead of ending the reading.</summary>
    private static object? Value(Microsoft.Diagnostics.Tracing.TraceEvent data, int index)
    {
        try
        {
            return data.PayloadValue(index);
        }
#pragma warning disable CA1031 // the parsers throw whatever a damaged payload makes them throw
        catch (Exception exception) when (exception is not OutOfMemoryException)
#pragma warning restore CA1031
        {
            return null;
        }
    }
}

/// <summary>An event with the names and values of its fields, as TraceEvent's parsers know them.</summary>
/// <param name="TimeMs">Time since the trace's start in ms.</param>
/// <param name="Ticks">Time in ticks of the trace's clock.</param>
/// <param name="Provider">Name of the provider.</param>
/// <param name="Event">Name of the event.</param>
/// <param name="Id">Id, null for classic events, 0 for events that describe themselves.</param>
/// <param name="Opcode">Opcode.</param>
/// <param name="Version">Version of the layout.</param>
/// <param name="ProcessId">Process, -1 when the event does not say it.</param>
/// <param name="ThreadId">Thread, -1 when the event does not say it.</param>
/// <param name="Processor">Processor.</param>
/// <param name="PayloadBytes">Bytes of the payload.</param>
/// <param name="Fields">Names and values; empty when no one knows the fields.</param>
public sealed record DecodedEvent(
    double TimeMs, long Ticks, string Provider, string Event, int? Id, int Opcode, int Version, int ProcessId, int ThreadId, int Processor, int PayloadBytes,
    IReadOnlyList<(string Name, object? Value)> Fields)
{
    /// <summary>Its activity; empty when it has none.</summary>
    public Guid ActivityId { get; init; }

    /// <summary>The activity that started its activity; empty when the event does not say.</summary>
    public Guid RelatedActivityId { get; init; }

    /// <summary>W3C trace id, 32 hexadecimal digits; empty when it has none. Only NetTrace 6 has this and the following.</summary>
    public string TraceId => Labels?.TraceId ?? "";

    /// <summary>W3C span id, 16 hexadecimal digits; empty when it has none.</summary>
    public string SpanId => Labels?.SpanId ?? "";

    /// <summary>Labels that the program or its tracer gave the event, texts and numbers; empty when it has none.</summary>
    public IReadOnlyList<(string Name, object? Value)> NamedLabels => Labels?.Named ?? [];

    internal EventLabels? Labels { get; init; }
}
