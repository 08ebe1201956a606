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

    /// <summary>The process of run <paramref name="runId"/> was launched at this tick, by its launcher's clock; the event itself comes when the run has ended.</summary>
    public virtual void OnProcessLaunched(in EventAt at, int runId, long launchedTicks)
    {
    }

    /// <summary>BenchmarkDotNet begins to measure a benchmark, after its first calls, or has ended.</summary>
    /// <param name="at">When and where.</param>
    /// <param name="name">The benchmark's full name: type, method, and parameters in parentheses.</param>
    /// <param name="isStart">Whether it begins.</param>
    public virtual void OnBenchmark(in EventAt at, string name, bool isStart)
    {
    }

    /// <summary>BenchmarkDotNet begins or has ended an iteration of a benchmark's workload.</summary>
    public virtual void OnBenchmarkIteration(in BenchmarkIteration iteration)
    {
    }

    /// <summary>A thread begins to wait.</summary>
    public virtual void OnWaitStarted(in WaitStarted wait)
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

    /// <summary>A thread needs a collection: the next ones that begin before the threads run again are its own.</summary>
    public virtual void OnCollectionTriggered(in CollectionTriggered collection)
    {
    }

    /// <summary>A collection began.</summary>
    public virtual void OnCollectionStarted(in CollectionStarted collection)
    {
    }

    /// <summary>A collection ended.</summary>
    public virtual void OnCollectionEnded(in CollectionEnded collection)
    {
    }

    /// <summary>How large the heap is after the collection that ended last on this thread.</summary>
    public virtual void OnHeapStatistics(in HeapStatistics statistics)
    {
    }

    /// <summary>How large one heap was before the collection under way; the server collector has several.</summary>
    public virtual void OnHeapSizeBefore(in EventAt at, long bytes)
    {
    }

    /// <summary>The compilation of a method began.</summary>
    public virtual void OnJitStarted(in JitStarted compilation)
    {
    }

    /// <summary>A method has code.</summary>
    public virtual void OnMethodLoaded(in MethodLoaded method)
    {
    }

    /// <summary>An assembly was loaded.</summary>
    public virtual void OnAssemblyLoaded(in AssemblyLoaded assembly)
    {
    }

    /// <summary>A module of an assembly was loaded.</summary>
    public virtual void OnAssemblyModule(in AssemblyModule module)
    {
    }

    /// <summary>The runtime has looked for an assembly.</summary>
    public virtual void OnAssemblySought(in AssemblySought search)
    {
    }

    /// <summary>The load of a type began; <paramref name="loadId"/> is its number.</summary>
    public virtual void OnTypeLoadStarted(in EventAt at, int loadId)
    {
    }

    /// <summary>The load of a type ended; <paramref name="typeId"/> is the runtime's id of the type, 0 when it could not be loaded.</summary>
    public virtual void OnTypeLoadStopped(in EventAt at, int loadId, long typeId)
    {
    }

    /// <summary>Precompiled code of a method was looked for before the method's first call.</summary>
    public virtual void OnPrecompiledMethod(in EventAt at, bool found)
    {
    }

    /// <summary>An exception was thrown.</summary>
    public virtual void OnExceptionThrown(in ExceptionThrown exception)
    {
    }

    /// <summary>A thread begins to wait for a lock.</summary>
    public virtual void OnContentionStarted(in ContentionStarted contention)
    {
    }

    /// <summary>A thread got the lock it waited for. <paramref name="isNative"/>: a lock of the runtime itself.</summary>
    public virtual void OnContentionStopped(in EventAt at, bool isNative)
    {
    }

    /// <summary>About 100 KB were allocated.</summary>
    public virtual void OnAllocationTick(in AllocationTick tick)
    {
    }

    /// <summary>An object was picked by the allocation sampler.</summary>
    public virtual void OnAllocationSampled(in AllocationSample sample)
    {
    }

    /// <summary>A thread began to run on a processor.</summary>
    public virtual void OnSwitchedIn(in EventAt at)
    {
    }

    /// <summary>
    /// The stack with which a thread came to its processor: where it had waited. Comes behind the switch, maybe behind later ones, and only where stacks of switches
    /// were recorded.
    /// </summary>
    public virtual void OnSwitchStack(in SwitchPlace place)
    {
    }

    /// <summary>A thread left its processor. <paramref name="isPreempted"/>: it could have gone on running.</summary>
    public virtual void OnSwitchedOut(in EventAt at, bool isPreempted)
    {
    }

    /// <summary>Where a thread was that leaves its processor now: its switch-out comes next.</summary>
    public virtual void OnSwitchPlace(in SwitchPlace stack)
    {
    }

    /// <summary>A thread ended; it is on no processor any more. Comes with the switches: no switch-out need follow.</summary>
    public virtual void OnThreadEnded(in EventAt at)
    {
    }

    /// <summary>A waiting thread was made ready to run; <see cref="EventAt.ThreadId"/> is that thread.</summary>
    public virtual void OnMadeReady(in EventAt at)
    {
    }

    /// <summary>Which thread of the process made a thread ready; comes behind <see cref="OnMadeReady"/> of that thread and time, where it is known.</summary>
    /// <param name="at">When, and the thread made ready.</param>
    /// <param name="byThread">The thread that did it.</param>
    public virtual void OnWoken(in EventAt at, long byThread)
    {
    }

    /// <summary>A thread was found running by the sampler. Where stacks are logged apart from their samples, a sample comes when its stack is complete.</summary>
    public virtual void OnCpuSample(in CpuSample sample)
    {
    }

    /// <summary>A thread of another process was found running; the idle process is none. Comes only where the samples of the whole machine were recorded.</summary>
    /// <param name="at">When, which process, which thread.</param>
    /// <param name="cpuTicks">CPU time that the sample stands for, in ticks.</param>
    public virtual void OnOtherProcessSample(in EventAt at, long cpuTicks)
    {
    }

    /// <summary>A method has code at an address. Comes a few thousand times and carries texts.</summary>
    public virtual void OnMethodCode(in MethodCode code)
    {
    }

    /// <summary>Code that is no method has a name. Comes only where the trace was made of a recording; with <see cref="OnMethodCode"/>.</summary>
    public virtual void OnCodeNamed(in CodeName code)
    {
    }

    /// <summary>The code at <paramref name="start"/> was freed; other code may take its place.</summary>
    public virtual void OnMethodCodeFreed(in EventAt at, ulong start)
    {
    }

    /// <summary>A managed module was loaded; <paramref name="path"/> is its file, or its name when it has none.</summary>
    public virtual void OnModuleLoaded(in EventAt at, long moduleId, string path)
    {
    }

    /// <summary>The module's PDB file has this GUID: it tells whether a file is the one that was loaded.</summary>
    public virtual void OnModulePdb(in EventAt at, long moduleId, Guid pdb)
    {
    }

    /// <summary>A part of the inline tree of the code that this thread compiled last. Comes with <see cref="OnMethodCode"/>, once a method or in several chunks.</summary>
    public virtual void OnInlineTreeChunk(in InlineTreeChunk chunk)
    {
    }

    /// <summary>What a method is that was inlined; repeated for each place.</summary>
    public virtual void OnMethodDetails(in EventAt at, in MethodDetails details)
    {
    }

    /// <summary>What a type is; repeated.</summary>
    public virtual void OnTypeDetails(in EventAt at, in TypeDetails details)
    {
    }

    /// <summary>A file was mapped as code.</summary>
    public virtual void OnFileMapped(in FileMapping mapping)
    {
    }

    /// <summary>The file that was mapped at <paramref name="start"/> is not any more.</summary>
    public virtual void OnFileUnmapped(in EventAt at, ulong start)
    {
    }

    /// <summary>Where the kernel's code lies.</summary>
    public virtual void OnKernelMapped(in KernelMapping mapping)
    {
    }

    /// <summary>The process began to run another program (exec): what was mapped before is gone.</summary>
    public virtual void OnProgramReplaced(in EventAt at)
    {
    }

    /// <summary>A thread was created; it has the name of <paramref name="parentThreadId"/> until it gets its own.</summary>
    public virtual void OnThreadCreated(in EventAt at, long parentThreadId)
    {
    }

    /// <summary>A thread got a name.</summary>
    public virtual void OnThreadNamed(in EventAt at, string name)
    {
    }
}
