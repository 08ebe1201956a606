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
/// Speed and memory of decoding a .nettrace or perf.data file. A .nettrace is read to its methods by CPU samples (what <c>cpu</c> prints),
/// then every event goes to a subscriber that does nothing, as in TraceEvent's reader, which takes turns with ours. The records of a
/// perf.data file are read in order of time, samples decoded with their call chains.
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
            ? [new("ours", () => ReadPerfData(path))]
            :
            [
                new("ours, to methods by CPU samples", () => ReadMethods(path)),
                new("ours, every event", () => ReadEveryEvent(path)),
                new("TraceEvent's EventPipeEventSource", () => ReadByTraceEvent(path)),
            ];
        for (var repetition = 0; repetition <= repetitions; repetition++)
        {
            foreach (var reader in readers)
            {
                var watch = Stopwatch.StartNew();
                var count = reader.Read();
                var seconds = watch.Elapsed.TotalSeconds;
                if (count is { } read)
                    events =
                        events == 0 || read == events
                            ? read
                            : throw new InvalidOperationException($"{path}: {reader.Name} read {read} {unit}, not {events}");
                if (repetition > 0) // the first is for JIT compilation and the page cache
                    reader.Seconds.Add(seconds);
                else
                    reader.Peak = ProcessMemory.Peak();
            }
        }

        await output
            .WriteLineAsync(Invariant($"{path}: {bytes / 1e6:F1} MB, {events:N0} {unit}, {repetitions} readings after one warm-up"))
            .ConfigureAwait(false);
        await output
            .WriteLineAsync($"| reader | MB/s: median | min | max | {unit}/s: median | peak memory, with the rows above |")
            .ConfigureAwait(false);
        await output.WriteLineAsync("|---|---:|---:|---:|---:|---:|").ConfigureAwait(false);
        foreach (var reader in readers)
        {
            var median = Statistics.Median(reader.Seconds);
            await output
                .WriteLineAsync(
                    Invariant(
                        $"| {reader.Name} | {bytes / 1e6 / median:F1} | {bytes / 1e6 / reader.Seconds.Max():F1} | {bytes / 1e6 / reader.Seconds.Min():F1} | {events / median:N0} | {reader.Peak} |"
                    )
                )
                .ConfigureAwait(false);
        }
    }

    /// <summary>Our reader, to the methods of the runs; how many events that takes differs from file to file.</summary>
    private static long? ReadMethods(string path)
    {
        EtlAttribution.CountMethods(path);
        return null;
    }

    /// <summary>Our reader, with a subscriber that does nothing.</summary>
    private static long? ReadEveryEvent(string path)
    {
        var events = 0L;
        NetTraceSource.Open(path, EventKinds.All).Read(EventHub.Of(new EveryEvent()), (in NetTraceEvent _) => events++);
        return events;
    }

    /// <summary>TraceEvent's reader, with a subscriber that does nothing.</summary>
    private static long? ReadByTraceEvent(string path)
    {
        var events = 0L;
        using var source = new EventPipeEventSource(path);
        source.AllEvents += _ => events++;
        source.Process();
        return events;
    }

    /// <summary>A way to read the file.</summary>
    /// <param name="Name">What the table calls it.</param>
    /// <param name="Read">Reads it and returns the number of events or records; null when it does not count them.</param>
    private sealed record Reader(string Name, Func<long?> Read)
    {
        public List<double> Seconds { get; } = [];

        /// <summary>Peak memory of the process after the first reading.</summary>
        public string Peak { get; set; } = "";
    }

    private static long? ReadPerfData(string path)
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
