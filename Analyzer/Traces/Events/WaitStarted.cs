namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A thread begins to wait (WaitHandleWaitStart, .NET 9 and later); a view, valid during the call.</summary>
public readonly ref struct WaitStarted
{
    /// <summary>When and which thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Whether it waits in Monitor.Wait.</summary>
    public bool IsMonitor { get; init; }

    /// <summary>Managed return addresses, leaf first; empty when there are none or they were not asked for.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}
