using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.NetTrace;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>How fast a .nettrace file is read, and with how much memory: decoding alone (every kind of event to a visitor that does nothing).</summary>
internal static class ReadingSpeed
{
    /// <summary>Reads a file several times and prints median, minimum and maximum.</summary>
    public static async Task RunAsync(string path, int repetitions, TextWriter output)
    {
        var bytes = new FileInfo(path).Length;
        var megabytesPerSecond = new List<double>();
        var eventsPerSecond = new List<double>();
        long events = 0;
        for (var repetition = 0; repetition <= repetitions; repetition++)
        {
            var watch = Stopwatch.StartNew();
            events = NetTraceSource.Open(path, TraceCapabilities.All).Read(new NullVisitor(), TraceCapabilities.All).Events;
            var seconds = watch.Elapsed.TotalSeconds;
            if (repetition == 0)
                continue; // warm-up: JIT compilation and the page cache
            megabytesPerSecond.Add(bytes / 1e6 / seconds);
            eventsPerSecond.Add(events / seconds);
        }

        await output.WriteLineAsync(Invariant($"{path}: {bytes / 1e6:F1} MB, {events:N0} events, {repetitions} readings after one warm-up")).ConfigureAwait(false);
        await output.WriteLineAsync("| figure | median | min | max |").ConfigureAwait(false);
        await output.WriteLineAsync("|---|---:|---:|---:|").ConfigureAwait(false);
        await output.WriteLineAsync(Invariant($"| MB/s | {Statistics.Median(megabytesPerSecond):F1} | {megabytesPerSecond.Min():F1} | {megabytesPerSecond.Max():F1} |")).ConfigureAwait(false);
        await output.WriteLineAsync(Invariant($"| events/s | {Statistics.Median(eventsPerSecond):N0} | {eventsPerSecond.Min():N0} | {eventsPerSecond.Max():N0} |")).ConfigureAwait(false);
        await output.WriteLineAsync($"peak memory of the process: {PeakMemory()}").ConfigureAwait(false);
    }

    /// <summary>VmHWM of /proc/self/status: the largest resident set so far.</summary>
    private static string PeakMemory() => File.Exists("/proc/self/status")
        ? File.ReadLines("/proc/self/status").First(line => line.StartsWith("VmHWM:", StringComparison.Ordinal))["VmHWM:".Length..].Trim()
        : Invariant($"{Process.GetCurrentProcess().PeakWorkingSet64 / 1024} kB");

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private sealed class NullVisitor : TraceVisitor;
}
