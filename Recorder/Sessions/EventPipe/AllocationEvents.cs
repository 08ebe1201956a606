namespace EtwSerializerProfiler.Sessions.EventPipe;

/// <summary>Which allocation events are recorded beside the exact totals the run marks carry.</summary>
public enum AllocationEvents
{
    /// <summary>None: totals come from the run marks alone.</summary>
    None,

    /// <summary>AllocationSampled (.NET 10 and later): unbiased by object size, cheap.</summary>
    Sampled,

    /// <summary>AllocationTick at Verbose level, in a session of its own: biased to large objects, for runtimes before .NET 10.</summary>
    Ticks,
}
