namespace EtwSerializerProfiler.Traces.Events;

/// <summary>Why a collection began, as GCStart numbers it (gc_reason in src/coreclr/gc of dotnet/runtime).</summary>
public enum CollectionReason
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
