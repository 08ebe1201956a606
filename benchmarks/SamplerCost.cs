using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Analysis;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Cost of each source of CPU samples: threads that only read the clock, without a sampler, by perf events and by ptrace, alternating, so
/// that a drift of the machine's speed affects all. The missing readings are the sampler's cost, by using their processors or by stopping
/// them.
/// </summary>
internal static class SamplerCost
{
    private static readonly string[] s_samplers = ["none", "perf", "ptrace"];

    public static Command Create()
    {
        var rounds = CommonOptions.Repetitions();
        var threads = new Option<int[]>("--threads")
        {
            Description = "Numbers of busy threads.",
            AllowMultipleArgumentsPerToken = true,
            DefaultValueFactory = _ => [1, 8],
        };
        var milliseconds = new Option<int>("--ms") { Description = "How long they read the clock.", DefaultValueFactory = _ => 6000 };
        var command = new Command(
            "sampler-cost",
            "Busy threads, alternately without CPU samples, sampled by perf events and by ptrace: the time they lose, and how long they stop."
        )
        {
            rounds,
            threads,
            milliseconds,
        };
        command.SetAction(
            (parsed, cancellation) =>
                RunAsync(parsed.GetValue(rounds), parsed.GetValue(threads)!, parsed.GetValue(milliseconds), Console.Out, cancellation)
        );
        return command;
    }

    private static async Task RunAsync(int rounds, int[] threadCounts, int milliseconds, TextWriter output, CancellationToken cancellation)
    {
        var root = Directory.CreateTempSubdirectory("esp-sampler-").FullName;
        try
        {
            await output
                .WriteLineAsync("| threads | sampler | lost %, median (quartiles) | gaps, µs: median | p99 | sampler's CPU % |")
                .ConfigureAwait(false);
            await output.WriteLineAsync("|---:|---|---:|---:|---:|---:|").ConfigureAwait(false);
            foreach (var count in threadCounts)
            {
                var readings = s_samplers.ToDictionary(sampler => sampler, _ => new List<Reading>());
                for (var round = 0; round < rounds; round++)
                {
                    for (var turn = 0; turn < s_samplers.Length; turn++)
                    {
                        var sampler = s_samplers[(round + turn) % s_samplers.Length];
                        readings[sampler]
                            .Add(
                                await ReadAsync(sampler, Path.Combine(root, "r"), milliseconds, count, cancellation).ConfigureAwait(false)
                            );
                    }
                }

                foreach (var (sampler, taken) in readings)
                    await output.WriteLineAsync(Row(count, sampler, taken, readings["none"])).ConfigureAwait(false);
            }
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
    }

    private static string Row(int threads, string sampler, List<Reading> taken, List<Reading> without)
    {
        var lost = taken.Zip(without, (with, none) => (1 - (with.Count / none.Count)) * 100).Order().ToList();
        var own = Statistics.Median([.. taken.Select(reading => reading.SamplerPercent).OfType<double>()]);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"| {threads} | {sampler} | {Statistics.Median(lost):F1} ({lost[lost.Count / 4]:F1} to {lost[lost.Count * 3 / 4]:F1}) | {Statistics.Median([.. taken.Select(reading => reading.Gap)]):F0} | {Statistics.Median([.. taken.Select(reading => reading.Gap99)]):F0} | {own:F1} |"
        );
    }

    /// <summary>Runs the program, recorded only by that sampler, and returns its output.</summary>
    private static async Task<Reading> ReadAsync(
        string sampler,
        string folder,
        int milliseconds,
        int threads,
        CancellationToken cancellation
    )
    {
        var program = new[] { SuiteRecordings.File("TestProgramDirectory", "TestProgram"), "clock", $"{milliseconds}", $"{threads}" };
        string[] command =
            sampler == "none"
                ? program
                :
                [
                    SuiteRecordings.File("RecorderDirectory", "esp-record"),
                    "--sampler",
                    sampler,
                    "--sessions",
                    "perf",
                    "--no-analyze",
                    "--quiet",
                    "--out",
                    folder,
                    "--",
                    .. program,
                ];
        using var process = Process.Start(new ProcessStartInfo(command[0], command[1..]) { RedirectStandardOutput = true })!;
        var own = sampler == "ptrace" ? SamplerPercentAsync(process, cancellation) : Task.FromResult<double?>(null);
        var words = (await process.StandardOutput.ReadToEndAsync(cancellation).ConfigureAwait(false)).Split(
            (char[]?)null,
            StringSplitOptions.RemoveEmptyEntries
        );
        await process.WaitForExitAsync(cancellation).ConfigureAwait(false);
        if (Directory.Exists(folder))
            Directory.Delete(folder, recursive: true);
        return words is ["readings", var count, "gaps", _, "median", var gap, "p99", var gap99]
            ? new Reading(Number(count), Number(gap), Number(gap99), await own.ConfigureAwait(false))
            : throw new InvalidOperationException($"{string.Join(' ', command)} printed: {string.Join(' ', words)}");

        static double Number(string word) => double.Parse(word, CultureInfo.InvariantCulture);
    }

    /// <summary>Share of a processor that the sampler takes while the program reads; null when it did not last a second.</summary>
    private static async Task<double?> SamplerPercentAsync(Process recorder, CancellationToken cancellation)
    {
        const int Between = 1000;
        try
        {
            int sampler;
            while (!IsSampling(recorder.Id, out sampler))
                await Task.Delay(50, cancellation).ConfigureAwait(false);
            await Task.Delay(Between / 2, cancellation).ConfigureAwait(false); // its own start
            var (before, since) = (Nanoseconds(sampler), Stopwatch.GetTimestamp());
            await Task.Delay(Between, cancellation).ConfigureAwait(false);
            return (Nanoseconds(sampler) - before) / Stopwatch.GetElapsedTime(since).TotalNanoseconds * 100;
        }
        catch (IOException)
        {
            return null;
        }
    }

    /// <summary>Whether the recorder's sampler has started its program.</summary>
    private static bool IsSampling(int recorder, out int sampler)
    {
        sampler = Children(recorder).Find(IsSampler);
        return sampler != 0 && Children(sampler).Count > 0;

        static bool IsSampler(int child) =>
            File.Exists($"/proc/{child}/cmdline")
            && File.ReadAllText($"/proc/{child}/cmdline").Contains("ptrace-sampler", StringComparison.Ordinal);
    }

    private static List<int> Children(int process)
    {
        var children = new List<int>();
        foreach (var task in Directory.GetDirectories($"/proc/{process}/task"))
        {
            try
            {
                children.AddRange(
                    File.ReadAllText(Path.Combine(task, "children"))
                        .Split(' ', StringSplitOptions.RemoveEmptyEntries)
                        .Select(id => int.Parse(id, CultureInfo.InvariantCulture))
                );
            }
            catch (IOException)
            {
                // The thread has ended.
            }
        }

        return children;
    }

    private static double Nanoseconds(int process) =>
        double.Parse(File.ReadAllText($"/proc/{process}/schedstat").Split(' ')[0], CultureInfo.InvariantCulture);

    /// <summary>Result of a round.</summary>
    /// <param name="Count">Readings of the clock.</param>
    /// <param name="Gap">Gap between two readings in the median, in µs.</param>
    /// <param name="Gap99">At the 99th percentile.</param>
    /// <param name="SamplerPercent">Share of a processor that the sampler took.</param>
    private sealed record Reading(double Count, double Gap, double Gap99, double? SamplerPercent);
}
