using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Time to resolve every frame of 100,000 CPU samples. The samples are those of a recording, repeated until there are enough. Each
/// repetition is measured three times: including reading libraries and kallsyms, including the lookup of every distinct address in them,
/// and with everything cached.
/// </summary>
internal static class SymbolSpeed
{
    private const int Samples = 100_000;

    public static Command Create()
    {
        var recording = CommonOptions.Recording();
        var repetitions = CommonOptions.Repetitions();
        var command = new Command("symbol-speed", "ms to name every frame of 100,000 CPU samples.") { recording, repetitions };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(recording)!, parsed.GetValue(repetitions), Console.Out));
        return command;
    }

    /// <summary>Resolves the frames several times and prints median, minimum and maximum.</summary>
    private static async Task RunAsync(string folder, int repetitions, TextWriter output)
    {
        var input = TraceInputReader.Open([folder]);
        var process = input.Processes[0];
        var methods = new ManagedCodeMap();
        process.Read(methods);
        var layout = new ProcessLayout();
        process.Read(layout);
        var stacks = new StackCollector();
        process.Read(stacks);
        if (stacks.Samples.Count == 0)
            throw new InvalidOperationException($"{folder} has no CPU samples.");

        var read = new List<double>();
        var cold = new List<double>();
        var warm = new List<double>();
        long frames = 0;
        var distinct = 0;
        for (var repetition = 0; repetition <= repetitions; repetition++)
        {
            var recording = input.Recording!;
            var files = new SymbolFiles(recording.Host.MachineName, recording.StartedUtc, TimeSpan.FromMilliseconds(recording.DurationMs));
            var first = Time(new SymbolResolver(process.ProcessId, methods, layout, files));
            var resolver = new SymbolResolver(process.ProcessId, methods, layout, files);
            var second = Time(resolver);
            var third = Time(resolver);
            if (repetition == 0)
                continue; // warm-up: JIT compilation and the page cache
            read.Add(first);
            cold.Add(second);
            warm.Add(third);
            distinct = resolver.Symbols.Count;
        }

        await output
            .WriteLineAsync(
                Invariant(
                    $"{folder}: {Samples:N0} samples ({stacks.Samples.Count:N0} recorded ones, repeated), {frames:N0} frames, {distinct:N0} symbols, {repetitions} repetitions after one warm-up"
                )
            )
            .ConfigureAwait(false);
        await output.WriteLineAsync("| ms for 100,000 samples | median | min | max |").ConfigureAwait(false);
        await output.WriteLineAsync("|---|---:|---:|---:|").ConfigureAwait(false);
        foreach (
            var (name, times) in ((string, List<double>)[])
                [("symbol files read", read), ("symbol files in memory", cold), ("every address asked for before", warm)]
        )
            await output
                .WriteLineAsync(Invariant($"| {name} | {Statistics.Median(times):F1} | {times.Min():F1} | {times.Max():F1} |"))
                .ConfigureAwait(false);

        double Time(SymbolResolver resolver)
        {
            var watch = Stopwatch.StartNew();
            frames = Resolve(stacks.Samples, resolver);
            return watch.Elapsed.TotalMilliseconds;
        }
    }

    private static long Resolve(List<(long Time, int KernelFrames, ulong[] Addresses)> samples, SymbolResolver resolver)
    {
        long frames = 0;
        for (var i = 0; i < Samples; i++)
        {
            var (time, kernelFrames, addresses) = samples[i % samples.Count];
            for (var frame = 0; frame < addresses.Length; frame++)
                resolver.Resolve(addresses[frame], time, frame < kernelFrames);
            frames += addresses.Length;
        }

        return frames;
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private sealed class StackCollector : IEventSubscriber
    {
        public List<(long Time, int KernelFrames, ulong[] Addresses)> Samples { get; } = [];

        /// <inheritdoc />
        public void Subscribe(EventHub hub) => hub.Subscribe<CpuSample>(OnCpuSample);

        private void OnCpuSample(in CpuSample sample)
        {
            var addresses = new ulong[sample.Frames.Length];
            for (var i = 0; i < addresses.Length; i++)
                addresses[i] = sample.CodeAddress(i);
            Samples.Add((sample.At.Time, sample.KernelFrames, addresses));
        }
    }
}
