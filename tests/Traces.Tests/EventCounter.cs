using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>Counts events.</summary>
internal sealed class EventCounter(bool withStacks = false) : IEventSubscriber
{
    public int Marks { get; private set; }

    public int Waits { get; private set; }

    public int Suspends { get; private set; }

    public int Restarts { get; private set; }

    public int Gcs { get; private set; }

    public int JitStarts { get; private set; }

    public int JittedLoads { get; private set; }

    public int Exceptions { get; private set; }

    public int Ticks { get; private set; }

    public long TickBytes { get; private set; }

    public int Samples { get; private set; }

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<RunStarted>(OnRunStarted);
        hub.Subscribe<RunStopped>(OnRunStopped);
        hub.Subscribe<RunClockStopped>(OnRunClockStopped);
        hub.Subscribe<MarkerWaiting>(OnMarkerWaiting);
        hub.Subscribe<WaitStarted>(OnWaitStarted, withStacks);
        hub.Subscribe<SuspendStarted>(OnSuspendStarted);
        hub.Subscribe<RuntimeResumed>(OnRuntimeResumed);
        hub.Subscribe<GcStarted>(OnGcStarted);
        hub.Subscribe<JitStarted>(OnJitStarted, withStacks);
        hub.Subscribe<MethodLoaded>(OnMethodLoaded);
        hub.Subscribe<ExceptionThrown>(OnExceptionThrown, withStacks);
        hub.Subscribe<AllocationTick>(OnAllocationTick, withStacks);
        hub.Subscribe<AllocationSample>(OnAllocationSample, withStacks);
    }

    private void OnRunStarted(in RunStarted run) => Marks++;

    private void OnRunStopped(in RunStopped run) => Marks++;

    private void OnRunClockStopped(in RunClockStopped stopped) => Marks++;

    private void OnMarkerWaiting(in MarkerWaiting waiting) => Marks++;

    private void OnWaitStarted(in WaitStarted wait) => Waits++;

    private void OnSuspendStarted(in SuspendStarted suspension) => Suspends++;

    private void OnRuntimeResumed(in RuntimeResumed resumed) => Restarts++;

    private void OnGcStarted(in GcStarted gc) => Gcs++;

    private void OnJitStarted(in JitStarted compilation) => JitStarts++;

    private void OnMethodLoaded(in MethodLoaded method) => JittedLoads += method.IsJitted ? 1 : 0;

    private void OnExceptionThrown(in ExceptionThrown exception) => Exceptions++;

    private void OnAllocationTick(in AllocationTick tick)
    {
        Ticks++;
        TickBytes += tick.Bytes;
    }

    private void OnAllocationSample(in AllocationSample sample) => Samples++;
}
