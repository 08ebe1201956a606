using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Json;

/// <summary>
/// A process to be dumped, with known numbers of everything: objects of a type in each generation, held locks with waiting threads,
/// exceptions in flight and kept ones, pinned buffers, objects that wait for their finalizer. It prints "ready" and its own counts, and
/// does not change until it is killed; a line of input creates some more objects.
/// </summary>
internal static class KnownProcess
{
    public const int Items = 100_000;
    public const int Young = 1_000;
    public const int LargeArrays = 10;
    public const int LargeBytes = 200_000;
    public const int PinnedArrays = 3;
    public const int PinnedBytes = 5_000;
    public const int Points = 32;
    public const int Finalizable = 7;
    public const int Finalizing = 5;
    public const int Kept = 50;

    /// <summary>Objects that are created on a line of input.</summary>
    public const int More = 500;

    public const int HResult = unchecked((int)0x8013_ABCD);

    /// <summary>How often the second lock was entered.</summary>
    public const int Recursion = 3;

    private static readonly KnownLock s_first = new("first");
    private static readonly KnownLock s_second = new("second");
    private static readonly KnownLock s_third = new("third");
    private static readonly Lock s_lock = new();
    private static readonly ManualResetEventSlim s_held = new();
    private static readonly CountdownEvent s_thrown = new(1);

    /// <summary>Keeps the created objects until the process ends: one array of arrays and objects.</summary>
    private static readonly List<object> s_all = [];

    /// <summary>Creates all objects and waits.</summary>
    /// <param name="scale">Objects of the kept type; <see cref="Items"/> unless it is a heap to measure speed with.</param>
    public static void Run(int scale)
    {
        s_all.AddRange(Enumerable.Range(0, Kept).Select(_ => Thrown()));
        var items = new KnownItem[scale];
        for (var i = 0; i < scale; i++)
            items[i] = new KnownItem { Previous = i > 0 ? items[i - 1] : null, Number = i };
        s_all.Add(items);
        s_all.AddRange(Enumerable.Range(0, Finalizable).Select(_ => new KnownFinalizable()));
        s_all.AddRange(Enumerable.Range(0, LargeArrays).Select(_ => new byte[LargeBytes]));
        s_all.AddRange(Enumerable.Range(0, PinnedArrays).Select(_ => GC.AllocateArray<byte>(PinnedBytes, pinned: true)));
        GCHandle.Alloc(new KnownPoint[Points], GCHandleType.Pinned);
        MakeGarbage();
        GC.Collect();
        GC.Collect(); // objects that the first one left in generation 1 get promoted
        KnownFinalizable.Blocked.Wait();
        Start("holder", Hold);
        s_held.Wait();
        var waiters = new[] { Start("waiter", Wait), Start("waiter of Lock", WaitForLock) };
        SpinWait.SpinUntil(() => waiters.All(waiter => (waiter.ThreadState & ThreadState.WaitSleepJoin) != 0));
        Start("thrower", Throw);
        s_thrown.Wait();
        YoungItem[] young = [.. Enumerable.Range(0, Young).Select(_ => new YoungItem())];
        s_all.Add(young);
        Console.WriteLine(
            string.Create(CultureInfo.InvariantCulture, $"generations {GC.GetGeneration(items[0])} {GC.GetGeneration(young[0])}")
        );
        Console.WriteLine("ready");
        if (Console.ReadLine() is not null)
        {
            s_all.Add(Enumerable.Range(0, More).Select(_ => new KnownLock("more")).ToArray());
            Console.WriteLine("more");
        }

        Thread.Sleep(Timeout.Infinite);
    }

    /// <summary>The objects whose finalizers run one after the other; the first one blocks.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void MakeGarbage()
    {
        for (var i = 0; i <= Finalizing; i++)
            GC.KeepAlive(new KnownFinalizable { Blocks = true });
    }

    /// <summary>An exception that was thrown and caught, the same each time.</summary>
    private static KnownException Thrown()
    {
        try
        {
            throw new KnownException("kept on the heap");
        }
        catch (KnownException exception)
        {
            return exception;
        }
    }

    private static void Hold()
    {
        Monitor.Enter(s_first);
        for (var entered = 0; entered < Recursion; entered++)
            Monitor.Enter(s_second);
        Monitor.Enter(s_third);
        s_lock.Enter();
        s_held.Set();
        Thread.Sleep(Timeout.Infinite);
    }

    private static void Wait()
    {
        lock (s_third)
            s_held.Set();
    }

    private static void WaitForLock()
    {
        lock (s_lock)
            s_held.Set();
    }

    /// <summary>
    /// Throws out of a serializer and stays in the filter: the exception is still the thread's, and all frames are there.
    /// </summary>
    private static void Throw()
    {
        try
        {
            JsonSerializer.Deserialize<KnownData>("""{ "Value": 1 }""");
        }
        catch (InvalidOperationException) when (Stay()) { }
    }

    private static bool Stay()
    {
        s_thrown.Signal();
        Thread.Sleep(Timeout.Infinite);
        return true;
    }

    private static Thread Start(string name, ThreadStart work)
    {
        var thread = new Thread(work) { Name = name, IsBackground = true };
        thread.Start();
        return thread;
    }
}
