namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A thread begins to wait for a lock that another one has (event 81); a view, valid during the call.</summary>
public readonly ref struct ContentionStarted
{
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
