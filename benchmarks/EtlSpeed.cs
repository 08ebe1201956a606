using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Etl.Compression;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>Speed and memory of reading the events of an .etl file in order of time, header by header.</summary>
internal static class EtlSpeed
{
    /// <summary>Maximum bytes of records copied for the comparison of compressed and uncompressed files.</summary>
    private const long MaxCopyBytes = 256L << 20;

    public static Command Create()
    {
        var file = CommonOptions.EtlFile();
        var repetitions = CommonOptions.Repetitions();
        var command = new Command(
            "etl-speed",
            "Events/s, MB/s and peak memory of walking an .etl file, and of a compressed and an uncompressed copy of it."
        )
        {
            file,
            repetitions,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(file)!, parsed.GetValue(repetitions), Console.Out));
        return command;
    }

    /// <summary>Walks the file, then a compressed and an uncompressed copy of its first events in turn.</summary>
    private static async Task RunAsync(string path, int repetitions, TextWriter output)
    {
        var ahead = Measure(path, null, repetitions);
        var memory = ProcessMemory.Peak();
        var alone = Measure(path, 0, repetitions);
        await output
            .WriteLineAsync(
                Invariant(
                    $"{path}: {ahead.FileBytes / 1e6:F1} MB, {ahead.Events:N0} events of {ahead.EventBytes / 1e6:F1} MB, {repetitions} readings after one warm-up"
                )
            )
            .ConfigureAwait(false);
        await output
            .WriteLineAsync("| way | M events/s median | min | max | MB/s of the file | MB/s of events | M events/s of CPU time |")
            .ConfigureAwait(false);
        await output.WriteLineAsync("|---|---:|---:|---:|---:|---:|---:|").ConfigureAwait(false);
        await output.WriteLineAsync(Row("decoding ahead", ahead)).ConfigureAwait(false);
        await output.WriteLineAsync(Row("one thread", alone)).ConfigureAwait(false);
        await output.WriteLineAsync($"peak memory of the process, decoding ahead: {memory}").ConfigureAwait(false);

        var folder = Directory.CreateTempSubdirectory("etl-speed-");
        try
        {
            var plain = Path.Combine(folder.FullName, "plain.etl");
            var compressed = Path.Combine(folder.FullName, "compressed.etl");
            Copy(path, plain, false);
            Copy(path, compressed, true);
            await output
                .WriteLineAsync(
                    Invariant(
                        $"copy of the first events: {new FileInfo(plain).Length / 1e6:F1} MB uncompressed, {new FileInfo(compressed).Length / 1e6:F1} MB compressed"
                    )
                )
                .ConfigureAwait(false);
            var ratios = new List<double>();
            var both = (Plain: new List<double>(), Compressed: new List<double>());
            for (var repetition = 0; repetition <= repetitions; repetition++)
            {
                var (first, second) = (Walk(plain, null), Walk(compressed, null));
                if (repetition == 0)
                    continue;
                both.Plain.Add(first.Events / first.Seconds / 1e6);
                both.Compressed.Add(second.Events / second.Seconds / 1e6);
                ratios.Add(second.Seconds / first.Seconds);
            }

            await output
                .WriteLineAsync(Invariant($"uncompressed copy: {Statistics.Median(both.Plain):F2} M events/s (best {both.Plain.Max():F2})"))
                .ConfigureAwait(false);
            await output
                .WriteLineAsync(
                    Invariant(
                        $"compressed copy: {Statistics.Median(both.Compressed):F2} M events/s (best {both.Compressed.Max():F2}), takes {Statistics.Median(ratios):F2} times as long"
                    )
                )
                .ConfigureAwait(false);
            await output
                .WriteLineAsync(Invariant($"decompression alone, one thread: {Decompression(compressed, repetitions):F2} GB/s of CPU time"))
                .ConfigureAwait(false);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static string Row(string way, Result result) =>
        Invariant(
            $"| {way} | {Statistics.Median(result.Rates):F2} | {result.Rates.Min():F2} | {result.Rates.Max():F2} | {result.FileBytes / 1e6 / result.Seconds:F0} | {result.EventBytes / 1e6 / result.Seconds:F0} | {result.Events / result.CpuSeconds / 1e6:F2} |"
        );

    private static Result Measure(string path, int? threads, int repetitions)
    {
        var runs = Enumerable.Range(0, repetitions + 1).Select(_ => Walk(path, threads)).Skip(1).ToList();
        var seconds = Statistics.Median([.. runs.Select(run => run.Seconds)])!.Value;
        var cpu = Statistics.Median([.. runs.Select(run => run.CpuSeconds)])!.Value;
        var rates = runs.Select(run => run.Events / run.Seconds / 1e6).ToList();
        return runs[0] with { Rates = rates, Seconds = seconds, CpuSeconds = cpu };
    }

    private static Result Walk(string path, int? threads)
    {
        var cpu = Environment.CpuUsage.TotalTime;
        var watch = Stopwatch.StartNew();
        using var reader = EtlReader.Open(path, new EtlReadOptions { DecodeThreads = threads });
        long sum = 0;
        while (reader.TryRead(out var traceEvent))
            sum += traceEvent.Timestamp + (int)traceEvent.HeaderType;
        if (sum == 0)
            throw new InvalidOperationException("No event was read.");
        var statistics = reader.Statistics;
        return new Result(
            [],
            statistics.FileBytes,
            statistics.EventBytes,
            statistics.Events,
            watch.Elapsed.TotalSeconds,
            (Environment.CpuUsage.TotalTime - cpu).TotalSeconds
        );
    }

    private static void Copy(string from, string to, bool compress)
    {
        using var reader = EtlReader.Open(from);
        using var writer = new EtlWriter(
            to,
            new EtlWriteOptions
            {
                Compress = compress,
                StartTicks = reader.Header.StartTicks,
                PerformanceFrequency = reader.Header.TicksPerSecond,
            }
        );
        while (reader.Statistics.EventBytes < MaxCopyBytes && reader.TryRead(out var traceEvent))
        {
            // The writer writes a log file header of its own.
            if (!traceEvent.IsKernel || traceEvent.Group != EtlKernelGroups.EventTrace || traceEvent.Opcode != 0)
                writer.Write(traceEvent);
        }
    }

    /// <summary>Decompresses all buffers of a written file; best of the repetitions, in 10^9 bytes a second of CPU time.</summary>
    private static double Decompression(string path, int repetitions)
    {
        var content = File.ReadAllBytes(path);
        var output = new byte[EtlFormat.MaxBufferSize];
        var best = 0.0;
        for (var repetition = 0; repetition <= repetitions; repetition++)
        {
            long made = 0;
            var cpu = Environment.CpuUsage.UserTime;
            for (var offset = 0; offset < content.Length; offset += EtlFormat.Int32(content, offset))
            {
                if ((EtlFormat.UInt16(content, offset + EtlFormat.FlagsAt) & 0x40) == 0)
                    continue;
                var input = content.AsSpan(
                    offset + EtlFormat.BufferHeaderSize,
                    EtlFormat.Int32(content, offset) - EtlFormat.BufferHeaderSize
                );
                made += Lz77Decoder.Decode(
                    input,
                    output,
                    EtlFormat.Int32(content, offset + EtlFormat.OffsetAt) - EtlFormat.BufferHeaderSize,
                    out _
                );
            }

            best = Math.Max(best, made / (Environment.CpuUsage.UserTime - cpu).TotalSeconds / 1e9);
        }

        return best;
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private sealed record Result(List<double> Rates, long FileBytes, long EventBytes, long Events, double Seconds, double CpuSeconds);
}
