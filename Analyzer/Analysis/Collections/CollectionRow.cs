using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Collections;

/// <summary>One collection. A value that was not recorded is null.</summary>
public sealed record CollectionRow
{
    /// <summary>Process that collected.</summary>
    public required ProcessKey Process { get; init; }

    /// <summary>Its process id.</summary>
    public int ProcessId => Process.ProcessId;

    /// <summary>Runtime that collected where the result has runs on several, empty where it has one.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>Number of the collection in its process, from 1.</summary>
    public required int Number { get; init; }

    /// <summary>Generation collected.</summary>
    public required int Generation { get; init; }

    /// <summary>Why it began.</summary>
    public required GcReason Reason { get; init; }

    /// <summary>Whether the program asked for it.</summary>
    public bool IsInduced => Reason is GcReason.Induced or GcReason.InducedNotForced or GcReason.InducedLowMemory or GcReason.InducedCompacting or GcReason.InducedAggressive;

    /// <summary>Blocking, background, or foreground during a background collection.</summary>
    public required GcKind Kind { get; init; }

    /// <summary>Begin in ms since the process's trace began.</summary>
    public required double StartMs { get; init; }

    /// <summary>Begin in ticks of the trace's clock.</summary>
    public required long StartTicks { get; init; }

    /// <summary>Operating-system thread that began it: the one that allocates (workstation collector), or one of the collector's.</summary>
    public required long ThreadId { get; init; }

    /// <summary>Time that it kept the program's threads suspended, in ms; of a background collection both its pauses.</summary>
    public required double PauseMs { get; init; }

    /// <summary>How much of it lies in runs that count, in ms.</summary>
    public required double PauseInRunsMs { get; init; }

    /// <summary>Size of the heap before, in bytes; null when the runtime did not write it (before .NET 5).</summary>
    public required long? BytesBefore { get; init; }

    /// <summary>Size of the heap after, in bytes; null when the event is missing.</summary>
    public required long? BytesAfter { get; init; }

    /// <summary>Bytes that survived in the generations collected; null when the event is missing.</summary>
    public required long? PromotedBytes { get; init; }

    /// <summary>Run in whose window it began; null outside of all runs.</summary>
    public required Run? Run { get; init; }
}
