using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces;

/// <summary>Several visitors that hear one pass; each gets the kinds of events it wants.</summary>
internal sealed class VisitorGroup : TraceVisitor
{
    /// <summary>By kind (number of its bit): who wants it.</summary>
    private readonly TraceVisitor[][] _byKind = new TraceVisitor[32][];

    /// <summary>Takes the requests' visitors, which are called in this order.</summary>
    public VisitorGroup(IReadOnlyList<TraceRequest> requests)
    {
        for (var bit = 0; bit < _byKind.Length; bit++)
            _byKind[bit] = [.. requests.Where(request => ((int)request.Wanted >> bit & 1) != 0).Select(request => request.Visitor)];
    }

    /// <inheritdoc />
    public override void OnRunStarted(in RunStarted run)
    {
        foreach (var visitor in Who(TraceCapabilities.RunMarks))
            visitor.OnRunStarted(in run);
    }

    /// <inheritdoc />
    public override void OnRunStopped(in RunStopped run)
    {
        foreach (var visitor in Who(TraceCapabilities.RunMarks))
            visitor.OnRunStopped(in run);
    }

    /// <inheritdoc />
    public override void OnRunClockStopped(in EventAt at, int runId)
    {
        foreach (var visitor in Who(TraceCapabilities.RunMarks))
            visitor.OnRunClockStopped(in at, runId);
    }

    /// <inheritdoc />
    public override void OnMarkerWaiting(in EventAt at, int runId)
    {
        foreach (var visitor in Who(TraceCapabilities.RunMarks))
            visitor.OnMarkerWaiting(in at, runId);
    }

    /// <inheritdoc />
    public override void OnProcessLaunched(in EventAt at, int runId, long launchedTicks)
    {
        foreach (var visitor in Who(TraceCapabilities.RunMarks))
            visitor.OnProcessLaunched(in at, runId, launchedTicks);
    }

    /// <inheritdoc />
    public override void OnBenchmark(in EventAt at, string name, bool isStart)
    {
        foreach (var visitor in Who(TraceCapabilities.RunMarks))
            visitor.OnBenchmark(in at, name, isStart);
    }

    /// <inheritdoc />
    public override void OnBenchmarkIteration(in BenchmarkIteration iteration)
    {
        foreach (var visitor in Who(TraceCapabilities.RunMarks))
            visitor.OnBenchmarkIteration(in iteration);
    }

    /// <inheritdoc />
    public override void OnWaitStarted(in WaitStarted wait)
    {
        foreach (var visitor in Who(TraceCapabilities.Waits))
            visitor.OnWaitStarted(in wait);
    }

    /// <inheritdoc />
    public override void OnWaitStopped(in EventAt at)
    {
        foreach (var visitor in Who(TraceCapabilities.Waits))
            visitor.OnWaitStopped(in at);
    }

    /// <inheritdoc />
    public override void OnSuspendStarted(in EventAt at, SuspendReason reason)
    {
        foreach (var visitor in Who(TraceCapabilities.Collections))
            visitor.OnSuspendStarted(in at, reason);
    }

    /// <inheritdoc />
    public override void OnRestarted(in EventAt at)
    {
        foreach (var visitor in Who(TraceCapabilities.Collections))
            visitor.OnRestarted(in at);
    }

    /// <inheritdoc />
    public override void OnCollectionTriggered(in CollectionTriggered collection)
    {
        foreach (var visitor in Who(TraceCapabilities.Collections))
            visitor.OnCollectionTriggered(in collection);
    }

    /// <inheritdoc />
    public override void OnCollectionStarted(in CollectionStarted collection)
    {
        foreach (var visitor in Who(TraceCapabilities.Collections))
            visitor.OnCollectionStarted(in collection);
    }

    /// <inheritdoc />
    public override void OnCollectionEnded(in CollectionEnded collection)
    {
        foreach (var visitor in Who(TraceCapabilities.Collections))
            visitor.OnCollectionEnded(in collection);
    }

    /// <inheritdoc />
    public override void OnHeapStatistics(in HeapStatistics statistics)
    {
        foreach (var visitor in Who(TraceCapabilities.Collections))
            visitor.OnHeapStatistics(in statistics);
    }

    /// <inheritdoc />
    public override void OnHeapSizeBefore(in EventAt at, long bytes)
    {
        foreach (var visitor in Who(TraceCapabilities.Collections))
            visitor.OnHeapSizeBefore(in at, bytes);
    }

