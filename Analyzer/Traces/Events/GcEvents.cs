namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A thread begins to suspend the others.</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="Reason">Why.</param>
public readonly record struct SuspendStarted(EventAt At, SuspendReason Reason) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;
}

/// <summary>A thread has let the others run again.</summary>
/// <param name="At">When and on which thread.</param>
public readonly record struct RuntimeResumed(EventAt At) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;
}

/// <summary>
/// A thread has suspended the others and begins a collection (GCTriggered, on the thread that needs it: GCStart is without a stack, and the server collector writes it on a thread of its own);
/// a view, valid during the call.
/// </summary>
public readonly ref struct GcTriggered : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;

    /// <summary>When and which thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Managed return addresses, leaf first; empty when there are none or they were not asked for.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}

/// <summary>A garbage collection began (GCStart).</summary>
/// <param name="At">When and where.</param>
/// <param name="Number">Number of the collection in its process, from 1.</param>
/// <param name="Generation">Generation collected: 0, 1 or 2.</param>
/// <param name="Reason">Reason as the runtime numbers it: 0 small-object budget, 1 induced, 4 large-object budget …</param>
/// <param name="Kind">Blocking, background, or foreground during a background collection.</param>
public readonly record struct GcStarted(EventAt At, int Number, int Generation, int Reason, GcKind Kind) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>A garbage collection ended (GCEnd).</summary>
/// <param name="At">When and where.</param>
/// <param name="Number">Number of the collection in its process, from 1.</param>
/// <param name="Generation">Generation collected.</param>
public readonly record struct GcEnded(EventAt At, int Number, int Generation) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;
}

/// <summary>The finalizer thread has run the finalizers that were due (GCFinalizersEnd).</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="Count">How many objects it finalized.</param>
public readonly record struct FinalizersRan(EventAt At, int Count) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;
}

/// <summary>The heap after a collection (GCHeapStats); comes right behind its GCEnd, on the same thread.</summary>
/// <param name="At">When and where.</param>
/// <param name="HeapBytes">Size of all generations, large and pinned objects included.</param>
/// <param name="PromotedBytes">Bytes that survived the collection in the generations that it collected.</param>
public readonly record struct HeapStatistics(EventAt At, long HeapBytes, long PromotedBytes) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;
}

/// <summary>The size of one heap before the collection under way; the server collector has several heaps.</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="Bytes">Its size.</param>
public readonly record struct HeapSizeBefore(EventAt At, long Bytes) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;
}

/// <summary>How a collection runs, as the GCStart event numbers it.</summary>
public enum GcKind
{
    /// <summary>Threads stand still from begin to end.</summary>
    Blocking = 0,

    /// <summary>Runs beside the program; threads stand still twice for a short time.</summary>
    Background = 1,

    /// <summary>A blocking collection of generation 0 or 1 while a background one is under way.</summary>
    Foreground = 2,
}

/// <summary>Why a collection began, as GCStart numbers it (gc_reason in src/coreclr/gc of dotnet/runtime).</summary>
public enum GcReason
{
    /// <summary>The budget of small objects was used up.</summary>
    AllocSmall = 0,

    /// <summary>The program asked for it: GC.Collect.</summary>
    Induced = 1,

    /// <summary>The system is short of memory.</summary>
    LowMemory = 2,

    /// <summary>Nothing is known.</summary>
    Empty = 3,

    /// <summary>The budget of large objects was used up.</summary>
    AllocLarge = 4,

    /// <summary>No room for a small object.</summary>
    OutOfSpaceSmall = 5,

    /// <summary>No room for a large object.</summary>
    OutOfSpaceLarge = 6,

    /// <summary>The program suggested it: GC.Collect(…, GCCollectionMode.Optimized).</summary>
    InducedNotForced = 7,

    /// <summary>Stress mode of the runtime's tests.</summary>
    Stress = 8,

    /// <summary>Asked for, blocking, because memory is low.</summary>
    InducedLowMemory = 9,

    /// <summary>The program asked for a compacting one.</summary>
    InducedCompacting = 10,

    /// <summary>The host says that memory is low.</summary>
    LowMemoryHost = 11,

    /// <summary>A full collection of the provisional mode.</summary>
    ProvisionalFull = 12,

    /// <summary>The host says that memory is low; blocking.</summary>
    LowMemoryHostBlocking = 13,

    /// <summary>Tuning of background collections, small objects.</summary>
    BackgroundTuningSmall = 14,

    /// <summary>Tuning of background collections, large objects.</summary>
    BackgroundTuningLarge = 15,

    /// <summary>Stepping of background collections.</summary>
    BackgroundStepping = 16,

    /// <summary>The program asked for an aggressive one.</summary>
    InducedAggressive = 17,
}

/// <summary>Why the runtime suspends its threads, as the GCSuspendEEBegin event numbers it.</summary>
public enum SuspendReason
{
    /// <summary>Not a collection: for example an exact reading of allocated bytes, or the sample profiler.</summary>
    Other = 0,

    /// <summary>A collection.</summary>
    Collection = 1,

    /// <summary>An application domain ends.</summary>
    AppDomainShutdown = 2,

    /// <summary>Code is thrown away.</summary>
    CodePitching = 3,

    /// <summary>The process ends.</summary>
    Shutdown = 4,

    /// <summary>A debugger.</summary>
    Debugger = 5,

    /// <summary>Preparation of a background collection.</summary>
    CollectionPreparation = 6,

    /// <summary>A debugger sweeps threads.</summary>
    DebuggerSweep = 7,
}
