using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces;

/// <summary>
/// Receives the events of a trace in the order of their time, one call an event. A method that is not overridden costs nothing. Methods on hot
/// paths take structs and must not allocate; the marks of runs are rare and may.
/// </summary>
public abstract class TraceVisitor
{
    /// <summary>A run began.</summary>
    public virtual void OnRunStarted(in RunStarted run)
    {
    }

    /// <summary>A run ended and its truth was read.</summary>
    public virtual void OnRunStopped(in RunStopped run)
    {
    }

    /// <summary>The clock of run <paramref name="runId"/> has stopped.</summary>
    public virtual void OnRunClockStopped(in EventAt at, int runId)
    {
    }

    /// <summary>The next wait of this thread is that of run <paramref name="runId"/>.</summary>
    public virtual void OnMarkerWaiting(in EventAt at, int runId)
    {
    }

    /// <summary>A thread begins to wait.</summary>
    public virtual void OnWaitStarted(in EventAt at)
    {
    }

    /// <summary>A thread's wait is over.</summary>
    public virtual void OnWaitStopped(in EventAt at)
    {
    }

    /// <summary>A thread begins to suspend the others.</summary>
    public virtual void OnSuspendStarted(in EventAt at, SuspendReason reason)
    {
    }

    /// <summary>A thread has let the others run again.</summary>
    public virtual void OnRestarted(in EventAt at)
    {
    }

    /// <summary>A collection began.</summary>
    public virtual void OnCollectionStarted(in CollectionStarted collection)
    {
    }

    /// <summary>The compilation of a method began.</summary>
    public virtual void OnJitStarted(in EventAt at, long methodId)
    {
    }

    /// <summary>A method has code. <paramref name="isJitted"/> is false for precompiled (ReadyToRun) code, whose load costs no compilation.</summary>
    public virtual void OnMethodLoaded(in EventAt at, long methodId, bool isJitted)
    {
    }

    /// <summary>An exception was thrown.</summary>
    public virtual void OnExceptionThrown(in EventAt at)
    {
    }

    /// <summary>A thread begins to wait for a lock. <paramref name="isNative"/>: a lock of the runtime itself.</summary>
    public virtual void OnContentionStarted(in EventAt at, bool isNative)
    {
    }

    /// <summary>A thread got the lock it waited for.</summary>
    public virtual void OnContentionStopped(in EventAt at, bool isNative)
    {
    }

    /// <summary>Allocation tick: this many bytes were allocated since the last one (by the process, of the same kind of heap).</summary>
    public virtual void OnAllocationTick(in EventAt at, long bytes)
    {
    }

    /// <summary>An object was picked by the allocation sampler.</summary>
    public virtual void OnAllocationSampled(in EventAt at, long objectBytes)
    {
    }

    /// <summary>A thread began to run on a processor.</summary>
    public virtual void OnSwitchedIn(in EventAt at)
    {
    }

    /// <summary>A thread left its processor. <paramref name="isPreempted"/>: it could have gone on running.</summary>
    public virtual void OnSwitchedOut(in EventAt at, bool isPreempted)
    {
    }

    /// <summary>A waiting thread was made ready to run; <see cref="EventAt.ThreadId"/> is that thread.</summary>
    public virtual void OnMadeReady(in EventAt at)
    {
    }

    /// <summary>A thread was found running by the sampler.</summary>
    public virtual void OnCpuSample(in EventAt at, bool isKernel)
    {
    }
}
