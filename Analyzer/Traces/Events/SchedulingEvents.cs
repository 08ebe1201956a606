namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A thread was switched in.</summary>
/// <param name="At">Time, process and thread.</param>
public readonly record struct SwitchedIn(EventAt At) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ContextSwitches;
}

/// <summary>A thread was switched out.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="IsPreempted">Whether it was preempted.</param>
public readonly record struct SwitchedOut(EventAt At, bool IsPreempted) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ContextSwitches;

    /// <summary>Whether its stack was omitted because threads switched too often.</summary>
    public bool IsStackOmitted { get; init; }
}

/// <summary>A thread ended and is no longer on a processor; a switch-out need not follow.</summary>
/// <param name="At">Time, process and thread.</param>
public readonly record struct ThreadEnded(EventAt At) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ContextSwitches;
}

/// <summary>The stack of a thread at its switch-out: its <see cref="SwitchedOut"/> comes next. A view, valid during the call.</summary>
public readonly ref struct SwitchOutStack : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.SwitchOutStacks;

    /// <summary>Time of the switch-out, and the thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Addresses, leaf first: those of the kernel, then those of the program.</summary>
    public required ReadOnlySpan<ulong> Frames { get; init; }

    /// <summary>Number of leading kernel frames.</summary>
    public required int KernelFrames { get; init; }

    /// <summary>Registers and the top of the user stack, if recorded.</summary>
    public StackDump Dump { get; init; }
}

/// <summary>
/// The stack of a thread at its switch-in, which shows where it waited. Comes after its <see cref="SwitchedIn"/>, possibly after later
/// ones. A view, valid during the call.
/// </summary>
public readonly ref struct SwitchInStack : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.SwitchInStacks;

    /// <summary>Time of the switch-in, and the thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Addresses, leaf first: those of the kernel, then those of the program.</summary>
    public required ReadOnlySpan<ulong> Frames { get; init; }

    /// <summary>Number of leading kernel frames.</summary>
    public required int KernelFrames { get; init; }
}

/// <summary>A waiting thread became ready to run.</summary>
/// <param name="At">Time, and the ready thread.</param>
/// <param name="ByThread">The thread of the same process that readied it; null when unknown, or in another process.</param>
public readonly record struct ThreadReadied(EventAt At, long? ByThread) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ReadyThreads;
}

/// <summary>A reading of a thread's clocks. The first reading of a thread is their starting point.</summary>
/// <param name="At">Time and thread.</param>
/// <param name="CpuTicks">Time that it ran on processors so far, in ticks of the trace's clock.</param>
/// <param name="ReadyTicks">
/// Time that it waited for a processor so far, in ticks; 0 where it is not recorded (<see cref="EventDetails.NoReadyTime"/>).
/// </param>
public readonly record struct ThreadClock(EventAt At, long CpuTicks, long ReadyTicks) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ThreadClocks;
}
