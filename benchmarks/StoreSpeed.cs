using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Stores;
using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Queries;
using EtwSerializerProfiler.Stores.Rows;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Named queries on a store of many traces. The traces are copies of one real recording with other times, dates, branches, runtimes and
/// machines.
/// </summary>
internal static class StoreSpeed
{
    private static readonly string[] s_runtimes = [".NET 8.0.20", ".NET 10.0.1"];

    public static Command Create()
    {
        var recording = CommonOptions.Recording();
        var store = new Argument<string>("store")
        {
            Description = "File of the store, or its address; a file that is there is not filled again.",
        };
        var traces = new Option<int>("--traces") { Description = "Traces in it.", DefaultValueFactory = _ => 1000 };
        var repetitions = CommonOptions.Repetitions();
        var command = new Command(
            "store-speed",
            "Time of every named query on a store of many traces, which are one recording with other times, dates and machines."
        )
        {
            recording,
            store,
            traces,
            repetitions,
        };
        command.SetAction(
            (parsed, _) =>
                RunAsync(
                    parsed.GetValue(recording)!,
                    parsed.GetValue(store)!,
                    parsed.GetValue(traces),
                    parsed.GetValue(repetitions),
                    Console.Out
                )
        );
        return command;
    }

    /// <summary>Fills a store unless it is there, and times every named query.</summary>
    /// <param name="recording">A recording.</param>
    /// <param name="file">File of the store.</param>
    /// <param name="traces">Traces in it.</param>
    /// <param name="repetitions">Repetitions of each query.</param>
    /// <param name="output">Where the result is printed.</param>
    private static async Task RunAsync(string recording, string file, int traces, int repetitions, TextWriter output)
    {
        var address = StoreAddress.Parse(StoreAddress.IsStore(file) ? file : "sqlite:" + file);
        if (address.Kind != StoreKind.Sqlite || !File.Exists(address.Place))
            await FillAsync(Path.GetFullPath(recording), address, traces, output).ConfigureAwait(false);
        using (var store = TraceStores.Open(address))
        {
            foreach (var table in StoreSchema.Tables)
                await output.WriteLineAsync($"{table.Name}: {Count(store, table):N0} rows").ConfigureAwait(false);
        }

        if (address.Kind == StoreKind.Sqlite)
            await output
                .WriteLineAsync(string.Create(CultureInfo.InvariantCulture, $"size: {new FileInfo(address.Place).Length / 1e6:F1} MB"))
                .ConfigureAwait(false);
        await output.WriteLineAsync("\n| query | rows | best ms | median ms | worst ms |\n|---|---:|---:|---:|---:|").ConfigureAwait(false);
        foreach (var query in NamedQueries.All)
        {
            var (times, rows) = (new List<double>(), 0);
            for (var i = 0; i < repetitions; i++)
            {
                var watch = Stopwatch.StartNew();
                using var store = TraceStores.Open(address);
                using var reader = store.Query(query.Sql);
                for (rows = 0; reader.Next() is not null; rows++) { }

                times.Add(watch.Elapsed.TotalMilliseconds);
            }

            await output
                .WriteLineAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"| {query.Name} | {rows} | {times.Min():F0} | {Statistics.Median(times):F0} | {times.Max():F0} |"
                    )
                )
                .ConfigureAwait(false);
        }
    }

    private static async Task FillAsync(string recording, StoreAddress address, int traces, TextWriter output)
    {
        var options = new ExtractOptions();
        var unit = new TraceUnit(recording, TraceFormat.Recording);
        var bytes = TraceContent.Read(unit).Bytes;
        var read = TraceExtractor.Read(recording, options);
        using var store = TraceStores.Open(address);
        store.Prepare();
        var watch = Stopwatch.StartNew();
        var random = new Random(1);
        for (var i = 0; i < traces; i++)
        {
            var changed = Changed(read, i, random);
            var identity = new StoredTrace
            {
                Trace = string.Create(
                    CultureInfo.InvariantCulture,
                    $"{unchecked(((ulong)i * 0x9E3779B97F4A7C15) ^ 0x5555555555555555):x16}"
                ),
                ContentHash = string.Create(CultureInfo.InvariantCulture, $"{i:x64}"),
                Name = string.Create(CultureInfo.InvariantCulture, $"/recordings/nightly/{i:0000}"),
                Status = StoredTrace.Extracted,
                Format = unit.FormatName,
                Bytes = bytes,
            };
            store.Replace(
                RowBuilder.Build(
                    changed,
                    identity,
                    options with
                    {
                        Branch = i % 10 == 0 ? "topic" : "main",
                        Commit = string.Create(CultureInfo.InvariantCulture, $"{i:x40}"),
                    }
                )
            );
        }

        await output
            .WriteLineAsync(
                string.Create(CultureInfo.InvariantCulture, $"filled with {traces} traces in {watch.Elapsed.TotalSeconds:F1} s")
            )
            .ConfigureAwait(false);
    }

    /// <summary>
    /// The trace as if it had been recorded at another time, on one of three machines and two runtimes, with other noise.
    /// </summary>
    private static ExtractedTrace Changed(ExtractedTrace trace, int number, Random random)
    {
        var runtime = s_runtimes[number % s_runtimes.Length];
        var speed = 1 + (0.05 * (random.NextDouble() - 0.5));
        var runs = trace
            .Result.Runs.Select(run =>
                run with
                {
                    Runtime = runtime,
                    WallMs = run.WallMs * speed * (1 + (0.1 * (random.NextDouble() - 0.5))),
                }
            )
            .ToList();
        var byProcess = runs.ToLookup(run => run.Process);
        return trace with
        {
            Input = trace.Input with
            {
                Processes = [.. trace.Input.Processes.Select(process => process with { Runtime = runtime })],
                Recordings =
                [
                    .. trace.Input.Recordings.Select(recording =>
                        recording with
                        {
                            Description = recording.Description with
                            {
                                StartedUtc = new DateTime(2024, 1, 1, 3, 0, 0, DateTimeKind.Utc).AddHours(8 * number),
                                Host = recording.Description.Host with
                                {
                                    MachineName = $"machine{number % 3}",
                                    LogicalProcessors = 4 << (number % 3),
                                },
                            },
                        }
                    ),
                ],
            },
            Read = trace.Read with
            {
                Result = trace.Result with
                {
                    Runs = runs,
                    Processes = [.. trace.Result.Processes.Select(process => process with { Runs = [.. byProcess[process.Process]] })],
                    Rows = SummaryRow.Group(runs.Where(run => run.Identity.Kind == RunKind.Measured)),
                    FirstUseRows = SummaryRow.Group(RunAnalysis.FirstUses(runs)),
                },
            },
        };
    }

    private static long Count(ITraceStore store, StoreTable table)
    {
        using var reader = store.Query($"SELECT count(*) FROM {table.Name}");
        return Convert.ToInt64(reader.Next()![0], CultureInfo.InvariantCulture);
    }
}
