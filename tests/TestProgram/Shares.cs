using System.Runtime.CompilerServices;

/// <summary>
/// A workload of known shares: two methods that spin for 70 % and 30 % of the thread's CPU time, and one that sleeps on another thread.
/// </summary>
internal static class Shares
{
    private const int Rounds = 5;

    /// <summary>CPU time of <see cref="SpinMore"/> by the thread's clock, in ns.</summary>
    public static long More { get; private set; }

    /// <summary>CPU time of <see cref="SpinLess"/> by the thread's clock, in ns.</summary>
    public static long Less { get; private set; }

    public static void Take(long nanoseconds)
    {
        using var end = new ManualResetEvent(false);
        var sleeper = new Thread(() => SleepThrough(end)) { Name = "sleeper" };
        sleeper.Start();
        for (var round = 0; round < Rounds; round++)
        {
            SpinMore(nanoseconds * 7 / 10 / Rounds);
            SpinLess(nanoseconds * 3 / 10 / Rounds);
        }

        end.Set();
        sleeper.Join();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void SpinMore(long nanoseconds)
    {
        var before = ThreadClock.Now();
        ThreadClock.Spin(nanoseconds);
        More += ThreadClock.Now() - before;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void SpinLess(long nanoseconds)
    {
        var before = ThreadClock.Now();
        ThreadClock.Spin(nanoseconds);
        Less += ThreadClock.Now() - before;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void SleepThrough(ManualResetEvent end) => end.WaitOne();
}
