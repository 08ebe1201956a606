namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A thread began to run on a processor.</summary>
/// <param name="At">When and on which thread.</param>
public readonly record struct SwitchedIn(EventAt At) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ContextSwitches;
}

/// <summary>A thread left its processor.</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="IsPreempted">It could have gone on running.</param>
public readonly record struct SwitchedOut(EventAt At, bool IsPreempted) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ContextSwitches;
}

/// <summary>A thread ended and is on no processor any more; no switch-out need follow.</summary>
/// <param name="At">When and on which thread.</param>
public readonly record struct ThreadEnded(EventAt At) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ContextSwitches;
}

/// <summary>The stack of a thread that leaves its processor now: its <see cref="SwitchedOut"/> comes next. A view, valid during the call.</summary>
public readonly ref struct SwitchOutStack : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.SwitchOutStacks;

    /// <summary>When it left, and which thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Addresses, leaf first: those of the kernel, then those of the program.</summary>
    public required ReadOnlySpan<ulong> Frames { get; init; }

    /// <summary>How many of the first frames are the kernel's.</summary>
    public required int KernelFrames { get; init; }

    /// <summary>Registers and top of the user stack, when they were recorded.</summary>
    public StackDump Dump { get; init; }
}

/// <summary>The stack with which a thread came back to a processor: where it had waited. Comes after its <see cref="SwitchedIn"/>, maybe after later ones. A view, valid during the call.</summary>
public readonly ref struct SwitchInStack : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.SwitchInStacks;

    /// <summary>When it came back, and which thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Addresses, leaf first: those of the kernel, then those of the program.</summary>
    public required ReadOnlySpan<ulong> Frames { get; init; }

    /// <summary>How many of the first frames are the kernel's.</summary>
    public required int KernelFrames { get; init; }
}

/// <summary>A waiting thread became ready to run.</summary>
/// <param name="At">When, and the thread that is ready.</param>
/// <param name="ByThread">The thread of the same process that readied it; null when that is unknown, or a thread of another process.</param>
public readonly record struct ThreadReadied(EventAt At, long? ByThread) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ReadyThreads;
}

/// <summary>A reading of a thread's clocks. The first one of a thread tells from where on they count.</summary>
/// <param name="At">When, and whose.</param>
/// <param name="CpuTicks">How long it has run on processors, in ticks of the trace's clock.</param>
/// <param name="ReadyTicks">How long it has waited for a processor, in ticks.</param>
public readonly record struct ThreadClock(EventAt At, long CpuTicks, long ReadyTicks) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.ThreadClocks;
}
