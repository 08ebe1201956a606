using System.CommandLine;
using System.Globalization;
using System.Reflection;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// What recording costs the recorded program: the suite with and without recording, alternating, so that a drift of the machine's speed
/// affects both. The result is the ratio of a run's wall time by the program's own clock, so it excludes the recorder's own time.
/// </summary>
internal static class RecordingCost
{
    public static Command Create()
    {
        var pairs = new Option<int>("--pairs")
        {
            Description = "Pairs of a recorded and an unrecorded suite.",
            DefaultValueFactory = _ => 10,
        };
        var alloc = new Option<AllocationEvents>("--alloc") { Description = "Allocation events of the recorded side." };
        var noKernel = new Option<bool>("--no-kernel") { Description = "Record without a kernel session." };
        var inlineTrees = new Option<bool>("--inline-trees")
        {
            Description = "The recorded side's runtime reports which methods were inlined where (DOTNET_RichDebugInfo=1).",
        };
        var suite = CommonOptions.Suite("-n", "1000,100000", "-runs", "9");
        var command = new Command("recording-cost", "The suite, alternately with and without recording: median ratio of wall times.")
        {
            pairs,
            alloc,
            noKernel,
            inlineTrees,
            suite,
        };
        command.SetAction(
            (parsed, _) =>
                RunAsync(
                    parsed.GetValue(pairs),
                    parsed.GetValue(alloc),
                    parsed.GetValue(noKernel) ? null : PerfEventPlan.Create(PerfEventScope.Launch),
                    parsed.GetValue(inlineTrees),
                    parsed.GetValue(suite)!,
                    Console.Out
                )
        );
        return command;
    }

