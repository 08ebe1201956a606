using System.Diagnostics;
using System.Runtime.CompilerServices;

/// <summary>
/// Threads that wait for a lock, work items that wait for tasks, and work items that sleep, one after the other and without marks. Prints
/// how long each kind waited by its own clock, summed over threads.
/// </summary>
internal static class Blocked
{
    public const int Lockers = 4;
    public const int Rounds = 10;
    public const int Items = 8;
    public const int HoldMs = 15;
    public const int LoadMs = 120;
    public const int NapMs = 80;

    private static readonly object s_gate = new();
    private static long s_locked;
    private static long s_loaded;
    private static long s_napped;

    /// <summary>Runs all three.</summary>
    public static void Run()
    {
        var lockers = Enumerable.Range(1, Lockers).Select(number => new Thread(Lock) { Name = $"locker-{number}" }).ToList();
        lockers.ForEach(locker => locker.Start());
        lockers.ForEach(locker => locker.Join());
        OnPool(Load);
        OnPool(Nap);
        Print("lockMs", s_locked);
        Print("taskMs", s_loaded);
        Print("sleepMs", s_napped);
    }

    private static void Lock()
    {
        for (var round = 0; round < Rounds; round++)
            GetOrAdd();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void GetOrAdd()
    {
        var start = Stopwatch.GetTimestamp();
        lock (s_gate)
        {
            s_locked += Stopwatch.GetTimestamp() - start;
            Hold();
        }
    }

    /// <summary>Spins, because holding the lock must not count as a wait.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Hold() => ThreadClock.Spin(HoldMs * 1_000_000L);

    private static void OnPool(Action work)
    {
        using var done = new CountdownEvent(Items);
        for (var item = 0; item < Items; item++)
        {
            ThreadPool.QueueUserWorkItem(_ =>
            {
                work();
                done.Signal();
            });
        }

        done.Wait();
        while (OperatingSystem.IsLinux() && !IsWorkerIdle())
            Thread.Yield(); // a sleep would be one more wait
    }

    /// <summary>
    /// Whether a worker sleeps, which is idle as no work is left. On a busy machine workers may lack a processor until the program ends. It
    /// reads into memory of its own, because it may be asked hundreds of times, and its allocations would be most of the program's.
    /// </summary>
    private static bool IsWorkerIdle()
    {
        try
        {
            Span<byte> start = stackalloc byte[64];
            foreach (var task in Directory.EnumerateDirectories("/proc/self/task"))
            {
                using var stat = File.OpenHandle(Path.Combine(task, "stat"));
                if (start[..RandomAccess.Read(stat, start, 0)].IndexOf("(.NET TP Worker) S "u8) >= 0)
                    return true;
            }

            return false;
        }
        catch (IOException)
        {
            return false; // a thread ended meanwhile
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Load()
    {
        var start = Stopwatch.GetTimestamp();
        var loaded = LoadAsync().Result;
        Interlocked.Add(ref s_loaded, Stopwatch.GetTimestamp() - start);
        GC.KeepAlive(loaded);
    }

    private static async Task<string> LoadAsync()
    {
        await Task.Delay(LoadMs);
        return "loaded";
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Nap()
    {
        var start = Stopwatch.GetTimestamp();
        Thread.Sleep(NapMs);
        Interlocked.Add(ref s_napped, Stopwatch.GetTimestamp() - start);
    }

    private static void Print(string name, long ticks) =>
        Console.WriteLine(FormattableString.Invariant($"{name} {Stopwatch.GetElapsedTime(0, ticks).TotalMilliseconds:0.000000}"));
}
