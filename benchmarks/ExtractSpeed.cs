using System.CommandLine;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Stores;
using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Extraction.Workers;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>Speed and memory of extracting traces into a store, with one and with several worker processes.</summary>
internal static class ExtractSpeed
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(50);

    public static Command Create()
    {
        var traces = CommonOptions.Traces();
        var jobs = new Option<string>("--jobs")
        {
            Description = "Numbers of worker processes to compare, with commas.",
            DefaultValueFactory = _ => "1,2",
        };
        var repetitions = CommonOptions.FewRepetitions();
        var command = new Command(
            "extract-speed",
            "MB/s from traces to rows of a store with one worker process and with several, and their memory."
        )
        {
            traces,
            jobs,
            repetitions,
        };
        command.SetAction(
            (parsed, _) =>
                RunAsync(
                    parsed.GetValue(traces)!,
                    [.. parsed.GetValue(jobs)!.Split(',').Select(text => int.Parse(text, CultureInfo.InvariantCulture))],
                    parsed.GetValue(repetitions),
                    Console.Out
                )
        );
        return command;
    }

    /// <summary>Extracts the same traces into new stores, with each number of processes in turn.</summary>
    /// <param name="paths">Traces. A fair comparison takes traces of equal size, at least twice as many as processes.</param>
    /// <param name="jobs">Numbers of worker processes; the others are compared with the first.</param>
    /// <param name="repetitions">Rounds.</param>
    /// <param name="output">Where the result is printed.</param>
    private static async Task RunAsync(IReadOnlyList<string> paths, IReadOnlyList<int> jobs, int repetitions, TextWriter output)
    {
        var results = jobs.ToDictionary(count => count, _ => new List<(ExtractSummary Summary, double CpuSeconds, double PeakMegabytes)>());
        for (var repetition = 0; repetition < repetitions; repetition++)
        {
            foreach (var count in jobs)
                results[count].Add(Measure(paths, count));
        }

        var first = results[jobs[0]];
        var summary = first[0].Summary;
        await output
            .WriteLineAsync(
                Invariant(
                    $"{summary.New} traces, {summary.Bytes / 1e6:F0} MB, {summary.Failed.Count} failed; {summary.Rows:N0} rows, store of {summary.StoreBytes / 1e6:F1} MB; {repetitions} rounds"
                )
            )
            .ConfigureAwait(false);
        await output
            .WriteLineAsync(
                "| processes | s median | MB/s median | min | max | times as fast as the first row | peak MB of a process | CPU s, all processes |"
            )
            .ConfigureAwait(false);
        await output.WriteLineAsync("|---:|---:|---:|---:|---:|---:|---:|---:|").ConfigureAwait(false);
        foreach (var count in jobs)
        {
            var rates = results[count].ConvertAll(item => item.Summary.Bytes / 1e6 / item.Summary.Elapsed.TotalSeconds);
            var ratios = results[count].Zip(first, (item, one) => one.Summary.Elapsed / item.Summary.Elapsed).ToList();
            await output
                .WriteLineAsync(
                    Invariant(
                        $"| {count} | {Statistics.Median(results[count].ConvertAll(item => item.Summary.Elapsed.TotalSeconds)):F2} | {Statistics.Median(rates):F0} | {rates.Min():F0} | {rates.Max():F0} | {Statistics.Median(ratios):F2} | {results[count].Max(item => item.PeakMegabytes):F0} | {Statistics.Median(results[count].ConvertAll(item => item.CpuSeconds)):F1} |"
                    )
                )
                .ConfigureAwait(false);
        }
    }

    private static (ExtractSummary Summary, double CpuSeconds, double PeakMegabytes) Measure(IReadOnlyList<string> paths, int jobs)
    {
        var folder = Directory.CreateTempSubdirectory("extract-speed-");
        try
        {
            var peak = 0L;
            var ticks = new Dictionary<string, long>();
            using var watch = new Timer(_ => Look(ref peak, ticks), null, s_look, s_look);
            var summary = ExtractRun.Run(
                new ExtractRequest(paths, new StoreAddress(StoreKind.Sqlite, Path.Combine(folder.FullName, "speed.db"), ""))
                {
                    Jobs = jobs,
                },
                WorkerProgram.Find(),
                null,
                CancellationToken.None
            );
            lock (ticks)
                return (summary, ticks.Values.Sum() / 100.0, peak / 1e6);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    /// <summary>
    /// Updates peak memory and processor time of the worker processes, which Linux reports for this process's children. Other systems
    /// report nothing.
    /// </summary>
    private static void Look(ref long peak, Dictionary<string, long> ticks)
    {
        if (!OperatingSystem.IsLinux())
            return;
        lock (ticks)
        {
            foreach (var child in Directory.GetDirectories("/proc/self/task").SelectMany(Children))
            {
                try
                {
                    var line = File.ReadLines($"/proc/{child}/status")
                        .FirstOrDefault(line => line.StartsWith("VmHWM:", StringComparison.Ordinal));
                    if (line is null)
                        continue;
                    peak = Math.Max(
                        peak,
                        long.Parse(line["VmHWM:".Length..].Replace("kB", "", StringComparison.Ordinal), CultureInfo.InvariantCulture) * 1024
                    );
                    var stat = File.ReadAllText($"/proc/{child}/stat");
                    var fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
                    ticks[child] =
                        long.Parse(fields[11], CultureInfo.InvariantCulture) + long.Parse(fields[12], CultureInfo.InvariantCulture);
                }
                catch (Exception exception) when (exception is IOException or FormatException)
                {
                    // The process has ended.
                }
            }
        }
    }

    private static string[] Children(string task)
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, "children")).Split(' ', StringSplitOptions.RemoveEmptyEntries);
        }
        catch (IOException)
        {
            return []; // the thread has ended
        }
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
