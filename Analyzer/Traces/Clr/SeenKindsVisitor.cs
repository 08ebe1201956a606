using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>Remembers which kinds of events occur.</summary>
internal sealed class SeenKindsVisitor : TraceVisitor
{
    public TraceCapabilities Seen { get; private set; }

    public override void OnRunStarted(in RunStarted run) => Seen |= TraceCapabilities.RunMarks;

    public override void OnRunStopped(in RunStopped run) => Seen |= TraceCapabilities.RunMarks;

    public override void OnRunClockStopped(in EventAt at, int runId) => Seen |= TraceCapabilities.RunMarks;

    public override void OnMarkerWaiting(in EventAt at, int runId) => Seen |= TraceCapabilities.RunMarks;

    public override void OnWaitStarted(in EventAt at) => Seen |= TraceCapabilities.Waits;

    public override void OnCollectionStarted(in CollectionStarted collection) => Seen |= TraceCapabilities.Collections;

    public override void OnExceptionThrown(in EventAt at) => Seen |= TraceCapabilities.Exceptions;

    public override void OnContentionStarted(in EventAt at, bool isNative) => Seen |= TraceCapabilities.Contention;

    public override void OnJitStarted(in EventAt at, long methodId) => Seen |= TraceCapabilities.Jit;

    public override void OnMethodCode(in MethodCode code) => Seen |= TraceCapabilities.MethodCode;

    public override void OnAllocationTick(in EventAt at, long bytes) => Seen |= TraceCapabilities.AllocationTicks;

    public override void OnAllocationSampled(in EventAt at, long objectBytes) => Seen |= TraceCapabilities.AllocationSamples;
}