    /// <summary>Runs the pairs and prints the ratios.</summary>
    /// <param name="pairs">Pairs of a recorded and an unrecorded suite.</param>
    /// <param name="allocation">Allocation events of the recorded side.</param>
    /// <param name="kernel">Kernel session of the recorded side, null for none.</param>
    /// <param name="inlineTrees">Whether the recorded side's runtime reports inlined methods.</param>
    /// <param name="suite">Arguments of the suite.</param>
    /// <param name="output">Where to print.</param>
    private static async Task RunAsync(
        int pairs,
        AllocationEvents allocation,
        PerfEventPlan? kernel,
        bool inlineTrees,
        IReadOnlyList<string> suite,
        TextWriter output
    )
    {
        var root = Directory.CreateTempSubdirectory("esp-cost-").FullName;
        try
        {
            // Wall time of every run by serializer, operation and count, one list per side.
            var plain = new Dictionary<string, List<double>>();
            var recorded = new Dictionary<string, List<double>>();
            var ratios = new List<double>();
            for (var pair = 0; pair < pairs; pair++)
            {
                var folder = Path.Combine(root, $"recording{pair}");
                var csv = Path.Combine(root, $"plain{pair}.csv");
                var plainFirst = pair % 2 == 0;
                if (plainFirst)
                    await RunPlainAsync(suite, csv).ConfigureAwait(false);
                await RecordAsync(
                        suite,
                        folder,
                        EventPipePlan.Create(EventPipePlan.SessionNames, allocation, inlineInfo: inlineTrees),
                        kernel,
                        inlineTrees
                    )
                    .ConfigureAwait(false);
                if (!plainFirst)
                    await RunPlainAsync(suite, csv).ConfigureAwait(false);

                var with = ReadWallTimes(Path.Combine(folder, Recording.RunsFileName));
                var without = ReadWallTimes(csv);
                Add(recorded, with);
                Add(plain, without);
                ratios.Add(
                    Statistics
                        .Median([
                            .. with.Where(entry => without.ContainsKey(entry.Key))
                                .Select(entry => (Statistics.Median(entry.Value) / Statistics.Median(without[entry.Key]))!.Value),
                        ])!
                        .Value
                );
                await output.WriteLineAsync(Invariant($"pair {pair + 1} of {pairs}: median ratio {ratios[^1]:F3}")).ConfigureAwait(false);
            }

            await output.WriteLineAsync().ConfigureAwait(false);
            await output.WriteLineAsync("| run | without ms | recorded ms | ratio |").ConfigureAwait(false);
            await output.WriteLineAsync("|---|---:|---:|---:|").ConfigureAwait(false);
            foreach (var (name, times) in plain)
                await output
                    .WriteLineAsync(
                        Invariant(
                            $"| {name} | {Statistics.Median(times):F2} | {Statistics.Median(recorded[name]):F2} | {Statistics.Median(recorded[name]) / Statistics.Median(times):F3} |"
                        )
                    )
                    .ConfigureAwait(false);
            await output.WriteLineAsync().ConfigureAwait(false);
            await output
                .WriteLineAsync(
                    Invariant(
                        $"recorded / not recorded, {(kernel is null ? "no kernel session" : $"kernel session at {kernel.SampleRateHz} Hz")}, allocation events {allocation}{(inlineTrees ? ", inline trees" : "")}: median {Statistics.Median(ratios):F3}, min {ratios.Min():F3}, max {ratios.Max():F3} over {pairs} pairs"
                    )
                )
                .ConfigureAwait(false);
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
    }

    private static string Workload
    {
        get
        {
            var folder = typeof(RecordingCost)
                .Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
                .Single(attribute => attribute.Key == "RecorderDirectory")
                .Value!;
            return Path.Combine(folder, "workload", OperatingSystem.IsWindows() ? "esp-workload.exe" : "esp-workload");
        }
    }

    private static async Task RunPlainAsync(IReadOnlyList<string> suite, string csv)
    {
        await using var child = ChildProcess.Start(
            [Workload, .. suite, "-csv", csv, "-quiet"],
            Environment.CurrentDirectory,
            new Dictionary<string, string?>(),
            TextWriter.Null
        );
        await child.WaitForExitAsync(CancellationToken.None).ConfigureAwait(false);
        if (child.ExitCode != 0)
            throw new InvalidOperationException($"the suite ended with exit code {child.ExitCode}");
    }

    /// <summary>Records the suite.</summary>
    public static async Task RecordAsync(
        IReadOnlyList<string> suite,
        string folder,
        IReadOnlyList<PlannedSession> sessions,
        PerfEventPlan? kernel,
        bool inlineTrees
    )
    {
        var result = await RecordingRunner
            .RunAsync(
                new RecordOptions
                {
                    Command = [Workload, .. suite, "-csv", Path.Combine(folder, Recording.RunsFileName), "-quiet"],
                    Environment = new Dictionary<string, string?> { ["DOTNET_RichDebugInfo"] = inlineTrees ? "1" : null },
                    Folder = folder,
                    Kernel = kernel,
                    Sessions = sessions,
                    BuiltInSuite = true,
                    FollowAll = true,
                    ToolVersion = "benchmark",
                    Output = TextWriter.Null,
                },
                progress: null,
                CancellationToken.None
            )
            .ConfigureAwait(false);
        if (!result.Recording.Complete || result.ExitCode != 0)
            throw new InvalidOperationException($"the recording failed: {result.Recording.Interruption}");
    }

    private static Dictionary<string, List<double>> ReadWallTimes(string csv)
    {
        var times = new Dictionary<string, List<double>>();
        foreach (var row in RunCsvReader.Read(csv).Rows.Where(row => row.Identity.Kind == RunKind.Measured))
        {
            var name = $"{row.Identity.Serializer} {row.Identity.Operation} {row.Identity.ObjectCount}";
            if (!times.TryGetValue(name, out var list))
                times[name] = list = [];
            list.Add((row.SelfMeasurement.StopTicks - row.SelfMeasurement.StartTicks) * 1e3 / row.SelfMeasurement.TicksPerSecond);
        }

        return times;
    }

    private static void Add(Dictionary<string, List<double>> to, Dictionary<string, List<double>> from)
    {
        foreach (var (name, times) in from)
        {
            if (!to.TryGetValue(name, out var all))
                to[name] = all = [];
            all.AddRange(times);
        }
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
