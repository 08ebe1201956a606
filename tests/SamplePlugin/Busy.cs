using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Json;
using EtwSerializerProfiler.Contract;

/// <summary>
/// System.Text.Json that gets slower on demand: with ESP_SAMPLE_BUSY_PERCENT=5 it takes another 5 % of the CPU time after each operation,
/// in a method of its own, without allocating. A known slowdown with a known cause: what a comparison of two recordings has to find. CPU
/// time of the thread, because on a loaded machine the time on the clock is mostly that of others.
/// </summary>
[SuiteSerializer("Busy", DataFormat.Text, Library = "System.Text.Json")]
public sealed class Busy<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    /// <summary>Names the variable of the percentage; without it this is System.Text.Json and nothing else.</summary>
    public const string Variable = "ESP_SAMPLE_BUSY_PERCENT";

    private readonly JsonSerializerOptions _options = new();
    private readonly double _share = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } text ? Share(text) : 0;

    /// <summary>Takes what the work gives, so that no compiler leaves it out.</summary>
    private ulong _result;

    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph)
    {
        var start = ThreadTime.Now();
        JsonSerializer.Serialize(stream, graph, _options);
        if (_share > 0)
            Volatile.Write(ref _result, BusyWork(ThreadTime.Now() - start, _share));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream)
    {
        var start = ThreadTime.Now();
        var graph = JsonSerializer.Deserialize<TGraph>(stream, _options);
        if (_share > 0)
            Volatile.Write(ref _result, BusyWork(ThreadTime.Now() - start, _share));
        return graph;
    }

    /// <summary>Arithmetic for a share of some time, within some microseconds.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ulong BusyWork(long nanoseconds, double share)
    {
        var end = ThreadTime.Now() + (long)(nanoseconds * share);
        var number = (ulong)end;
        while (ThreadTime.Now() < end)
        {
            // Long enough that it is not the clock's system call that is sampled.
            for (var step = 0; step < 5_000; step++)
                number = (number ^ (number >> 29)) * 0xBF58476D1CE4E5B9;
        }

        return number;
    }

    private static double Share(string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var percent)
            ? percent / 100
            : throw new FormatException($"{Variable}: '{text}' is no number of percent.");
}

/// <summary>The calling thread's CPU time on Linux; elsewhere, where that clock is coarse, the time on the clock.</summary>
public static partial class ThreadTime
{
    /// <summary>CLOCK_THREAD_CPUTIME_ID of Linux's time.h.</summary>
    private const int ThreadCpuTime = 3;

    /// <summary>Nanoseconds since some moment.</summary>
    public static long Now() =>
        OperatingSystem.IsLinux() && ClockGetTime(ThreadCpuTime, out var time) == 0
            ? (time.Seconds * 1_000_000_000) + time.Nanoseconds
            : (long)(Stopwatch.GetTimestamp() * (1e9 / Stopwatch.Frequency));

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ClockGetTime(int clock, out TimeSpec time);

    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
