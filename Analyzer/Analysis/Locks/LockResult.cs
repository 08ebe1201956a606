using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Locks;

/// <summary>Waits for locks, one by one lock and owner, and summed up by the method that waits.</summary>
public sealed record LockResult : EventResult<LockRow>
{
    /// <summary>Takes rows over.</summary>
    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    internal LockResult(EventResult<LockRow> rows, EventResult<LockSiteRow> sites, IReadOnlyDictionary<SummaryKey, double> waiterMs)
        : base(rows)
    {
        Sites = sites;
        WaiterMs = waiterMs;
    }

    /// <summary>What the rows of the report stand for.</summary>
    public LockGrouping Grouping { get; init; }

    /// <summary>The same waits by method.</summary>
    public EventResult<LockSiteRow> Sites { get; }

    /// <summary>Time of the threads that waited, by the table's row: wall time of a run for each thread that waited in it, in ms. The waits are a part of it.</summary>
    public IReadOnlyDictionary<SummaryKey, double> WaiterMs { get; }
}

/// <summary>Waits for locks in one method, of all threads and for all locks.</summary>
public sealed record LockSiteRow
{
    /// <summary>The table's row whose runs they lie in.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Method that waits; null when no stack was recorded.</summary>
    public required MethodName? Method { get; init; }

    /// <summary>The program's own method that called a method of the platform that waits; null when the waiting method is the program's own, or no stack was recorded.</summary>
    public required MethodName? Caller { get; init; }

    /// <summary>Type through which the method waits (<see cref="LockRow.Primitive"/>).</summary>
    public required string? Primitive { get; init; }

    /// <summary>Different locks; null when the events do not name them.</summary>
    public required int? Locks { get; init; }

    /// <summary>Threads that waited.</summary>
    public required int Threads { get; init; }

    /// <summary>Waits that began in the runs.</summary>
    public required long Count { get; init; }

    /// <summary>Time waited inside the runs, in ms, summed over threads.</summary>
    public required double Ms { get; init; }

    /// <summary>Time of these threads: wall time of a run for each thread that waited in it, in ms.</summary>
    public required double WaiterMs { get; init; }

    /// <summary>The waits as a share of the waiting threads' time, in %: at most 100; null without any wait inside a run.</summary>
    public double? Percent => WaiterMs > 0 ? 100 * Ms / WaiterMs : null;

    /// <summary>Longest wait inside a run, in ms.</summary>
    public required double MaxMs { get; init; }

    /// <summary>Where that one lies; null when no wait has a part inside a run.</summary>
    public EventPlace? Longest { get; init; }
}

/// <summary>What the rows of a report on locks stand for.</summary>
public enum LockGrouping
{
    /// <summary>A lock, the thread that had it and the method that waited.</summary>
    Lock = 0,

    /// <summary>The method that waited, for all locks and owners.</summary>
    Method = 1,

    /// <summary>The same by source line.</summary>
    Line = 2,
}
