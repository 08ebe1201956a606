using EtwSerializerProfiler.Analysis.Runs;

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

/// <summary>A run on a timeline.</summary>
/// <param name="Run">The run.</param>
/// <param name="StartMs">Begin in ms of the timeline.</param>
public readonly record struct TimelineRun(Run Run, double StartMs);

/// <summary>A pause for a collection.</summary>
/// <param name="StartMs">When the threads began to be suspended, in ms of the timeline.</param>
/// <param name="Ms">How long they were.</param>
/// <param name="Generation">Generation of the collection that began in it, the highest of several; null when none did: the second pause of a background collection.</param>
public readonly record struct TimelinePause(double StartMs, double Ms, int? Generation);

/// <summary>Time added up in buckets of equal length: memory does not grow with the trace.</summary>
/// <param name="start">Begin of the first bucket in ticks.</param>
/// <param name="bucketTicks">Length of a bucket in ticks.</param>
/// <param name="count">How many there are; what lies outside of them is dropped.</param>
internal sealed class BucketSeries(long start, long bucketTicks, int count)
{
    private readonly long[] _ticks = new long[count];

    /// <summary>Adds a span, with sign -1 takes it back.</summary>
    public void Add(long from, long to, int sign = 1)
    {
        from = Math.Max(from, start);
        to = Math.Min(to, start + (bucketTicks * count));
        while (from < to)
        {
            var bucket = (from - start) / bucketTicks;
            var end = Math.Min(to, start + ((bucket + 1) * bucketTicks));
            _ticks[bucket] += sign * (end - from);
            from = end;
        }
    }

    /// <summary>Time of each bucket as a share of its length.</summary>
    public double[] Shares() => Array.ConvertAll(_ticks, ticks => (double)ticks / bucketTicks);
}
