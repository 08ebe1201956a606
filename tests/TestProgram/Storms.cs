using System.Diagnostics;
using System.Runtime.CompilerServices;

/// <summary>
/// Programs with many switches and thread starts. The work is a fixed number of steps, so it takes longer when recording costs processor
/// time.
/// </summary>
internal static class Storms
{
    /// <summary>Steps between two sleeps; about 0.1 ms.</summary>
    private const int StepsPerRound = 80_000;

    /// <summary>
    /// Threads that compute and sleep for a millisecond, in turn. With some hundred threads, all processors are saturated.
    /// </summary>
    /// <returns>Time for all of them in ns.</returns>
    public static long Crowd(int count, int rounds)
    {
        var threads = Enumerable
            .Range(0, count)
            .Select(_ => new Thread(
                () =>
                {
                    for (var round = 0; round < rounds; round++)
                    {
                        Compute(StepsPerRound);
                        Thread.Sleep(1);
                    }
                },
                maxStackSize: 256 << 10
            ))
            .ToList();
        var start = Stopwatch.GetTimestamp();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        return (long)Stopwatch.GetElapsedTime(start).TotalNanoseconds;
    }

    /// <summary>Starts threads that end at once, one after the other.</summary>
    /// <returns>Time for all of them in ns.</returns>
    public static long Starts(int count)
    {
        var start = Stopwatch.GetTimestamp();
        for (var number = 0; number < count; number++)
        {
            var thread = new Thread(() => { });
            thread.Start();
            thread.Join();
        }

        return (long)Stopwatch.GetElapsedTime(start).TotalNanoseconds;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static uint Compute(int steps)
    {
        var x = 1u;
        for (var step = 0; step < steps; step++)
            x = x * 1_664_525 + 1_013_904_223;
        return x;
    }
}
