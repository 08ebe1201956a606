using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Marks;

/// <summary>Marked runs with known events and locations; prints the numbers that it knows itself, a name and a number a line.</summary>
internal static class KnownEvents
{
    public const int Thrown = 7;
    public const int Rethrown = 3;
    public const int Contentions = 5;
    public const int Arrays = 20_000;
    public const int ArrayLength = 10_000;
    public const int Nodes = 3_000_000;
    public const int EventWaits = 4;
    public const int Naps = 2;
    public const int KeptBytes = 40_000_000;

    private static readonly object s_gate = new();

    /// <summary>Whether the measuring thread is in <see cref="Contend"/>, where it waits for nothing but the lock.</summary>
    private static volatile bool s_contends;

    /// <summary>Keeps objects alive for a GC.</summary>
    private static object? s_kept;

    /// <summary>The object created last: public, so that nothing is optimized away.</summary>
    public static object? Last { get; private set; }

    /// <summary>Runs them all.</summary>
    public static void Run()
    {
        using var clock = new RunClock();
        Measure(clock, "Exceptions", Exceptions);
        Measure(clock, "Locks", Locks);
        Measure(clock, "Allocation", Allocate);
        s_kept = new byte[KeptBytes];
        GC.Collect();
        Measure(clock, "Gcs", Collect);
        Measure(clock, "Waits", Wait);
        Measure(clock, "Jit", Compile);
    }

    private static void Measure(RunClock clock, string name, Action run) =>
        clock.Measure(
            new RunIdentity(name, "TestProgram", "1.0", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1),
            () =>
            {
                run();
                return 0;
            }
        );

    private static void Exceptions()
    {
        for (var i = 1; i <= Thrown; i++)
        {
            try
            {
                ThrowFormat(i);
            }
            catch (FormatException) { }
        }

        for (var i = 0; i < Rethrown; i++)
        {
            try
            {
                ThrowAgain();
            }
            catch (InvalidOperationException) { }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowFormat(int number) =>
        throw new FormatException(string.Create(CultureInfo.InvariantCulture, $"wrong {number}"));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowAgain()
    {
        try
        {
            throw new InvalidOperationException("first");
        }
        catch (InvalidOperationException)
        {
            throw;
        }
    }

    /// <summary>
    /// The holder releases the lock when the measuring thread waits for it. The count of contentions does not show that: it counts those of
    /// the semaphores' own locks, too.
    /// </summary>
    private static void Locks()
    {
        using var held = new SemaphoreSlim(0);
        using var next = new SemaphoreSlim(0);
        var measuring = Thread.CurrentThread;
        var holder = new Thread(() =>
        {
            for (var i = 0; i < Contentions; i++)
            {
                lock (s_gate)
                {
                    s_contends = false;
                    held.Release();
                    while (!s_contends || !IsWaiting(measuring))
                        Thread.Sleep(1);
                    Thread.Sleep(10);
                }

                next.Wait();
            }
        })
        {
            Name = "lock-holder",
        };
        holder.Start();
        double waited = 0;
        for (var i = 0; i < Contentions; i++)
        {
            held.Wait();
            if (i == 0)
                ContendElsewhere();
            var start = Stopwatch.GetTimestamp();
            Contend();
            waited += Stopwatch.GetElapsedTime(start).TotalMilliseconds;
            next.Release();
        }

        holder.Join();
        Print("lockMs", waited);
    }

    /// <summary>
    /// What a slow machine does: a contention of another lock, such as a semaphore's, is counted, and the measuring thread reaches its own
    /// lock much later, because it has to compile the method first.
    /// </summary>
    private static void ContendElsewhere()
    {
        var other = new object();
        using var held = new SemaphoreSlim(0);
        var holder = new Thread(() =>
        {
            lock (other)
            {
                var before = Monitor.LockContentionCount;
                held.Release();
                while (Monitor.LockContentionCount == before)
                    Thread.Sleep(1);
            }
        });
        holder.Start();
        held.Wait();
        lock (other)
            Last = other;
        holder.Join();
        Thread.Sleep(30);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Contend()
    {
        s_contends = true;
        lock (s_gate)
            Last = s_gate;
    }

    private static void Allocate()
    {
        AllocateArrays();
        AllocateNodes();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void AllocateArrays()
    {
        for (var i = 0; i < Arrays; i++)
            Last = new byte[ArrayLength];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void AllocateNodes()
    {
        for (var i = 0; i < Nodes; i++)
            Last = new Node(i);
    }

    /// <summary>Induces one of each generation, blocking, and a background one that has ended before the run ends.</summary>
    private static void Collect()
    {
        GC.Collect(0, GCCollectionMode.Forced, blocking: true);
        GC.Collect(1, GCCollectionMode.Forced, blocking: true);
        GC.Collect(2, GCCollectionMode.Forced, blocking: true);
        var before = GC.GetGCMemoryInfo(GCKind.Background).Index;
        GC.Collect(2, GCCollectionMode.Forced, blocking: false);
        while (GC.GetGCMemoryInfo(GCKind.Background).Index == before)
            Thread.Sleep(1);
        GC.KeepAlive(s_kept);
    }

    private static void Wait()
    {
        using var request = new AutoResetEvent(false);
        using var answer = new AutoResetEvent(false);
        var measuring = Thread.CurrentThread;
        var helper = new Thread(() =>
        {
            for (var i = 0; i < EventWaits; i++)
            {
                request.WaitOne();
                while (!IsWaiting(measuring))
                    Thread.Sleep(1);
                Thread.Sleep(10);
                answer.Set();
            }
        });
        helper.Start();
        double events = 0,
            naps = 0;
        for (var i = 0; i < EventWaits; i++)
        {
            request.Set();
            var start = Stopwatch.GetTimestamp();
            WaitForAnswer(answer);
            events += Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        }

        for (var i = 0; i < Naps; i++)
        {
            var start = Stopwatch.GetTimestamp();
            Nap();
            naps += Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        }

        helper.Join();
        Print("eventMs", events);
        Print("napMs", naps);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WaitForAnswer(AutoResetEvent answer) => answer.WaitOne();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Nap() => Thread.Sleep(15);

    /// <summary>Five instances of a generic method, each with its own code.</summary>
    private static void Compile()
    {
        Fresh<(byte, byte)>();
        Fresh<(byte, short)>();
        Fresh<(byte, int)>();
        Fresh<(byte, long)>();
        Fresh<(byte, char)>();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Fresh<T>()
        where T : struct => Last = typeof(T);

    private static bool IsWaiting(Thread thread) => (thread.ThreadState & System.Threading.ThreadState.WaitSleepJoin) != 0;

    private static void Print(string name, double value) => Console.WriteLine(FormattableString.Invariant($"{name} {value:0.000000}"));

    /// <summary>An object of 32 bytes on 64-bit systems: header, type, two fields.</summary>
    private sealed class Node(long value)
    {
        public long Value { get; } = value;

        public object? Next { get; set; }
    }
}
