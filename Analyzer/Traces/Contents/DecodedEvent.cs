namespace EtwSerializerProfiler.Traces.Contents;

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
    IReadOnlyList<(string Name, object? Value)> Fields);
