using EtwSerializerProfiler.Analysis.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>What was not recorded of waits that have no event of the runtime, such as Thread.Sleep.</summary>
public enum WaitGap
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Their stacks: their reason is unknown.</summary>
    Stacks = 1,

    /// <summary>Context switches: such waits are missing.</summary>
    Switches = 2,

    /// <summary>Context switches; samples show sleeps.</summary>
    SwitchesExceptSleeps = 3,
}

/// <summary>Waits in the report's grouping; also by reason and location, and the times of each thread.</summary>
public sealed record WaitResult : EventResult<WaitRow>
{
    /// <summary>Copies rows.</summary>
    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    internal WaitResult(
        EventResult<WaitRow> rows,
        EventResult<ThreadTimeRow> threads,
        IReadOnlyList<WaitRow> reasons,
        IReadOnlyList<WaitRow> sites
    )
        : base(rows)
    {
        Threads = threads;
        Reasons = reasons;
        Sites = sites;
    }

    /// <summary>Grouping of the rows.</summary>
    public WaitGrouping Grouping { get; init; }

    /// <summary>Times of the threads; empty without context switches.</summary>
    public EventResult<ThreadTimeRow> Threads { get; }

    /// <summary>The waits by reason, longest first and idle last.</summary>
    public IReadOnlyList<WaitRow> Reasons { get; }

    /// <summary>The waits by reason, the program's own method, and whether they are in work items; longest first and idle last.</summary>
    public IReadOnlyList<WaitRow> Sites { get; }

    /// <summary>The waits by stack; empty unless requested.</summary>
    public IReadOnlyList<WaitRow> Stacks { get; init; } = [];

    /// <summary>The thread pools of programs without marks.</summary>
    public IReadOnlyList<PoolTimes> Pools { get; init; } = [];

    /// <summary>What the waits of programs without marks lack.</summary>
    public WaitGap Gap { get; init; }

    /// <summary>Whether there are programs without marks, in which all threads count.</summary>
    public bool HasPrograms { get; init; }
}
