using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Waits that have something in common: the method, the reason, the thread or the stack (<see cref="WaitGrouping"/>).</summary>
public sealed record WaitRow
{
    /// <summary>The table's row whose runs they lie in.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>What was waited for; of several reasons that of the longest time.</summary>
    public required WaitReason Reason { get; init; }

    /// <summary>Method that waits, of several that of the longest time; null when no stack was recorded.</summary>
    public required MethodName? Method { get; init; }

    /// <summary>The program's own method on the stack that is next to the wait, of several that of the longest time; null when there is none.</summary>
    public required MethodName? Own { get; init; }

    /// <summary>What the waits were taken from.</summary>
    public required WaitSource Source { get; init; }

    /// <summary>Threads that waited.</summary>
    public required int Threads { get; init; }

    /// <summary>Whether the waits are those of work items of the thread pool.</summary>
    public required bool IsPool { get; init; }

    /// <summary>Thread that readied the waiting ones most often, by its name or number; null when that was not recorded.</summary>
    public required string? ReadiedBy { get; init; }

    /// <summary>Waits that began in the runs.</summary>
    public required long Count { get; init; }

    /// <summary>Time waited inside the runs, in ms, summed over threads.</summary>
    public required double Ms { get; init; }

    /// <summary>Longest wait inside a run, in ms.</summary>
    public required double MaxMs { get; init; }

    /// <summary>Where that one lies; null when no wait has a part inside a run.</summary>
    public EventPlace? Longest { get; init; }

    /// <summary>Grouped by stack: its methods, leaf first.</summary>
    public IReadOnlyList<StackMethod>? Stack { get; init; }
}

/// <summary>What a thread did in the runs, by its context switches. The four times add up to the part of the runs that its switches cover.</summary>
public sealed record ThreadTimeRow
{
    /// <summary>The table's row of the runs.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Process of the thread.</summary>
    public required ProcessKey Process { get; init; }

    /// <summary>Number of the thread in the operating system.</summary>
    public required long ThreadId { get; init; }

    /// <summary>Its name; empty when it is not known.</summary>
    public required string Name { get; init; }

    /// <summary>Time on a processor, in ms.</summary>
    public required double OnCpuMs { get; init; }

    /// <summary>Time it could have run and had no processor, in ms; where it was not recorded when threads were readied, after preemptions alone.</summary>
    public required double ReadyMs { get; init; }

    /// <summary>Time it waited for something else than work, in ms.</summary>
    public required double WaitMs { get; init; }

    /// <summary>Time it waited for work (<see cref="WaitReason.Idle"/>), in ms.</summary>
    public required double IdleMs { get; init; }

    /// <summary>The reason that it waited for longest, idle left out; null when it did not wait.</summary>
    public required WaitReason? Reason { get; init; }

    /// <summary>Method in which it waited longest, idle left out: the program's own where there is one; null when it did not wait or no stack was recorded.</summary>
    public required MethodName? Method { get; init; }
}

/// <summary>What the rows of a report on waits stand for.</summary>
public enum WaitGrouping
{
    /// <summary>The method that waits and the reason.</summary>
    Method = 0,

    /// <summary>What is waited for.</summary>
    Reason = 1,

    /// <summary>A thread: what it did all the time.</summary>
    Thread = 2,

    /// <summary>A stack.</summary>
    Stack = 3,

    /// <summary>The source line of the program's own method next to the wait, and the reason.</summary>
    Line = 4,
}

/// <summary>What waits were taken from.</summary>
public enum WaitSource
{
    /// <summary>A thread's switch-outs up to its being readied (or its switch-ins): every wait there is, also those of the runtime and the kernel.</summary>
    Switches = 0,

    /// <summary>WaitHandle events (.NET 9 and later) and contention events of the runtime: waits for handles, events, tasks and locks only.</summary>
    Events = 1,
}
