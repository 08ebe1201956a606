namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A thread begins to suspend the others.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Reason">Reason of the suspension.</param>
public readonly record struct SuspendStarted(EventAt At, SuspendReason Reason) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;
}

/// <summary>A thread let the others resume.</summary>
/// <param name="At">Time, process and thread.</param>
public readonly record struct RuntimeResumed(EventAt At) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;
}

/// <summary>
/// A thread suspended the others and begins a GC (GCTriggered, on the thread that needs it: GCStart has no stack, and server GC writes it
/// on its own thread); a view, valid during the call.
/// </summary>
public readonly ref struct GcTriggered : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;

    /// <summary>Time and thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Managed return addresses, leaf first; empty when not recorded or not requested.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}

/// <summary>A GC began (GCStart).</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Number">Number of the GC in its process, from 1.</param>
/// <param name="Generation">Collected generation: 0, 1 or 2.</param>
/// <param name="Reason">Reason as the runtime numbers it: 0 small-object budget, 1 induced, 4 large-object budget …</param>
/// <param name="Kind">Blocking, background, or foreground during a background GC.</param>
public readonly record struct GcStarted(EventAt At, int Number, int Generation, int Reason, GcKind Kind) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>A GC ended (GCEnd).</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Number">Number of the GC in its process, from 1.</param>
/// <param name="Generation">Collected generation.</param>
public readonly record struct GcEnded(EventAt At, int Number, int Generation) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;
}

/// <summary>The finalizer thread begins to run pending finalizers (GCFinalizersBegin).</summary>
/// <param name="At">Time, process and thread.</param>
public readonly record struct FinalizersStarted(EventAt At) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;
}

/// <summary>The finalizer thread ran all pending finalizers (GCFinalizersEnd).</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Count">Number of finalized objects.</param>
public readonly record struct FinalizersRan(EventAt At, int Count) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;
}

/// <summary>The heap after a GC (GCHeapStats), directly after its GCEnd on the same thread.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="HeapBytes">Size of all generations, including large and pinned objects.</param>
/// <param name="PromotedBytes">Bytes that survived in the collected generations.</param>
public readonly record struct HeapStatistics(EventAt At, long HeapBytes, long PromotedBytes) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;
}

/// <summary>Size of one heap before the current GC; server GC has several heaps.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Bytes">Its size.</param>
public readonly record struct HeapSizeBefore(EventAt At, long Bytes) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Gc;
}

/// <summary>Kinds of GCs, with the numbers of the GCStart event.</summary>
public enum GcKind
{
    /// <summary>Threads are suspended from start to end.</summary>
    Blocking = 0,

    /// <summary>Runs in parallel to the program and suspends threads twice for a short time.</summary>
    Background = 1,

    /// <summary>A blocking GC of generation 0 or 1 during a background GC.</summary>
    Foreground = 2,
}

/// <summary>Reasons of GCs, with the numbers of GCStart (gc_reason in src/coreclr/gc of dotnet/runtime).</summary>
public enum GcReason
{
    /// <summary>The budget of small objects was exhausted.</summary>
    AllocSmall = 0,

    /// <summary>The program induced it: GC.Collect.</summary>
    Induced = 1,

    /// <summary>The system is short of memory.</summary>
    LowMemory = 2,

    /// <summary>Unknown.</summary>
    Empty = 3,

    /// <summary>The budget of large objects was exhausted.</summary>
    AllocLarge = 4,

    /// <summary>No space for a small object.</summary>
    OutOfSpaceSmall = 5,

    /// <summary>No space for a large object.</summary>
    OutOfSpaceLarge = 6,

    /// <summary>The program suggested it: GC.Collect(…, GCCollectionMode.Optimized).</summary>
    InducedNotForced = 7,

    /// <summary>Stress mode of the runtime's tests.</summary>
    Stress = 8,

    /// <summary>Induced, blocking, because memory is low.</summary>
    InducedLowMemory = 9,

    /// <summary>The program induced a compacting GC.</summary>
    InducedCompacting = 10,

    /// <summary>The host reports low memory.</summary>
    LowMemoryHost = 11,

    /// <summary>A full GC of the provisional mode.</summary>
    ProvisionalFull = 12,

    /// <summary>The host reports low memory; blocking.</summary>
    LowMemoryHostBlocking = 13,

    /// <summary>Tuning of background GCs, small objects.</summary>
    BackgroundTuningSmall = 14,

    /// <summary>Tuning of background GCs, large objects.</summary>
    BackgroundTuningLarge = 15,

    /// <summary>Stepping of background GCs.</summary>
    BackgroundStepping = 16,

    /// <summary>The program induced an aggressive GC.</summary>
    InducedAggressive = 17,
}

/// <summary>Reasons of suspensions, with the numbers of the GCSuspendEEBegin event.</summary>
public enum SuspendReason
{
    /// <summary>Not a GC: for example an exact reading of allocated bytes, or the sample profiler.</summary>
    Other = 0,

    /// <summary>A GC.</summary>
    Gc = 1,

    /// <summary>An application domain ends.</summary>
    AppDomainShutdown = 2,

    /// <summary>Code is discarded.</summary>
    CodePitching = 3,

    /// <summary>The process ends.</summary>
    Shutdown = 4,

    /// <summary>A debugger.</summary>
    Debugger = 5,

    /// <summary>Preparation of a background GC.</summary>
    GcPreparation = 6,

    /// <summary>A debugger sweeps threads.</summary>
    DebuggerSweep = 7,
}
