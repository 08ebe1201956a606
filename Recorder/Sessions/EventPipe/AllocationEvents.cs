namespace EtwSerializerProfiler.Sessions.EventPipe;

/// <summary>Which allocation events are recorded beside the exact totals the run marks carry.</summary>
public enum AllocationEvents
{
    /// <summary>None: totals come from the run marks alone.</summary>
    None,

    /// <summary>AllocationSampled where the runtime has it (.NET 10 and later): unbiased by object size. <see cref="Ticks"/> on older runtimes.</summary>
    Sampled,

    /// <summary>AllocationTick at Verbose level, in a session of its own: biased to large objects.</summary>
    Ticks,
}
