using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Collections;

/// <summary>Collections of one generation that one method, or one stack, triggered for one reason.</summary>
public sealed record TriggerRow
{
    /// <summary>The table's row in whose runs they began; null outside of all runs.</summary>
    public required SummaryKey? Runs { get; init; }

    /// <summary>Method that allocated, or that asked for them; null when no stack was recorded, or it has no managed frame.</summary>
    public required MethodName? Method { get; init; }

    /// <summary>By stack: the managed methods, that which triggered first; null as <see cref="Method"/>, or when there are too many different ones.</summary>
    public IReadOnlyList<StackMethod>? Stack { get; init; }

    /// <summary>Why they began.</summary>
    public required GcReason Reason { get; init; }

    /// <summary>Generation collected.</summary>
    public required int Generation { get; init; }

    /// <summary>Collections.</summary>
    public required long Count { get; init; }

    /// <summary>Time that they kept the program's threads suspended, in ms.</summary>
    public required double PauseMs { get; init; }

    /// <summary>How much of it lies in runs that count, in ms.</summary>
    public required double PauseInRunsMs { get; init; }

    /// <summary>Longest time that one of them kept the threads suspended, in ms.</summary>
    public required double MaxPauseMs { get; init; }
}
