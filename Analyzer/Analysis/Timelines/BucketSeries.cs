namespace EtwSerializerProfiler.Analysis.Timelines;

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
