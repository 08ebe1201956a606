using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Gc;

/// <summary>GCs, and what they cost the runs.</summary>
public sealed record GcResult : EventResult<GcRow>
{
    /// <summary>Takes rows over.</summary>
    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    internal GcResult(EventResult<GcRow> rows)
        : base(rows)
    {
    }

    /// <summary>What the rows of the report stand for.</summary>
    public required GcGrouping Grouping { get; init; }

    /// <summary>What triggered the collections, by method or stack; null unless that was asked for.</summary>
    public required EventResult<TriggerRow>? Triggers { get; init; }

    /// <summary>GCs that began in the runs, by generation.</summary>
    public required GcCounts Counts { get; init; }

    /// <summary>Of these, those that the program asked for.</summary>
    public required int Induced { get; init; }

    /// <summary>Of these, background ones.</summary>
    public required int Background { get; init; }

    /// <summary>GCs of these processes that began outside of all runs.</summary>
    public required int OutsideRuns { get; init; }

    /// <summary>Objects finalized in the runs, by the table's row.</summary>
    public IReadOnlyDictionary<SummaryKey, long> Finalized { get; init; } = new Dictionary<SummaryKey, long>();

    /// <summary>Pauses in the runs, in ms.</summary>
    public required double PauseMs { get; init; }

    /// <summary>Longest pause in one run, in ms.</summary>
    public required double MaxPauseMs { get; init; }

    /// <summary>Wall time of the runs, in ms.</summary>
    public required double WallMs { get; init; }

    /// <summary>Pauses as a share of the runs' time, in %; null without any.</summary>
    public double? PausePercent => WallMs > 0 ? 100 * PauseMs / WallMs : null;

    /// <summary>When several processes were paused at once, in order of time; null when only one process was recorded.</summary>
    public required IReadOnlyList<PauseOverlap>? Overlaps { get; init; }

    /// <summary>The moment with most processes paused, of equal ones the longest; null without any.</summary>
    public PauseOverlap? WorstOverlap => Overlaps?.OrderByDescending(overlap => overlap.MostProcesses).ThenByDescending(overlap => overlap.Ms).FirstOrDefault();
}

/// <summary>One collection. A value that was not recorded is null.</summary>
public sealed record GcRow
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
    public bool IsInduced => IsInducedBy(Reason);

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

    /// <summary>Whether the program asked for a GC of this reason.</summary>
    public static bool IsInducedBy(GcReason reason) => reason is GcReason.Induced or GcReason.InducedNotForced or GcReason.InducedLowMemory or GcReason.InducedCompacting or GcReason.InducedAggressive;
}

/// <summary>GCs of one generation that one method, or one stack, triggered for one reason.</summary>
public sealed record TriggerRow
{
    /// <summary>The table's row in whose runs they began; null outside of all runs.</summary>
    public required SummaryKey? Runs { get; init; }

    /// <summary>Method that allocated, or that asked for them; null when no stack was recorded, or it has no managed frame.</summary>
    public required MethodName? Method { get; init; }

    /// <summary>The program's own method that led to most of their pauses; null when the stack has none.</summary>
    public MethodName? Own { get; init; }

    /// <summary>By stack: the managed methods, that which triggered first; null as <see cref="Method"/>, or when there are too many different ones.</summary>
    public IReadOnlyList<StackMethod>? Stack { get; init; }

    /// <summary>Why they began.</summary>
    public required GcReason Reason { get; init; }

    /// <summary>Generation collected.</summary>
    public required int Generation { get; init; }

    /// <summary>GCs.</summary>
    public required long Count { get; init; }

    /// <summary>Time that they kept the program's threads suspended, in ms.</summary>
    public required double PauseMs { get; init; }

    /// <summary>How much of it lies in runs that count, in ms.</summary>
    public required double PauseInRunsMs { get; init; }

    /// <summary>Longest time that one of them kept the threads suspended, in ms.</summary>
    public required double MaxPauseMs { get; init; }
}

/// <summary>What the rows of a report on collections stand for.</summary>
public enum GcGrouping
{
    /// <summary>A single collection.</summary>
    Collection = 0,

    /// <summary>The method that triggered them, beside reason, generation and the runs' serializer and test.</summary>
    Method = 1,

    /// <summary>The whole stack, from the method that triggered them outwards.</summary>
    Stack = 2,
}
