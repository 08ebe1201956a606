using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Waits in the report's grouping; beside them the same waits by reason and by place, and what each thread did.</summary>
public sealed record WaitResult : EventResult<WaitRow>
{
    /// <summary>Takes rows over.</summary>
    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    internal WaitResult(EventResult<WaitRow> rows, EventResult<ThreadTimeRow> threads, IReadOnlyList<WaitRow> reasons, IReadOnlyList<WaitRow> sites)
        : base(rows)
    {
        Threads = threads;
        Reasons = reasons;
        Sites = sites;
    }

    /// <summary>What the rows of the report stand for.</summary>
    public WaitGrouping Grouping { get; init; }

    /// <summary>What the threads did; none without context switches.</summary>
    public EventResult<ThreadTimeRow> Threads { get; }

    /// <summary>The waits by reason, longest first and idle last.</summary>
    public IReadOnlyList<WaitRow> Reasons { get; }

    /// <summary>The waits by reason, program's own method and whether they are work items', longest first and idle last.</summary>
    public IReadOnlyList<WaitRow> Sites { get; }

    /// <summary>The thread pools of programs without marks.</summary>
    public IReadOnlyList<PoolTimes> Pools { get; init; } = [];

    /// <summary>Whether programs without marks are among the processes: all their threads count.</summary>
    public bool HasPrograms { get; init; }
}
