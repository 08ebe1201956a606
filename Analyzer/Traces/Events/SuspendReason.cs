namespace EtwSerializerProfiler.Traces.Events;

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