    /// <inheritdoc />
    public override void OnJitStarted(in JitStarted compilation)
    {
        foreach (var visitor in Who(TraceCapabilities.Jit))
            visitor.OnJitStarted(in compilation);
    }

    /// <inheritdoc />
    public override void OnMethodLoaded(in MethodLoaded method)
    {
        foreach (var visitor in Who(TraceCapabilities.Jit))
            visitor.OnMethodLoaded(in method);
    }

    /// <inheritdoc />
    public override void OnAssemblyLoaded(in AssemblyLoaded assembly)
    {
        foreach (var visitor in Who(TraceCapabilities.AssemblyLoads))
            visitor.OnAssemblyLoaded(in assembly);
    }

    /// <inheritdoc />
    public override void OnAssemblyModule(in AssemblyModule module)
    {
        foreach (var visitor in Who(TraceCapabilities.AssemblyLoads))
            visitor.OnAssemblyModule(in module);
    }

    /// <inheritdoc />
    public override void OnAssemblySought(in AssemblySought search)
    {
        foreach (var visitor in Who(TraceCapabilities.AssemblySearches))
            visitor.OnAssemblySought(in search);
    }

    /// <inheritdoc />
    public override void OnTypeLoadStarted(in EventAt at, int loadId)
    {
        foreach (var visitor in Who(TraceCapabilities.TypeLoads))
            visitor.OnTypeLoadStarted(in at, loadId);
    }

    /// <inheritdoc />
    public override void OnTypeLoadStopped(in EventAt at, int loadId, long typeId)
    {
        foreach (var visitor in Who(TraceCapabilities.TypeLoads))
            visitor.OnTypeLoadStopped(in at, loadId, typeId);
    }

    /// <inheritdoc />
    public override void OnPrecompiledMethod(in EventAt at, bool found)
    {
        foreach (var visitor in Who(TraceCapabilities.PrecompiledMethods))
            visitor.OnPrecompiledMethod(in at, found);
    }

    /// <inheritdoc />
    public override void OnExceptionThrown(in ExceptionThrown exception)
    {
        foreach (var visitor in Who(TraceCapabilities.Exceptions))
            visitor.OnExceptionThrown(in exception);
    }

    /// <inheritdoc />
    public override void OnContentionStarted(in ContentionStarted contention)
    {
        foreach (var visitor in Who(TraceCapabilities.Contention))
            visitor.OnContentionStarted(in contention);
    }

    /// <inheritdoc />
    public override void OnContentionStopped(in EventAt at, bool isNative)
    {
        foreach (var visitor in Who(TraceCapabilities.Contention))
            visitor.OnContentionStopped(in at, isNative);
    }

    /// <inheritdoc />
    public override void OnAllocationTick(in AllocationTick tick)
    {
        foreach (var visitor in Who(TraceCapabilities.AllocationTicks))
            visitor.OnAllocationTick(in tick);
    }

    /// <inheritdoc />
    public override void OnAllocationSampled(in AllocationSample sample)
    {
        foreach (var visitor in Who(TraceCapabilities.AllocationSamples))
            visitor.OnAllocationSampled(in sample);
    }

    /// <inheritdoc />
    public override void OnSwitchedIn(in EventAt at)
    {
        foreach (var visitor in Who(TraceCapabilities.Switches))
            visitor.OnSwitchedIn(in at);
    }

    /// <inheritdoc />
    public override void OnSwitchStack(in SwitchPlace place)
    {
        foreach (var visitor in Who(TraceCapabilities.SwitchInStacks))
            visitor.OnSwitchStack(in place);
    }

    /// <inheritdoc />
    public override void OnSwitchedOut(in EventAt at, bool isPreempted)
    {
        foreach (var visitor in Who(TraceCapabilities.Switches))
            visitor.OnSwitchedOut(in at, isPreempted);
    }

    /// <inheritdoc />
    public override void OnSwitchPlace(in SwitchPlace stack)
    {
        foreach (var visitor in Who(TraceCapabilities.SwitchStacks))
            visitor.OnSwitchPlace(in stack);
    }

    /// <inheritdoc />
    public override void OnThreadEnded(in EventAt at)
    {
        foreach (var visitor in Who(TraceCapabilities.Switches))
            visitor.OnThreadEnded(in at);
    }

