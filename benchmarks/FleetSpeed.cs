using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Stores;
using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Extraction.Workers;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// How many traces per second several workers put into one ClickHouse store. A worker is what a task of Dask or Slurm starts:
/// <c>esp-analyze extract --jobs 1</c> with a share of the traces.
/// </summary>
internal static class FleetSpeed
{
    public static Command Create()
    {
        var traces = CommonOptions.Traces();
        var store = new Option<string>("--store")
        {
            Description = "Server: clickhouse:http://HOST:PORT/DATABASE[?cluster=…]; the databases DATABASE_N_R are created.",
            Required = true,
        };
        var workers = new Option<int[]>("--workers")
        {
            Description = "Numbers of workers, each a call of 'esp-analyze extract --jobs 1'.",
            DefaultValueFactory = _ => [1, 2],
            AllowMultipleArgumentsPerToken = true,
        };
        var repetitions = CommonOptions.Repetitions();
        var command = new Command(
            "fleet-speed",
            "Traces a second into a ClickHouse store by one worker and by several, as a job engine starts them."
        )
        {
            traces,
            store,
            workers,
            repetitions,
        };
        command.SetAction(
            (parsed, _) =>
                RunAsync(
                    parsed.GetValue(traces)!,
                    parsed.GetValue(store)!,
                    parsed.GetValue(workers)!,
                    parsed.GetValue(repetitions),
                    Console.Out
                )
        );
        return command;
    }

    /// <summary>Extracts the same traces into new databases, with each number of workers in turn.</summary>
    /// <param name="paths">Traces, or folders of them.</param>
    /// <param name="store">Address of a ClickHouse store; numbers are appended to its database name.</param>
    /// <param name="workers">Numbers of workers; the others are compared with the first.</param>
    /// <param name="repetitions">Rounds.</param>
    /// <param name="output">Where the result is printed.</param>
    private static async Task RunAsync(IReadOnlyList<string> paths, string store, int[] workers, int repetitions, TextWriter output)
    {
        var address = new UriBuilder(StoreAddress.Parse(store).Place);
        var database = address.Path.Trim('/');
        var traces = TraceDiscovery.Find(paths, recursive: true).Units.Select(unit => unit.Path).ToList();
        var seconds = workers.ToDictionary(count => count, _ => new List<double>());
        for (var repetition = 0; repetition < repetitions; repetition++)
        {
            foreach (var count in workers)
            {
                address.Path = string.Create(CultureInfo.InvariantCulture, $"{database}_{count}_{repetition}");
                using (var made = TraceStores.Open(StoreAddress.Parse($"clickhouse:{address.Uri}")))
                    made.Prepare();
                var watch = Stopwatch.StartNew();
                await Task.WhenAll(
                        Enumerable
                            .Range(0, count)
                            .Select(worker => ExtractAsync(traces.Where((_, i) => i % count == worker), $"clickhouse:{address.Uri}"))
                    )
                    .ConfigureAwait(false);
                seconds[count].Add(watch.Elapsed.TotalSeconds);
            }
        }

        await output
            .WriteLineAsync(Invariant($"{traces.Count} traces, {repetitions} rounds, {Environment.ProcessorCount} processors"))
            .ConfigureAwait(false);
        await output
            .WriteLineAsync("| workers | s median | min | max | traces a second | times as fast as the first row |\n|---:|---:|---:|---:|---:|---:|")
            .ConfigureAwait(false);
        foreach (var count in workers)
        {
            var median = Statistics.Median(seconds[count]);
            await output
                .WriteLineAsync(
                    Invariant(
                        $"| {count} | {median:F2} | {seconds[count].Min():F2} | {seconds[count].Max():F2} | {traces.Count / median:F2} | {Statistics.Median(seconds[workers[0]]) / median:F2} |"
                    )
                )
                .ConfigureAwait(false);
        }
    }

    private static async Task ExtractAsync(IEnumerable<string> traces, string store)
    {
        var program = WorkerProgram.Find();
        using var process = Process.Start(
            new ProcessStartInfo(
                program.File,
                [
                    .. program.Arguments.TakeWhile(argument => argument != WorkerProgram.Command),
                    "extract",
                    .. traces,
                    "--store",
                    store,
                    "--jobs",
                    "1",
                    "--quiet",
                ]
            )
            {
                RedirectStandardOutput = true,
            }
        )!;
        var text = await process.StandardOutput.ReadToEndAsync().ConfigureAwait(false);
        await process.WaitForExitAsync().ConfigureAwait(false);
        if (process.ExitCode != 0)
            throw new InvalidOperationException(text);
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
