namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Handles an event of a .nettrace file; its spans are valid during the call.</summary>
internal delegate void NetTraceEventAction(in NetTraceEvent item);

/// <summary>An event of a .nettrace file. Its spans are valid until the next one is read.</summary>
internal readonly ref struct NetTraceEvent
{
    /// <summary>Kind.</summary>
    public required NetTraceEventType Type { get; init; }

    /// <summary>Time in ticks of the file's clock.</summary>
    public required long Time { get; init; }

    /// <summary>Its process: the recorded one in formats 4 and 5, its thread's in format 6; 0 when the file lacks it.</summary>
    public required int ProcessId { get; init; }

    /// <summary>The thread that it concerns; -1 when the file lacks it.</summary>
    public required int ThreadId { get; init; }

    /// <summary>Processor that wrote it; -1 when the file lacks it, as for runtime events.</summary>
    public required int Processor { get; init; }

    /// <summary>Id of its activity; empty if it has none.</summary>
    public required Guid ActivityId { get; init; }

    /// <summary>Id of the activity that led to its own; empty if it has none.</summary>
    public required Guid RelatedActivityId { get; init; }

    /// <summary>Its labels in format 6; null for none.</summary>
    public required EventLabels? Labels { get; init; }

    /// <summary>Its fields.</summary>
    public required ReadOnlySpan<byte> Payload { get; init; }

    /// <summary>Its stack, leaf first; empty if it has none.</summary>
    public required ReadOnlySpan<ulong> Stack { get; init; }
}
