using System.Diagnostics;
using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Marks;

/// <summary>
/// Throws and catches exceptions in marked runs, and prints start and end of each throw by Stopwatch: a held thread is held in between.
/// </summary>
internal static class Thrower
{
    /// <summary>One run for each of <paramref name="count"/> throws of a FormatException: <c>value 3 is no number</c> in run 3.</summary>
    public static void Run(int count, string? csvPath)
    {
        using var clock = new RunClock();
        using var csv = csvPath is null ? null : new RunCsv(csvPath);
        for (var run = 1; run <= count; run++)
        {
            var number = run;
            var (start, stop) = (0L, 0L);
            var identity = new RunIdentity("Thrower", "TestProgram", "1.0", RunOperation.Deserialize, RunKind.Measured, 1, 0, run, 1);
            var measurement = clock.Measure(
                identity,
                () =>
                {
                    start = Stopwatch.GetTimestamp();
                    try
                    {
                        Read(number);
                    }
                    catch (FormatException)
                    {
                        stop = Stopwatch.GetTimestamp();
                    }

                    return 1;
                }
            );
            csv?.Write(clock.Runs, count, identity, measurement);
            Console.WriteLine(FormattableString.Invariant($"{start} {stop}"));
        }
    }

    /// <summary>Exceptions of a type that triggers nothing.</summary>
    /// <returns>Time per exception, in ns.</returns>
    public static long Storm(int count)
    {
        var start = Stopwatch.GetTimestamp();
        for (var i = 0; i < count; i++)
        {
            try
            {
                throw new InvalidOperationException("not waited for");
            }
            catch (InvalidOperationException) { }
        }

        return (long)(Stopwatch.GetElapsedTime(start).TotalNanoseconds / count);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Read(int number) => throw new FormatException($"value {number} is no number");
}
