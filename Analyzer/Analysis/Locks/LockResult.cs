using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Locks;

/// <summary>Waits for locks, by lock and owner, and by waiting method.</summary>
public sealed record LockResult : EventResult<LockRow>
{
    /// <summary>Copies rows.</summary>
    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    internal LockResult(EventResult<LockRow> rows, EventResult<LockSiteRow> sites, IReadOnlyDictionary<SummaryKey, double> waiterMs)
        : base(rows)
    {
        Sites = sites;
        WaiterMs = waiterMs;
    }

    /// <summary>Grouping of the rows.</summary>
    public LockGrouping Grouping { get; init; }

    /// <summary>The same waits by method.</summary>
    public EventResult<LockSiteRow> Sites { get; }

    /// <summary>
    /// Time of the waiting threads by table row: for each thread that waited in a run, the run's wall time, in ms. The waits are part of
    /// it.
    /// </summary>
    public IReadOnlyDictionary<SummaryKey, double> WaiterMs { get; }
}

/// <summary>Waits for locks in one method, over all threads and locks.</summary>
public sealed record LockSiteRow
{
    /// <summary>The table row of their runs.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Waiting method; null when no stack was recorded.</summary>
    public required MethodName? Method { get; init; }

    /// <summary>
    /// The program's own method that called the waiting platform method; null when the waiting method is the program's own, or when no
    /// stack was recorded.
    /// </summary>
    public required MethodName? Caller { get; init; }

    /// <summary>Type through which the method waits (<see cref="LockRow.Primitive"/>).</summary>
    public required string? Primitive { get; init; }

    /// <summary>Number of different locks; null when the events do not name them.</summary>
    public required int? Locks { get; init; }

    /// <summary>Number of threads that waited.</summary>
    public required int Threads { get; init; }

    /// <summary>Number of waits that began in the runs.</summary>
    public required long Count { get; init; }

    /// <summary>Waiting time inside the runs, in ms, summed over threads.</summary>
    public required double Ms { get; init; }

    /// <summary>Time of these threads: for each thread that waited in a run, the run's wall time, in ms.</summary>
    public required double WaiterMs { get; init; }

    /// <summary>Share of the waits in the waiting threads' time, in %, at most 100; null without a wait inside a run.</summary>
    public double? Percent => WaiterMs > 0 ? 100 * Ms / WaiterMs : null;

    /// <summary>
    /// Method in which the owners of the locks spent most of that time: the user's own, else the first managed one. Null when no sample and
    /// no stack of a context switch shows it, and for waits below 1 % of their threads' time.
    /// </summary>
    public MethodName? OwnerMethod { get; init; }

    /// <summary>
    /// Its share of the time for which threads waited here for a lock whose owner is known, in %, as computing or waiting; null without
    /// <see cref="OwnerMethod"/>.
    /// </summary>
    public double? OwnerPercent { get; init; }

    /// <summary>Longest wait inside a run, in ms.</summary>
    public required double MaxMs { get; init; }

    /// <summary>Location of the longest wait; null when no wait overlaps a run.</summary>
    public EventInterval? Longest { get; init; }
}

/// <summary>Grouping of the rows of a lock report.</summary>
public enum LockGrouping
{
    /// <summary>By lock, owner thread and waiting method.</summary>
    Lock = 0,

    /// <summary>By waiting method, over all locks and owners.</summary>
    Method = 1,

    /// <summary>Like <see cref="Method"/>, by source line.</summary>
    Line = 2,
}
