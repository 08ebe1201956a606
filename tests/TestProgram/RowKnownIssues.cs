using System.Reflection;
using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Marks;

/// <summary>
/// Marked runs with known issues that rows show, and for each the same work without the issue: a search through all objects so far, large
/// objects, reflection.
/// </summary>
internal static class RowKnownIssues
{
    /// <summary>
    /// Where processors are shared, a run takes up to twice its time, whatever is subtracted, and the interval of the exponent of few runs
    /// is too wide.
    /// </summary>
    public const int CountedRuns = 20;
    public const int Runs = 5;
    public const int Steps = 2000;
    public const int LargeBytes = 10_000_000;
    public const int LargeArrays = 40;
    public const int SmallBytes = 10_000;
    public const int SmallArrays = 10_000;

    private static readonly FieldInfo s_field = typeof(Box).GetField(nameof(Box.Value))!;

    /// <summary>The smallest takes 4 ms; much shorter runs can be 50 % longer on a loaded machine.</summary>
    private static readonly int[] s_counts = [4000, 8000, 16_000];

    /// <summary>Numbers to search for.</summary>
    private static readonly int[] s_all = [.. Enumerable.Range(0, 16_000)];

    /// <summary>The object created last: public, so that nothing is optimized away.</summary>
    public static object? Last { get; private set; }

    /// <summary>Runs them all, in turns, so that a slow phase of the machine hits all of them.</summary>
    public static void Run()
    {
        using var clock = new RunClock();
        for (var run = 1; run <= CountedRuns; run++)
        {
            foreach (var objects in s_counts)
            {
                Measure(clock, "Searching", objects, run, () => Search(objects));
                Measure(clock, "Walking", objects, run, () => Walk(objects));
            }

            if (run > Runs)
                continue;
            Measure(clock, "Large", 0, run, () => Allocate(LargeArrays, LargeBytes));
            Measure(clock, "Small", 0, run, () => Allocate(SmallArrays, SmallBytes));
            Measure(clock, "Reflecting", 0, run, () => Set(milliseconds: 60, reflects: true));
            Measure(clock, "Assigning", 0, run, () => Set(milliseconds: 60, reflects: false));
        }
    }

    private static void Measure(RunClock clock, string name, int objects, int run, Action action) =>
        clock.Measure(
            new RunIdentity(name, "TestProgram", "1.0", RunOperation.Run, RunKind.Measured, objects, 0, run, 1),
            () =>
            {
                action();
                return 0;
            }
        );

    /// <summary>Each object is searched for among the previous ones.</summary>
    private static void Search(int objects)
    {
        var found = 0;
        for (var i = 0; i < objects; i++)
            found += Find(i, i + 1);
        Last = found;
    }

    /// <summary>Optimized at once, so that no run has slower code than another.</summary>
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    private static int Find(int value, int count)
    {
        for (var i = 0; i < count; i++)
        {
            if (s_all[i] == value)
                return i;
        }

        return -1;
    }

    /// <summary>Each object takes the same number of steps.</summary>
    private static void Walk(int objects)
    {
        var found = 0;
        for (var i = 0; i < objects; i++)
            found += Find(Steps, s_all.Length);
        Last = found;
    }

    private static void Allocate(int count, int bytes)
    {
        for (var i = 0; i < count; i++)
            Last = new byte[bytes];
    }

    private static void Set(int milliseconds, bool reflects)
    {
        var box = new Box();
        var end = ThreadClock.Now() + (milliseconds * 1_000_000L);
        while (ThreadClock.Now() < end)
        {
            for (var i = 0; i < 10_000; i++)
            {
                if (reflects)
                    s_field.SetValue(box, i);
                else
                    Assign(box, i);
            }
        }

        Last = box;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Assign(Box box, int value) => box.Value = value;

    private sealed class Box
    {
        public int Value;
    }
}
