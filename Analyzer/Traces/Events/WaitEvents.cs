namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A thread begins to wait (WaitHandleWaitStart, .NET 9 and later); a view, valid during the call.</summary>
public readonly ref struct WaitStarted : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Waits;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>Time and thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Whether it waits in Monitor.Wait.</summary>
    public bool IsMonitor { get; init; }

    /// <summary>Managed return addresses, leaf first; empty when not recorded or not requested.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}

/// <summary>A thread's wait ended.</summary>
/// <param name="At">Time, process and thread.</param>
public readonly record struct WaitStopped(EventAt At) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Waits;
}

/// <summary>A worker of the thread pool begins to wait for work (ThreadPoolWorkerThreadWait).</summary>
/// <param name="At">Time, process and thread.</param>
public readonly record struct WorkerWaitStarted(EventAt At) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.WorkerWaits;
}

/// <summary>A thread begins to wait for a lock that another one owns (event 81); a view, valid during the call.</summary>
public readonly ref struct ContentionStarted : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Contention;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>Time and waiting thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Whether it is a lock of the runtime itself.</summary>
    public bool IsNative { get; init; }

    /// <summary>Address of the lock in the runtime, which identifies it in a process; 0 when missing (before .NET 7).</summary>
    public ulong LockId { get; init; }

    /// <summary>Operating-system thread that owns the lock; 0 when missing.</summary>
    public long OwnerThreadId { get; init; }

    /// <summary>Managed return addresses, leaf first; empty when not recorded or not requested.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}

/// <summary>A thread acquired the lock for which it waited.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="IsNative">Whether it is a lock of the runtime itself.</param>
public readonly record struct ContentionStopped(EventAt At, bool IsNative) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Contention;
}
