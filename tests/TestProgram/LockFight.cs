using System.Diagnostics;
using System.Runtime.CompilerServices;

/// <summary>
/// Equal threads that contend for one lock, without marks. Prints how long they waited by their own clock, and how much of that is certain
/// to lie between two contention events.
/// </summary>
internal static class LockFight
{
    public const int Threads = 6;
    public const int Rounds = 8;
    private const int HoldMs = 20;

    private static readonly object s_gate = new();
    private static readonly Thread[] s_threads =
    [
        .. Enumerable.Range(1, Threads).Select(number => new Thread(Work) { Name = $"fighter-{number}" }),
    ];
    private static readonly Barrier s_round = new(Threads);

    /// <summary>Threads that came to the lock in all rounds so far.</summary>
    private static int s_arrived;

    // Changed under the lock.
    private static int s_entered;
    private static long s_waited;
    private static long s_certain;

    /// <summary>Runs all rounds.</summary>
    public static void Run()
    {
        Array.ForEach(s_threads, thread => thread.Start());
        Array.ForEach(s_threads, thread => thread.Join());
        Print("waitedMs", s_waited);
        Print("certainMs", s_certain);
    }

    private static void Work()
    {
        for (var round = 0; round < Rounds; round++)
        {
            s_round.SignalAndWait();
            GetOrAdd();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void GetOrAdd()
    {
        var start = Stopwatch.GetTimestamp();
        Interlocked.Increment(ref s_arrived);
        lock (s_gate)
        {
            s_waited += Stopwatch.GetTimestamp() - start;
            Hold();
        }
    }

    /// <summary>
    /// Holds the lock for a while. The first one of a round waits until all others wait for the lock: from then on their waits have begun,
    /// as the event is written before a thread waits.
    /// </summary>
    private static void Hold()
    {
        var before = s_entered++ % Threads;
        if (before == 0)
        {
            while (
                Volatile.Read(ref s_arrived) < s_entered - 1 + Threads
                || s_threads.Count(thread => (thread.ThreadState & System.Threading.ThreadState.WaitSleepJoin) != 0) < Threads - 1
            )
                Thread.Yield();
        }

        var start = Stopwatch.GetTimestamp();
        Thread.Sleep(HoldMs);
        s_certain += (Threads - 1 - before) * (Stopwatch.GetTimestamp() - start);
    }

    private static void Print(string name, long ticks) =>
        Console.WriteLine(FormattableString.Invariant($"{name} {Stopwatch.GetElapsedTime(0, ticks).TotalMilliseconds:0.000000}"));
}
