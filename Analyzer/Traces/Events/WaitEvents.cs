namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A thread begins to wait (WaitHandleWaitStart, .NET 9 and later); a view, valid during the call.</summary>
public readonly ref struct WaitStarted : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Waits;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>When and which thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Whether it waits in Monitor.Wait.</summary>
    public bool IsMonitor { get; init; }

    /// <summary>Managed return addresses, leaf first; empty when there are none or they were not asked for.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}

/// <summary>A thread's wait is over.</summary>
/// <param name="At">When and on which thread.</param>
public readonly record struct WaitStopped(EventAt At) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Waits;
}

/// <summary>A thread begins to wait for a lock that another one has (event 81); a view, valid during the call.</summary>
public readonly ref struct ContentionStarted : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Contention;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>When and which thread waits.</summary>
    public required EventAt At { get; init; }

    /// <summary>Whether it is a lock of the runtime itself.</summary>
    public bool IsNative { get; init; }

    /// <summary>Address of the lock in the runtime, which tells locks of one process apart; 0 when it is not told (before .NET 7).</summary>
    public ulong LockId { get; init; }

    /// <summary>Operating-system thread that has the lock; 0 when it is not told.</summary>
    public long OwnerThreadId { get; init; }

    /// <summary>Managed return addresses, leaf first; empty when there are none or they were not asked for.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}

/// <summary>A thread got the lock it waited for.</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="IsNative">Whether it is a lock of the runtime itself.</param>
public readonly record struct ContentionStopped(EventAt At, bool IsNative) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Contention;
}
