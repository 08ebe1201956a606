namespace EtwSerializerProfiler.Sessions.EventPipe;

/// <summary>Allocation events to record in addition to the exact totals of the run marks.</summary>
public enum AllocationEvents
{
    /// <summary>None: only the run marks have totals.</summary>
    None,

    /// <summary>
    /// AllocationSampled where the runtime has it (.NET 10 and later): independent of object size. <see cref="Ticks"/> on older runtimes.
    /// </summary>
    Sampled,

    /// <summary>AllocationTick at level Verbose in a session of its own: biased towards large objects.</summary>
    Ticks,
}
