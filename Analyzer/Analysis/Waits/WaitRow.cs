using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Waits with the same method, reason, thread or stack (<see cref="WaitGrouping"/>).</summary>
public sealed record WaitRow
{
    /// <summary>The table row of their runs.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Reason; if there are several, the one with the longest time.</summary>
    public required WaitReason Reason { get; init; }

    /// <summary>Waiting method, if there are several, the one with the longest time; null when no stack was recorded.</summary>
    public required MethodName? Method { get; init; }

    /// <summary>
    /// The program's own method nearest to the wait on the stack, if there are several, the one with the longest time; null when there is
    /// none.
    /// </summary>
    public required MethodName? Own { get; init; }

    /// <summary>Source of the waits.</summary>
    public required WaitSource Source { get; init; }

    /// <summary>Number of threads that waited.</summary>
    public required int Threads { get; init; }

    /// <summary>Whether the waits are in work items of the thread pool.</summary>
    public required bool IsPool { get; init; }

    /// <summary>Thread that readied the waiting ones most often, by name or number; null when not recorded.</summary>
    public required string? ReadiedBy { get; init; }

    /// <summary>Number of waits that began in the runs.</summary>
    public required long Count { get; init; }

    /// <summary>Waiting time inside the runs, in ms, summed over threads.</summary>
    public required double Ms { get; init; }

    /// <summary>Longest wait inside a run, in ms.</summary>
    public required double MaxMs { get; init; }

    /// <summary>Location of the longest wait; null when no wait overlaps a run.</summary>
    public EventInterval? Longest { get; init; }

    /// <summary>When grouped by stack, its methods, leaf first.</summary>
    public IReadOnlyList<StackMethod>? Stack { get; init; }
}

/// <summary>
/// Times of a thread in the runs, by its context switches. The four times add up to the part of the runs that its switches cover.
/// </summary>
public sealed record ThreadTimeRow
{
    /// <summary>Table row of the runs.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Process of the thread.</summary>
    public required ProcessKey Process { get; init; }

    /// <summary>Number of the thread in the operating system.</summary>
    public required long ThreadId { get; init; }

    /// <summary>Its name; empty when unknown.</summary>
    public required string Name { get; init; }

    /// <summary>Time on a processor, in ms.</summary>
    public required double OnCpuMs { get; init; }

    /// <summary>Time that it was ready without a processor, in ms; without ready events, only after preemptions.</summary>
    public required double ReadyMs { get; init; }

    /// <summary>Waiting time for anything except work, in ms.</summary>
    public required double WaitMs { get; init; }

    /// <summary>Waiting time for work (<see cref="WaitReason.Idle"/>), in ms.</summary>
    public required double IdleMs { get; init; }

    /// <summary>Reason of its longest total wait, except idle; null when it did not wait.</summary>
    public required WaitReason? Reason { get; init; }

    /// <summary>
    /// Method of its longest total wait, except idle, preferably the program's own; null when it did not wait, or when no stack was
    /// recorded.
    /// </summary>
    public required MethodName? Method { get; init; }
}

/// <summary>Grouping of the rows of a wait report.</summary>
public enum WaitGrouping
{
    /// <summary>By waiting method and reason.</summary>
    Method = 0,

    /// <summary>By reason.</summary>
    Reason = 1,

    /// <summary>By thread, with all its time.</summary>
    Thread = 2,

    /// <summary>By stack.</summary>
    Stack = 3,

    /// <summary>By source line of the program's own method nearest to the wait, and by reason.</summary>
    Line = 4,
}

/// <summary>Sources of waits.</summary>
public enum WaitSource
{
    /// <summary>
    /// A thread's switch-outs until it was readied (or until its switch-ins): all waits, including those of the runtime and the kernel.
    /// </summary>
    Switches = 0,

    /// <summary>
    /// WaitHandle events (.NET 9 and later) and contention events of the runtime: only waits for handles, events, tasks and locks.
    /// </summary>
    Events = 1,

    /// <summary>Stacks of EventPipe's sample profiler, without switches: only sleeps, each from its first to its last sample.</summary>
    Samples = 2,
}
