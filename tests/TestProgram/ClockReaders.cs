using System.Diagnostics;

/// <summary>
/// Threads that only read the clock: time that a sampler takes from them is missing in their readings, and shows as a gap between two of
/// them.
/// </summary>
internal static class ClockReaders
{
    /// <summary>Shortest and longest gap that is counted, in µs: a reading takes 0.03, a turn of another thread milliseconds.</summary>
    private const int MinGap = 10;
    private const int MaxGap = 2_000;

    /// <summary>
    /// Reads for a time and prints how many readings there were, and how long the gaps were in the median and at the 99th percentile, in
    /// µs.
    /// </summary>
    public static void Run(int milliseconds, int count)
    {
        var gaps = new int[MaxGap];
        var readings = 0L;
        using var start = new Barrier(count);
        var threads = Enumerable
            .Range(0, count)
            .Select(_ => new Thread(() =>
            {
                start.SignalAndWait();
                Interlocked.Add(ref readings, Read(milliseconds * (Stopwatch.Frequency / 1000), gaps));
            }))
            .ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        Console.WriteLine($"readings {readings} gaps {gaps.Sum()} median {Quantile(gaps, 0.5)} p99 {Quantile(gaps, 0.99)}");
    }

    private static long Read(long ticks, int[] gaps)
    {
        var microsecond = Stopwatch.Frequency / 1_000_000;
        var readings = 0L;
        var last = Stopwatch.GetTimestamp();
        for (var end = last + ticks; last < end; readings++)
        {
            var now = Stopwatch.GetTimestamp();
            var gap = (now - last) / microsecond;
            if (gap is >= MinGap and < MaxGap)
                Interlocked.Increment(ref gaps[gap]);
            last = now;
        }

        return readings;
    }

    private static int Quantile(int[] gaps, double share)
    {
        var left = (long)(share * gaps.Sum());
        return Array.FindIndex(gaps, count => (left -= count) < 0);
    }
}