    /// <inheritdoc />
    public override void OnMadeReady(in EventAt at)
    {
        foreach (var visitor in Who(TraceCapabilities.Wakings))
            visitor.OnMadeReady(in at);
    }

    /// <inheritdoc />
    public override void OnWoken(in EventAt at, long byThread)
    {
        foreach (var visitor in Who(TraceCapabilities.Wakings))
            visitor.OnWoken(in at, byThread);
    }

    /// <inheritdoc />
    public override void OnCpuSample(in CpuSample sample)
    {
        foreach (var visitor in Who(TraceCapabilities.CpuSamples))
            visitor.OnCpuSample(in sample);
    }

    /// <inheritdoc />
    public override void OnOtherProcessSample(in EventAt at, long cpuTicks)
    {
        foreach (var visitor in Who(TraceCapabilities.OtherProcesses))
            visitor.OnOtherProcessSample(in at, cpuTicks);
    }

    /// <inheritdoc />
    public override void OnMethodCode(in MethodCode code)
    {
        foreach (var visitor in Who(TraceCapabilities.MethodCode))
            visitor.OnMethodCode(in code);
    }

    /// <inheritdoc />
    public override void OnMethodCodeFreed(in EventAt at, ulong start)
    {
        foreach (var visitor in Who(TraceCapabilities.MethodCode))
            visitor.OnMethodCodeFreed(in at, start);
    }

    /// <inheritdoc />
    public override void OnModuleLoaded(in EventAt at, long moduleId, string path)
    {
        foreach (var visitor in Who(TraceCapabilities.MethodCode))
            visitor.OnModuleLoaded(in at, moduleId, path);
    }

    /// <inheritdoc />
    public override void OnCodeNamed(in CodeName code)
    {
        foreach (var visitor in Who(TraceCapabilities.MethodCode))
            visitor.OnCodeNamed(in code);
    }

    /// <inheritdoc />
    public override void OnModulePdb(in EventAt at, long moduleId, Guid pdb)
    {
        foreach (var visitor in Who(TraceCapabilities.MethodCode))
            visitor.OnModulePdb(in at, moduleId, pdb);
    }

    /// <inheritdoc />
    public override void OnInlineTreeChunk(in InlineTreeChunk chunk)
    {
        foreach (var visitor in Who(TraceCapabilities.MethodCode))
            visitor.OnInlineTreeChunk(in chunk);
    }

    /// <inheritdoc />
    public override void OnMethodDetails(in EventAt at, in MethodDetails details)
    {
        foreach (var visitor in Who(TraceCapabilities.MethodCode))
            visitor.OnMethodDetails(in at, in details);
    }

    /// <inheritdoc />
    public override void OnTypeDetails(in EventAt at, in TypeDetails details)
    {
        foreach (var visitor in Who(TraceCapabilities.MethodCode))
            visitor.OnTypeDetails(in at, in details);
    }

    /// <inheritdoc />
    public override void OnFileMapped(in FileMapping mapping)
    {
        foreach (var visitor in Who(TraceCapabilities.ProcessLayout))
            visitor.OnFileMapped(in mapping);
    }

    /// <inheritdoc />
    public override void OnFileUnmapped(in EventAt at, ulong start)
    {
        foreach (var visitor in Who(TraceCapabilities.ProcessLayout))
            visitor.OnFileUnmapped(in at, start);
    }

    /// <inheritdoc />
    public override void OnKernelMapped(in KernelMapping mapping)
    {
        foreach (var visitor in Who(TraceCapabilities.ProcessLayout))
            visitor.OnKernelMapped(in mapping);
    }

    /// <inheritdoc />
    public override void OnProgramReplaced(in EventAt at)
    {
        foreach (var visitor in Who(TraceCapabilities.ProcessLayout))
            visitor.OnProgramReplaced(in at);
    }

    /// <inheritdoc />
    public override void OnThreadCreated(in EventAt at, long parentThreadId)
    {
        foreach (var visitor in Who(TraceCapabilities.ProcessLayout))
            visitor.OnThreadCreated(in at, parentThreadId);
    }

    /// <inheritdoc />
    public override void OnThreadNamed(in EventAt at, string name)
    {
        foreach (var visitor in Who(TraceCapabilities.ProcessLayout))
            visitor.OnThreadNamed(in at, name);
    }

    private TraceVisitor[] Who(TraceCapabilities kind) => _byKind[System.Numerics.BitOperations.TrailingZeroCount((uint)kind)];
}
