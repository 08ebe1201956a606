using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>Remembers which kinds of events occur.</summary>
internal sealed class SeenKindsVisitor : TraceVisitor
{
    public TraceCapabilities Seen { get; private set; }

    /// <summary>Stacks come with no call of their own.</summary>
    public void SeeStacks() => Seen |= TraceCapabilities.Stacks;

    public override void OnRunStarted(in RunStarted run) => Seen |= TraceCapabilities.RunMarks;

    public override void OnRunStopped(in RunStopped run) => Seen |= TraceCapabilities.RunMarks;

    public override void OnRunClockStopped(in EventAt at, int runId) => Seen |= TraceCapabilities.RunMarks;

    public override void OnMarkerWaiting(in EventAt at, int runId) => Seen |= TraceCapabilities.RunMarks;

    public override void OnBenchmarkIteration(in BenchmarkIteration iteration) => Seen |= TraceCapabilities.RunMarks;

    public override void OnWaitStarted(in WaitStarted wait) => Seen |= TraceCapabilities.Waits;

    public override void OnCollectionStarted(in CollectionStarted collection) => Seen |= TraceCapabilities.Collections;

    public override void OnExceptionThrown(in ExceptionThrown exception) => Seen |= TraceCapabilities.Exceptions;

    public override void OnContentionStarted(in ContentionStarted contention) => Seen |= TraceCapabilities.Contention;

    public override void OnJitStarted(in JitStarted compilation) => Seen |= TraceCapabilities.Jit;

    public override void OnAssemblyLoaded(in AssemblyLoaded assembly) => Seen |= TraceCapabilities.AssemblyLoads;

    public override void OnAssemblySought(in AssemblySought search) => Seen |= TraceCapabilities.AssemblySearches;

    public override void OnTypeLoadStarted(in EventAt at, int loadId) => Seen |= TraceCapabilities.TypeLoads;

    public override void OnPrecompiledMethod(in EventAt at, bool found) => Seen |= TraceCapabilities.PrecompiledMethods;

    public override void OnMethodCode(in MethodCode code) => Seen |= TraceCapabilities.MethodCode;

    public override void OnAllocationTick(in AllocationTick tick) => Seen |= TraceCapabilities.AllocationTicks;

    public override void OnAllocationSampled(in AllocationSample sample) => Seen |= TraceCapabilities.AllocationSamples;
}
