namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Handles an event of a .nettrace file; its spans are valid during the call.</summary>
internal delegate void NetTraceEventAction(in NetTraceEvent item);

/// <summary>An event of a .nettrace file. Its spans are valid until the next one is read.</summary>
internal readonly ref struct NetTraceEvent
{
    /// <summary>What it is.</summary>
    public required NetTraceEventType Type { get; init; }

    /// <summary>When it happened, in ticks of the file's clock.</summary>
    public required long Time { get; init; }

    /// <summary>Its process: the recorded one in formats 4 and 5, in format 6 the one of its thread; 0 when the file does not say.</summary>
    public required int ProcessId { get; init; }

    /// <summary>The thread that it is about; -1 when the file does not say.</summary>
    public required int ThreadId { get; init; }

    /// <summary>Processor that it was written on; -1 when the file does not say, as those of the runtime do not.</summary>
    public required int Processor { get; init; }

    /// <summary>Id of its activity; empty when it has none.</summary>
    public required Guid ActivityId { get; init; }

    /// <summary>Id of the activity that led to its own; empty when it has none.</summary>
    public required Guid RelatedActivityId { get; init; }

    /// <summary>Its labels, of format 6; null for none.</summary>
    public required EventLabels? Labels { get; init; }

    /// <summary>Its fields.</summary>
    public required ReadOnlySpan<byte> Payload { get; init; }

    /// <summary>Its stack, leaf first; empty when it has none.</summary>
    public required ReadOnlySpan<ulong> Stack { get; init; }
}
