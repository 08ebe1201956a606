namespace EtwSerializerProfiler.Analysis.Timelines;

/// <summary>
/// What happened when in a recording: its runs, pauses, and how busy its measuring threads and the JIT compiler were. Times are in ms since the trace of the process with the earliest trace began:
/// of a recording of one process those that tables have. What was not recorded is null.
/// </summary>
public sealed record Timeline
{
    /// <summary>Label of the recording among several, empty when there is one.</summary>
    public required string Recording { get; init; }

    /// <summary>Begin of the first bucket in ms.</summary>
    public required double StartMs { get; init; }

    /// <summary>End of the last run in ms.</summary>
    public required double StopMs { get; init; }

    /// <summary>Length of a bucket in ms.</summary>
    public required double BucketMs { get; init; }

    /// <summary>Runs of all kinds, by begin.</summary>
    public required IReadOnlyList<TimelineRun> Runs { get; init; }

    /// <summary>Pauses for collections, by begin; null when collections were not recorded.</summary>
    public required IReadOnlyList<TimelinePause>? Pauses { get; init; }

    /// <summary>For each bucket the share of it, 0 to 1, in which a measuring thread was on a processor.</summary>
    public required IReadOnlyList<double>? OnCpu { get; init; }

    /// <summary>For each bucket the share in which a measuring thread had been taken off its processor and waited for one.</summary>
    public required IReadOnlyList<double>? Preempted { get; init; }

    /// <summary>For each bucket the time of compilation in it, in buckets: 1 is one thread all the time, 2 are two.</summary>
    public required IReadOnlyList<double>? Jit { get; init; }
}
