using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Xml.Serialization;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.TestModel;

/// <summary>
/// Marked runs with known issues that rules must find, and for each the same work without the issue: exceptions as control flow, a lock
/// around all work of several threads, code made for XmlSerializer. Prints how long threads took to enter the lock.
/// </summary>
internal static class KnownIssues
{
    public const int Objects = 6000;
    public const int Refused = Objects / 2;
    public const int Runs = 3;
    public const int Threads = 2;

    /// <summary>Objects of a run with locks: each takes a nap of 1 ms.</summary>
    public const int Naps = 20;

    private static readonly object s_gate = new();
    private static readonly string[] s_values =
    [
        .. Enumerable.Range(0, Objects).Select(number => number % 2 == 0 ? number.ToString(CultureInfo.InvariantCulture) : "word"),
    ];

    private static long s_sum;

    /// <summary>Time that threads took to enter the lock, in ticks of Stopwatch; changed under it.</summary>
    private static long s_waited;

    /// <summary>Runs them all.</summary>
    public static void Run()
    {
        using var clock = new RunClock();
        clock.Measure(
            Identity("Xml", 1, 0, 1, RunKind.WarmUp),
            () =>
            {
                new XmlSerializer(typeof(Shelf)).Serialize(Stream.Null, new Shelf { Name = "first" });
                return 0;
            }
        );
        for (var run = 1; run <= Runs; run++)
        {
            clock.Measure(Identity("Throwing", Objects, run, 1), () => s_sum += Read(Throwing));
            clock.Measure(Identity("Asking", Objects, run, 1), () => s_sum += Read(Asking));

            // In turns, so that a slow phase of the machine hits all of them.
            foreach (var threads in (int[])[1, Threads])
            {
                clock.Measure(Identity("Locked", Naps, run, threads), () => OnThreads(threads, LockedNap));
                clock.Measure(Identity("Free", Naps, run, threads), () => OnThreads(threads, Nap));
            }
        }

        Console.WriteLine(FormattableString.Invariant($"lockMs {Stopwatch.GetElapsedTime(0, s_waited).TotalMilliseconds:0.000000}"));
    }

    private static RunIdentity Identity(string name, int objects, int run, int threads, RunKind kind = RunKind.Measured) =>
        new(name, "TestProgram", "1.0", RunOperation.Run, kind, objects, 0, run, threads);

    private static long Read(Func<string, int> parse)
    {
        long sum = 0;
        foreach (var value in s_values)
            sum += parse(value);
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Throwing(string value)
    {
        try
        {
            return Parse(value);
        }
        catch (FormatException)
        {
            return -1;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Parse(string value) =>
        int.TryParse(value, CultureInfo.InvariantCulture, out var number) ? number : throw new FormatException("no number");

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Asking(string value) => int.TryParse(value, CultureInfo.InvariantCulture, out var number) ? number : -1;

    private static int OnThreads(int count, Action work)
    {
        var others = Enumerable.Range(1, count - 1).Select(number => new Thread(() => Repeat(work)) { Name = $"worker-{number}" }).ToList();
        others.ForEach(thread => thread.Start());
        Repeat(work);
        others.ForEach(thread => thread.Join());
        return 0;
    }

    private static void Repeat(Action work)
    {
        for (var i = 0; i < Naps; i++)
            work();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LockedNap()
    {
        var start = Stopwatch.GetTimestamp();
        lock (s_gate)
        {
            s_waited += Stopwatch.GetTimestamp() - start;
            Thread.Sleep(1);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Nap() => Thread.Sleep(1);
}
