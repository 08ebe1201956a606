using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Tests;

internal sealed class CountingVisitor : TraceVisitor
{
    public int Marks { get; private set; }

    public int Waits { get; private set; }

    public int Suspends { get; private set; }

    public int Restarts { get; private set; }

    public int Collections { get; private set; }

    public int JitStarts { get; private set; }

    public int JittedLoads { get; private set; }

    public int Exceptions { get; private set; }

    public int Ticks { get; private set; }

    public long TickBytes { get; private set; }

    public int Samples { get; private set; }

    public override void OnRunStarted(in RunStarted run) => Marks++;

    public override void OnRunStopped(in RunStopped run) => Marks++;

    public override void OnRunClockStopped(in EventAt at, int runId) => Marks++;

    public override void OnMarkerWaiting(in EventAt at, int runId) => Marks++;

    public override void OnWaitStarted(in WaitStarted wait) => Waits++;

    public override void OnSuspendStarted(in EventAt at, SuspendReason reason) => Suspends++;

    public override void OnRestarted(in EventAt at) => Restarts++;

    public override void OnCollectionStarted(in CollectionStarted collection) => Collections++;

    public override void OnJitStarted(in JitStarted compilation) => JitStarts++;

    public override void OnMethodLoaded(in MethodLoaded method) => JittedLoads += method.IsJitted ? 1 : 0;

    public override void OnExceptionThrown(in ExceptionThrown exception) => Exceptions++;

    public override void OnAllocationTick(in AllocationTick tick)
    {
        Ticks++;
        TickBytes += tick.Bytes;
    }

    public override void OnAllocationSampled(in AllocationSample sample) => Samples++;
}
