using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Marks;

/// <summary>Marked runs of known behaviour, which prints their times by its own clocks, lines of name=value in ns.</summary>
internal static class KnownProcessorTimes
{
    private const int Rounds = 20;

    /// <summary>
    /// Memory that is mapped, touched and unmapped at a time: so much (over 32 MiB) malloc always gets by mmap and returns at once.
    /// </summary>
    private const int TouchedBytes = 40 << 20;

    private static readonly object s_lock = new();

    /// <summary>Performs the runs Faults, Sleep, Fight and Collect.</summary>
    /// <param name="milliseconds">CPU time of Faults, and how long Sleep sleeps.</param>
    public static void Run(int milliseconds)
    {
        using var clock = new RunClock();
        Measure(clock, "Faults", () => TouchPages(milliseconds * 1_000_000L));
        Measure(clock, "Sleep", () => Sleep(milliseconds));
        Measure(clock, "Fight", Fight);
        Measure(clock, "Collect", Collect);
    }

    private static void Measure(RunClock clock, string name, Func<long> body)
    {
        long processCpu = 0,
            account = 0;
        var identity = new RunIdentity(name, "TestProgram", "1.0", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1);
        clock.Measure(
            identity,
            () =>
            {
                var before = ThreadClock.ProcessNow();
                account = body();
                processCpu = ThreadClock.ProcessNow() - before;
                return 0;
            }
        );
        Console.WriteLine(FormattableString.Invariant($"{name} {processCpu} {account}"));
    }

    /// <summary>Takes CPU time by page faults: nearly all of it in the kernel, which zeroes the pages.</summary>
    private static unsafe long TouchPages(long nanoseconds)
    {
        var end = ThreadClock.Now() + nanoseconds;
        var pages = 0L;
        while (ThreadClock.Now() < end)
        {
            var memory = (byte*)NativeMemory.Alloc(TouchedBytes);
            for (var at = 0; at < TouchedBytes; at += Environment.SystemPageSize)
                pages += Touch(memory + at);
            NativeMemory.Free(memory);
        }

        return pages;
    }

    // Called often: it is recompiled during the run.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe int Touch(byte* page) => *page = 1;

    /// <summary>Sleeps once; its self-measurement is the duration.</summary>
    private static long Sleep(int milliseconds)
    {
        var start = Stopwatch.GetTimestamp();
        Thread.Sleep(milliseconds);
        return Stopwatch.GetTimestamp() - start;
    }

    /// <summary>Repeatedly waits for a lock of another thread, spinning; its self-measurement is the time to get the lock.</summary>
    private static long Fight()
    {
        // Events of the kernel: a managed one would itself contend for a lock.
        using var taken = new AutoResetEvent(false);
        using var next = new AutoResetEvent(false);
        var other = new Thread(() =>
        {
            for (var round = 0; round < Rounds; round++)
            {
                lock (s_lock)
                {
                    taken.Set();
                    ThreadClock.Spin(10_000_000);
                }

                next.WaitOne();
            }
        })
        {
            Name = "fighter",
        };
        other.Start();
        var account = 0L;
        for (var round = 0; round < Rounds; round++)
        {
            taken.WaitOne();
            var start = Stopwatch.GetTimestamp();
            Monitor.Enter(s_lock);
            account += Stopwatch.GetTimestamp() - start;
            Monitor.Exit(s_lock);
            next.Set();
        }

        other.Join();
        return account;
    }

    /// <summary>Lets the GC mark a tree; its self-measurement is the pauses.</summary>
    private static long Collect()
    {
        var before = GC.GetTotalPauseDuration();
        var tree = Enumerable.Range(0, 1_000_000).Select(number => new StrongBox<int>(number)).ToArray();
        for (var round = 0; round < 3; round++)
            GC.Collect();
        GC.KeepAlive(tree);
        return (GC.GetTotalPauseDuration() - before).Ticks * 100;
    }
}
