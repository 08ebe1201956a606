using System.CommandLine;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// What startup events add to a recorded first call: the suite's first calls recorded without them, with each kind alone and with all,
/// alternating, so that a drift of the machine's speed affects all. Times are by the program's own clock.
/// </summary>
internal static class StartupCost
{
    private static readonly StartupEvents[] s_kinds =
    [
        StartupEvents.None,
        StartupEvents.Assemblies,
        StartupEvents.Types,
        StartupEvents.Precompiled,
        StartupEvents.All,
    ];

    public static Command Create()
    {
        var rounds = new Option<int>("--rounds")
        {
            Description = "Rounds of one recording for each kind of events.",
            DefaultValueFactory = _ => 5,
        };
        var suite = CommonOptions.Suite(
            "-test",
            "firstcall",
            "-runs",
            "3",
            "-serializer",
            "#XmlSerializer,#SystemTextJson,#Newtonsoft.Json"
        );
        var command = new Command("startup-cost", "First calls, recorded alternately without and with the events that show their parts.")
        {
            rounds,
            suite,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(rounds), parsed.GetValue(suite)!, Console.Out));
        return command;
    }

    /// <summary>
    /// Records and prints a median per series and kind, and the median of the rounds' ratios to the recording without such events.
    /// </summary>
    /// <param name="rounds">Rounds of one recording per kind.</param>
    /// <param name="suite">Arguments of the suite.</param>
    /// <param name="output">Where to print.</param>
    private static async Task RunAsync(int rounds, IReadOnlyList<string> suite, TextWriter output)
    {
        var root = Directory.CreateTempSubdirectory("esp-startup-").FullName;
        try
        {
            var times = s_kinds.ToDictionary(kind => kind, _ => new Dictionary<string, List<double>>());
            var ratios = s_kinds.ToDictionary(kind => kind, _ => new List<double>());
            for (var round = 0; round < rounds; round++)
            {
                var medians = new Dictionary<StartupEvents, Dictionary<string, double>>();
                foreach (var kind in s_kinds.Select((_, index) => s_kinds[(index + round) % s_kinds.Length]))
                {
                    var folder = Path.Combine(root, $"{round}-{kind}");
                    await RecordingCost
                        .RecordAsync(
                            suite,
                            folder,
                            EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None, inlineInfo: false, startup: kind),
                            null,
                            inlineTrees: false
                        )
                        .ConfigureAwait(false);
                    medians[kind] = [];
                    foreach (
                        var series in RunCsvReader
                            .Read(Path.Combine(folder, "runs.csv"))
                            .Rows.Where(row => row.Identity.Kind == RunKind.FirstCall)
                            .GroupBy(row => $"{row.Identity.Serializer} {row.Identity.Operation}")
                    )
                    {
                        var milliseconds = series
                            .Select(row =>
                                (row.SelfMeasurement.StopTicks - row.SelfMeasurement.StartTicks) * 1e3 / row.SelfMeasurement.TicksPerSecond
                            )
                            .ToList();
                        medians[kind][series.Key] = Statistics.Median(milliseconds)!.Value;
                        if (!times[kind].TryGetValue(series.Key, out var all))
                            times[kind][series.Key] = all = [];
                        all.AddRange(milliseconds);
                    }

                    Directory.Delete(folder, recursive: true);
                }

                foreach (var kind in s_kinds)
                    ratios[kind]
                        .AddRange(
                            medians[kind]
                                .Where(entry => medians[StartupEvents.None][entry.Key] > 0.5)
                                .Select(entry => entry.Value / medians[StartupEvents.None][entry.Key])
                        );
            }

            await output
                .WriteLineAsync($"| first call | {string.Join(" | ", s_kinds.Select(kind => $"{kind} ms"))} |")
                .ConfigureAwait(false);
            await output.WriteLineAsync($"|---{string.Concat(s_kinds.Select(_ => "|---:"))}|").ConfigureAwait(false);
            foreach (var series in times[StartupEvents.None].Keys)
                await output
                    .WriteLineAsync(
                        $"| {series} | {string.Join(" | ", s_kinds.Select(kind => Invariant($"{Statistics.Median(times[kind][series]):F2}")))} |"
                    )
                    .ConfigureAwait(false);
            await output.WriteLineAsync().ConfigureAwait(false);
            foreach (var kind in s_kinds.Where(kind => kind != StartupEvents.None && ratios[kind].Count > 0))
                await output
                    .WriteLineAsync(
                        Invariant(
                            $"{kind}: median ratio to none {Statistics.Median(ratios[kind]):F3}, min {ratios[kind].Min():F3}, max {ratios[kind].Max():F3} over {ratios[kind].Count} series of {rounds} rounds"
                        )
                    )
                    .ConfigureAwait(false);
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
