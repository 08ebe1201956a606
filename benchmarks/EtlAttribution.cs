using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.TraceEventFeed;
using Microsoft.Diagnostics.Tracing.Etlx;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Time from an .etl file to its runs and their CPU samples by method, against TraceLog's conversion of the same file, which is the first
/// step of other tools.
/// </summary>
internal static class EtlAttribution
{
    public static Command Create()
    {
        var file = CommonOptions.EtlFile();
        var repetitions = CommonOptions.FewRepetitions();
        var command = new Command(
            "etl-attribution",
            "Time and memory from an .etl file to its runs and their CPU samples by method, against TraceLog's conversion."
        )
        {
            file,
            repetitions,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(file)!, parsed.GetValue(repetitions), Console.Out));
        return command;
    }

    /// <summary>Analyses and converts the file in turn.</summary>
    private static async Task RunAsync(string path, int repetitions, TextWriter output)
    {
        var tables = new List<(double Seconds, double Cpu)>();
        var methods = new List<(double Seconds, double Cpu)>();
        var theirs = new List<(double Seconds, double Cpu)>();
        var (runs, samples) = (0, 0L);
        for (var repetition = 0; repetition < repetitions; repetition++)
        {
            tables.Add(Measure(() => MakeTable(path)));
            methods.Add(Measure(() => (runs, samples) = CountMethods(path)));
        }

        var memory = ProcessMemory.Peak();
        for (var repetition = 0; repetition < repetitions; repetition++)
            theirs.Add(Measure(() => Convert(path)));
        await output
            .WriteLineAsync(
                Invariant(
                    $"{path}: {new FileInfo(path).Length / 1e6:F1} MB, {runs:N0} runs, {samples:N0} samples in them; median of {repetitions}"
                )
            )
            .ConfigureAwait(false);
        await output.WriteLineAsync("| way | s | s of CPU time | peak memory of the process |").ConfigureAwait(false);
        await output.WriteLineAsync("|---|---:|---:|---:|").ConfigureAwait(false);
        await output.WriteLineAsync(Row("table with causes", tables, memory)).ConfigureAwait(false);
        await output.WriteLineAsync(Row("cpu by method", methods, memory)).ConfigureAwait(false);
        await output.WriteLineAsync(Row("TraceLog's conversion", theirs, ProcessMemory.Peak())).ConfigureAwait(false);
        foreach (
            var (way, ours) in new (string, List<(double Seconds, double Cpu)>)[]
            {
                ("table with causes", tables),
                ("cpu by method", methods),
            }
        )
            await output
                .WriteLineAsync(
                    Invariant(
                        $"ratio, {way}: {Median(theirs, run => run.Seconds) / Median(ours, run => run.Seconds):F1} of the time, {Median(theirs, run => run.Cpu) / Median(ours, run => run.Cpu):F1} of CPU time; the first time {theirs[0].Seconds / ours[0].Seconds:F1} and {theirs[0].Cpu / ours[0].Cpu:F1}"
                    )
                )
                .ConfigureAwait(false);
    }

    private static void MakeTable(string path)
    {
        var input = TraceInputReader.Open([path]);
        RunAnalysis.Run(input.Processes, []);
    }

    /// <summary>Reads a trace to its methods by CPU samples.</summary>
    internal static (int Runs, long Samples) CountMethods(string path)
    {
        var input = TraceInputReader.Open([path]);
        var symbols = new SymbolReading(new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero));
        var samples = new CpuReading(
            new CpuQuery(CpuGrouping.Method, ByInclusive: false, new RunFilter { AllKinds = true }, null),
            symbols
        );
        var result = RunAnalysis.Run(input.Processes, [], symbols, samples, causes: false);
        return (result.Runs.Count, samples.Result().Samples);
    }

    private static void Convert(string path)
    {
        var folder = Directory.CreateTempSubdirectory("etl-attribution-");
        try
        {
            using var source = EtlTraceEventSource.Open(path);
            TraceLog.CreateFromEventTraceLogFile(source, Path.Combine(folder.FullName, "trace.etlx"));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static (double Seconds, double Cpu) Measure(Action action)
    {
        GC.Collect();
        var cpu = Environment.CpuUsage.TotalTime;
        var watch = Stopwatch.StartNew();
        action();
        return (watch.Elapsed.TotalSeconds, (Environment.CpuUsage.TotalTime - cpu).TotalSeconds);
    }

    private static string Row(string way, List<(double Seconds, double Cpu)> runs, string memory) =>
        Invariant($"| {way} | {Median(runs, run => run.Seconds):F2} | {Median(runs, run => run.Cpu):F2} | {memory} |");

    private static double Median(List<(double Seconds, double Cpu)> runs, Func<(double Seconds, double Cpu), double> value) =>
        Statistics.Median([.. runs.Select(value)])!.Value;

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
