using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Gc;

/// <summary>GCs with their costs for the runs.</summary>
public sealed record GcResult : EventResult<GcRow>
{
    /// <summary>Copies rows.</summary>
    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    internal GcResult(EventResult<GcRow> rows)
        : base(rows) { }

    /// <summary>Grouping of the rows.</summary>
    public required GcGrouping Grouping { get; init; }

    /// <summary>Triggers of the GCs, by method or stack; null unless requested.</summary>
    public required EventResult<TriggerRow>? Triggers { get; init; }

    /// <summary>GCs that began in the runs, by generation.</summary>
    public required GcCounts Counts { get; init; }

    /// <summary>Number of GCs induced by the program.</summary>
    public required int Induced { get; init; }

    /// <summary>Number of background GCs.</summary>
    public required int Background { get; init; }

    /// <summary>Number of GCs of these processes that began outside of all runs.</summary>
    public required int OutsideRuns { get; init; }

    /// <summary>Number of objects finalized in the runs, by table row.</summary>
    public IReadOnlyDictionary<SummaryKey, long> Finalized { get; init; } = new Dictionary<SummaryKey, long>();

    /// <summary>Sum of pauses in the runs, in ms.</summary>
    public required double PauseMs { get; init; }

    /// <summary>Longest pause in one run, in ms.</summary>
    public required double MaxPauseMs { get; init; }

    /// <summary>Wall time of the runs, in ms.</summary>
    public required double WallMs { get; init; }

    /// <summary>Share of pauses in the runs' time, in %; null without runs.</summary>
    public double? PausePercent => WallMs > 0 ? 100 * PauseMs / WallMs : null;

    /// <summary>Times with several paused processes, in order; null when only one process was recorded.</summary>
    public required IReadOnlyList<PauseOverlap>? Overlaps { get; init; }

    /// <summary>The time with the most paused processes, the longest if equal; null without any.</summary>
    public PauseOverlap? WorstOverlap =>
        Overlaps?.OrderByDescending(overlap => overlap.MaxProcesses).ThenByDescending(overlap => overlap.Ms).FirstOrDefault();
}

/// <summary>A GC. Values that were not recorded are null.</summary>
public sealed record GcRow
{
    /// <summary>Process of the GC.</summary>
    public required ProcessKey Process { get; init; }

    /// <summary>Its process id.</summary>
    public int ProcessId => Process.ProcessId;

    /// <summary>Runtime of the process; empty when the result has only one.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>Number of the GC in its process, from 1.</summary>
    public required int Number { get; init; }

    /// <summary>Collected generation.</summary>
    public required int Generation { get; init; }

    /// <summary>Reason of the GC.</summary>
    public required GcReason Reason { get; init; }

    /// <summary>Whether the program induced it.</summary>
    public bool IsInduced => IsInducedBy(Reason);

    /// <summary>Blocking, background, or foreground during a background GC.</summary>
    public required GcKind Kind { get; init; }

    /// <summary>Start in ms since the start of the process's trace.</summary>
    public required double StartMs { get; init; }

    /// <summary>Start in ticks of the trace's clock.</summary>
    public required long StartTicks { get; init; }

    /// <summary>Operating-system thread that began it: the allocating thread (workstation GC), or a GC thread.</summary>
    public required long ThreadId { get; init; }

    /// <summary>Time that it kept the program's threads suspended, in ms; for a background GC, both pauses.</summary>
    public required double PauseMs { get; init; }

    /// <summary>Part of the pause in matching runs, in ms.</summary>
    public required double PauseInRunsMs { get; init; }

    /// <summary>Heap size before, in bytes; null when the runtime did not write it (before .NET 5).</summary>
    public required long? BytesBefore { get; init; }

    /// <summary>Heap size after, in bytes; null when the event is missing.</summary>
    public required long? BytesAfter { get; init; }

    /// <summary>Bytes that survived in the collected generations; null when the event is missing.</summary>
    public required long? PromotedBytes { get; init; }

    /// <summary>Run in whose window it began; null outside of all runs.</summary>
    public required Run? Run { get; init; }

    /// <summary>Whether a reason means that the program induced the GC.</summary>
    public static bool IsInducedBy(GcReason reason) =>
        reason
            is GcReason.Induced
                or GcReason.InducedNotForced
                or GcReason.InducedLowMemory
                or GcReason.InducedCompacting
                or GcReason.InducedAggressive;
}

/// <summary>GCs of one generation and reason, triggered by one method or stack.</summary>
public sealed record TriggerRow
{
    /// <summary>Table row of their runs; null outside of all runs.</summary>
    public required SummaryKey? Runs { get; init; }

    /// <summary>Method that allocated or induced them; null when no stack was recorded, or when it has no managed frame.</summary>
    public required MethodName? Method { get; init; }

    /// <summary>The program's own method that led to most of their pauses; null when the stack has none.</summary>
    public MethodName? Own { get; init; }

    /// <summary>
    /// By stack: the managed methods, triggering one first; null under the conditions of <see cref="Method"/>, or when there are too many
    /// different stacks.
    /// </summary>
    public IReadOnlyList<StackMethod>? Stack { get; init; }

    /// <summary>Reason of the GCs.</summary>
    public required GcReason Reason { get; init; }

    /// <summary>Collected generation.</summary>
    public required int Generation { get; init; }

    /// <summary>Number of GCs.</summary>
    public required long Count { get; init; }

    /// <summary>Time that they kept the program's threads suspended, in ms.</summary>
    public required double PauseMs { get; init; }

    /// <summary>Part of the pauses in matching runs, in ms.</summary>
    public required double PauseInRunsMs { get; init; }

    /// <summary>Longest pause of one of them, in ms.</summary>
    public required double MaxPauseMs { get; init; }
}

/// <summary>Grouping of the rows of a GC report.</summary>
public enum GcGrouping
{
    /// <summary>A single GC.</summary>
    Gc = 0,

    /// <summary>By triggering method, reason, generation and the runs' serializer and test.</summary>
    Method = 1,

    /// <summary>By whole stack, starting at the triggering method.</summary>
    Stack = 2,
}
