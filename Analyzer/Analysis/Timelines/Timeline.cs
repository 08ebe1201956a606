using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Timelines;

/// <summary>
/// Timeline of a recording: runs, pauses, and the load of its measuring threads and the JIT compiler. Times are in ms since the start of
/// the earliest process trace; for a recording of one process, they equal those in tables. Values that were not recorded are null.
/// </summary>
public sealed record Timeline
{
    /// <summary>Label of the recording if there are several, else empty.</summary>
    public required string Recording { get; init; }

    /// <summary>Start of the first bucket in ms.</summary>
    public required double StartMs { get; init; }

    /// <summary>Stop of the last run in ms.</summary>
    public required double StopMs { get; init; }

    /// <summary>Length of a bucket in ms.</summary>
    public required double BucketMs { get; init; }

    /// <summary>Runs of all kinds, ordered by start.</summary>
    public required IReadOnlyList<TimelineRun> Runs { get; init; }

    /// <summary>GC pauses, ordered by start; null when GCs were not recorded.</summary>
    public required IReadOnlyList<TimelinePause>? Pauses { get; init; }

    /// <summary>Share of each bucket, 0 to 1, with a measuring thread on a processor.</summary>
    public required IReadOnlyList<double>? OnCpu { get; init; }

    /// <summary>Share of each bucket with a preempted measuring thread that waited for a processor.</summary>
    public required IReadOnlyList<double>? Preempted { get; init; }

    /// <summary>Compilation time in each bucket, in buckets: 1 is one fully busy thread, 2 are two.</summary>
    public required IReadOnlyList<double>? Jit { get; init; }
}

/// <summary>A run on a timeline.</summary>
/// <param name="Run">The run.</param>
/// <param name="StartMs">Start in ms of the timeline.</param>
public readonly record struct TimelineRun(Run Run, double StartMs);

/// <summary>A GC pause.</summary>
/// <param name="StartMs">Start of the threads' suspension, in ms of the timeline.</param>
/// <param name="Ms">Duration.</param>
/// <param name="Generation">
/// Generation of the GC that began in it, the highest of several; null when none did: the second pause of a background GC.
/// </param>
public readonly record struct TimelinePause(double StartMs, double Ms, int? Generation);

/// <summary>Sums time in buckets of equal length, so that memory does not grow with the trace.</summary>
/// <param name="start">Start of the first bucket in ticks.</param>
/// <param name="bucketTicks">Length of a bucket in ticks.</param>
/// <param name="count">Number of buckets; time outside of them is dropped.</param>
internal sealed class BucketSeries(long start, long bucketTicks, int count)
{
    private readonly long[] _ticks = new long[count];

    /// <summary>Adds a span; sign -1 removes it.</summary>
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
