using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.PerfData;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Speed and memory of decoding a .nettrace or perf.data file. Every event of a .nettrace goes to a subscriber that
/// does nothing, alternating with TraceEvent's reader; the records of a perf.data file are read in order of time, samples decoded with
/// their call chains.
/// </summary>
internal static class ReadingSpeed
{
    public static Command Create()
    {
        var file = new Argument<string>("file") { Description = "A .nettrace or perf.data file." };
        var repetitions = CommonOptions.Repetitions();
        var command = new Command(
            "reading-speed",
            "MB/s, events or records a second, and peak memory of reading a .nettrace or perf.data file."
        )
        {
            file,
            repetitions,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(file)!, parsed.GetValue(repetitions), Console.Out));
        return command;
    }

    /// <summary>Reads a file several times and prints median, minimum and maximum.</summary>
    private static async Task RunAsync(string path, int repetitions, TextWriter output)
    {
        var bytes = new FileInfo(path).Length;
        var isPerfData = PerfDataReader.IsPerfData(path);
        var unit = isPerfData ? "records" : "events";
        var events = 0L;
        Reader[] readers = isPerfData
            ? [new("ours", () => ReadPerfData(path), [])]
            :
            [
                new("ours", () => NetTraceSource.Open(path, EventKinds.All).Read(new EveryEvent()).Events, []),
                new("TraceEvent's EventPipeEventSource", () => ReadByTraceEvent(path), []),
            ];
        for (var repetition = 0; repetition <= repetitions; repetition++)
        {
            foreach (var reader in readers)
            {
                var watch = Stopwatch.StartNew();
                var count = reader.Read();
                var seconds = watch.Elapsed.TotalSeconds;
                events =
                    events == 0 || count == events
                        ? count
                        : throw new InvalidOperationException($"{path}: {reader.Name} read {count} {unit}, not {events}");
                if (repetition > 0) // the first is for JIT compilation and the page cache
                    reader.Seconds.Add(seconds);
            }
        }

        await output
            .WriteLineAsync(Invariant($"{path}: {bytes / 1e6:F1} MB, {events:N0} {unit}, {repetitions} readings after one warm-up"))
            .ConfigureAwait(false);
        await output.WriteLineAsync($"| reader | MB/s: median | min | max | {unit}/s: median |").ConfigureAwait(false);
        await output.WriteLineAsync("|---|---:|---:|---:|---:|").ConfigureAwait(false);
        foreach (var reader in readers)
        {
            var median = Statistics.Median(reader.Seconds);
            await output
                .WriteLineAsync(
                    Invariant(
                        $"| {reader.Name} | {bytes / 1e6 / median:F1} | {bytes / 1e6 / reader.Seconds.Max():F1} | {bytes / 1e6 / reader.Seconds.Min():F1} | {events / median:N0} |"
                    )
                )
                .ConfigureAwait(false);
        }

        await output.WriteLineAsync($"peak memory of the process: {ProcessMemory.Peak()}").ConfigureAwait(false);
    }

    /// <summary>TraceEvent's reader, with a subscriber that does nothing.</summary>
    private static long ReadByTraceEvent(string path)
    {
        var events = 0L;
        using var source = new EventPipeEventSource(path);
        source.AllEvents += _ => events++;
        source.Process();
        return events;
    }

    private sealed record Reader(string Name, Func<long> Read, List<double> Seconds);

    private static long ReadPerfData(string path)
    {
        using var reader = PerfDataReader.Open(path);
        var records = 0L;
        while (reader.TryRead(out var record))
        {
            records++;
            if (record.Type == PerfRecordType.Sample && !record.TryReadSample(out _))
                throw new InvalidOperationException($"{path}: a sample at offset {record.FileOffset} cannot be taken apart");
        }

        if (reader.Damage is { } damage)
            throw new InvalidOperationException($"{path} is damaged at offset {damage.Offset}: {damage.Reason}");
        return records;
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
