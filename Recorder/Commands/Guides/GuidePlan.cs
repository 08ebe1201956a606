using System.Globalization;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Reports.Guides;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Recorder.Commands.Guides;

/// <summary>Plans the steps of a guide.</summary>
/// <param name="level">How much to measure.</param>
/// <param name="suite">Options of the suite that the command line gives.</param>
/// <param name="runtimes">Runtimes that the command line names; empty for those of the level.</param>
/// <param name="machine">The machine.</param>
internal sealed class GuidePlan(GuideLevel level, SuiteOptions suite, IReadOnlyList<RuntimeTarget> runtimes, RuntimeMachine machine)
{
    private const string Record = "record";

    private readonly IReadOnlyList<string> _serializers = GuideEstimate.Available(suite);

    /// <summary>Steps that are not planned.</summary>
    public List<GuideLeftOut> LeftOut { get; } = [];

    /// <summary>Parts of planned steps that this machine lacks, one line each.</summary>
    public List<string> Notes { get; } = [];

    private bool IsQuick => level == GuideLevel.Quick;

    /// <summary>Plans.</summary>
    public IReadOnlyList<GuideStep> Steps()
    {
        var (runs, firstCalls) = IsQuick ? (4, 3) : (8, 5);
        var estimate = new GuideEstimate(Math.Max(1, _serializers.Count));
        List<GuideStep> steps =
        [
            Recorded(
                GuideKeys.Throughput,
                "time by object count, causes, GCs, allocation",
                ["-n", Counts(ObjectCounts), "-runs", Counts([runs])],
                estimate.Runs(ObjectCounts, runs)
            ),
            Recorded(
                GuideKeys.FirstCalls,
                "first calls, each in a new process",
                ["-test", "firstcall", "-runs", Counts([firstCalls]), "--startup", "assemblies", .. Precompiled],
                estimate.FirstCalls(firstCalls, Precompiled.Any())
            ),
        ];
        var threads = Threads();
        if (threads.Count > 1)
            steps.Add(
                Recorded(
                    GuideKeys.Threads,
                    "time on several threads",
                    ["-n", Counts([Count]), "-runs", Counts([runs]), "-threads", Counts(threads)],
                    estimate.Runs([Count], runs, threads)
                )
            );
        else
            LeftOut.Add(new(GuideKeys.Threads, "this machine has one processor", "make the guide on a machine with several"));
        steps.AddRange(Scenarios(estimate));
        var targets = Targets();
        if (targets.Count > 1)
        {
            var names = string.Join(',', targets.Select(target => target.Name));
            string[] arguments = [Record, "--runtime", names, .. Chosen, "-n", Counts([Count]), "-runs", Counts([runs])];
            steps.Add(
                new GuideStep(GuideKeys.Runtimes, "the same on each runtime", arguments)
                {
                    EstimatedSeconds = Rounded(estimate.Runtimes(targets, Count, runs)),
                }
            );
        }

        // After the runtimes, so that features are tried in the program that they published for NativeAOT.
        string[] features = ["features", .. OneRuntime, .. Serializers, .. Plugins, "--format", "csv"];
        steps.Add(new GuideStep(GuideKeys.Features, "features by trying", features) { EstimatedSeconds = Rounded(estimate.Features) });
        return steps;
    }

    /// <summary>The scenarios, but for those about serializers that the selection leaves out.</summary>
    private IEnumerable<GuideStep> Scenarios(GuideEstimate estimate)
    {
        foreach (var scenario in ScenarioCatalog.All)
        {
            var key = GuideKeys.ScenarioPrefix + scenario.Name;
            var readsChoice = scenario.Options.Contains(SuiteOptionSet.SerializerName);
            if (scenario.Serializers.Count > 0 && !scenario.Serializers.Any(name => GuideEstimate.IsChosen(suite, name)))
                LeftOut.Add(
                    new(
                        key,
                        $"it is about {string.Join(", ", scenario.Serializers)}, which {SuiteOptionSet.SerializerName} leaves out",
                        Alone()
                    )
                );
            else if (readsChoice && _serializers.Count == 0)
                LeftOut.Add(new(key, $"{SuiteOptionSet.SerializerName} chooses none of the suite's serializers", Alone()));
            else
            {
                string[] arguments =
                [
                    Record,
                    .. OneRuntime,
                    SuiteOptionSet.ScenarioName,
                    scenario.Name,
                    .. readsChoice ? Serializers : [],
                    .. Short(scenario.Name),
                ];
                yield return new GuideStep(key, scenario.Sentence, arguments)
                {
                    EstimatedSeconds = Rounded(estimate.Scenario(scenario.Name, Short(scenario.Name).Any())),
                };
            }

            string Alone() => $"esp-record {SuiteOptionSet.ScenarioName} {scenario.Name}";
        }
    }

    /// <summary>A recording with the user's options.</summary>
    private GuideStep Recorded(string key, string what, IEnumerable<string> arguments, double seconds) =>
        new(key, what, [Record, .. OneRuntime, .. Chosen, .. arguments]) { EstimatedSeconds = Rounded(seconds) };

    private static double Rounded(double seconds) => Math.Round(seconds);

    private IReadOnlyList<int> ObjectCounts =>
        suite.ObjectCounts.Count > 0 ? suite.ObjectCounts
        : IsQuick ? [100, 1_000, 10_000, 100_000]
        : [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

    /// <summary>Objects of the steps that measure one count.</summary>
    private int Count =>
        suite.ObjectCounts.Count > 0 ? suite.ObjectCounts[^1]
        : IsQuick ? 10_000
        : 100_000;

    /// <summary>Options of the user that choose serializers and data.</summary>
    private IEnumerable<string> Chosen =>
        [
            .. Serializers,
            .. Plugins,
            .. Option(SuiteOptionSet.DataName, suite.Data.Length > 0 ? Path.GetFullPath(suite.Data) : null),
            .. Option(SuiteOptionSet.PayloadName, suite.PayloadBytes > 0 ? Counts([suite.PayloadBytes]) : null),
            .. Option(SuiteOptionSet.SeedName, suite.Seed is { } seed ? Counts([seed]) : null),
        ];

    private IEnumerable<string> Serializers =>
        Option(SuiteOptionSet.SerializerName, suite.Serializers.Count > 0 ? string.Join(',', suite.Serializers) : null);

    private IEnumerable<string> Plugins => suite.Plugins.SelectMany(plugin => Option(SuiteOptionSet.PluginName, Path.GetFullPath(plugin)));

    /// <summary>The runtime of all steps but the one that compares runtimes: the first one named.</summary>
    private IEnumerable<string> OneRuntime =>
        Option("--runtime", runtimes.Count > 0 && runtimes[0] != RuntimeTarget.Net10 ? runtimes[0].Name : null);

    private static string[] Option(string name, string? value) => value is null ? [] : [name, value];

    /// <summary>Both variants of first calls; publishing takes minutes, so a quick guide records the one that exists.</summary>
    private IEnumerable<string> Precompiled => IsQuick || !machine.HasSdk ? [] : ["--precompile", "both"];

    /// <summary>Short limits for the two scenarios that take as long as they may.</summary>
    private IEnumerable<string> Short(string scenario) =>
        !IsQuick
            ? []
            : scenario switch
            {
                "contention" => [SuiteOptionSet.SecondsName, "1"],
                "large" => [SuiteOptionSet.SecondsName, "20"],
                _ => [],
            };

    /// <summary>1, 2, 4 … up to the number of processors.</summary>
    private static List<int> Threads()
    {
        var counts = new List<int> { 1 };
        while (counts[^1] * 2 <= Environment.ProcessorCount)
            counts.Add(counts[^1] * 2);
        return counts;
    }

    private IReadOnlyList<RuntimeTarget> Targets()
    {
        if (runtimes.Count > 0)
        {
            if (runtimes.Count == 1)
                LeftOutRuntimes($"--runtime names only {runtimes[0].Name}", NameRuntimes);
            return runtimes;
        }

        if (suite.Plugins.Count > 0 || suite.Data.Length > 0)
        {
            LeftOutRuntimes("NativeAOT loads no assemblies of your own", NameRuntimes);
            return [];
        }

        if (!machine.HasSdk)
        {
            LeftOutRuntimes("publishing the suite for another one needs the .NET SDK", "install it: https://dot.net");
            return [];
        }

        List<RuntimeTarget> targets = [RuntimeTarget.Net10];
        if (!IsQuick)
            targets.Add(RuntimeTarget.Net8);
        if (machine.IsWindows || machine.Linker is not null)
            targets.Add(RuntimeTarget.Net10Aot);
        else if (IsQuick)
            LeftOutRuntimes("NativeAOT is not measured: it needs a linker", $"install clang or gcc, or {NameRuntimes}");
        else
            Notes.Add("NativeAOT is not measured: it needs a linker, clang or gcc");
        if (!IsQuick && machine.IsWindows)
            targets.Add(RuntimeTarget.Net472);
        else if (!IsQuick && machine.Mono is not null)
            targets.Add(RuntimeTarget.Mono);
        return targets;
    }

    private const string NameRuntimes = "name runtimes to compare: esp-record guide --runtime net10.0,net8.0";

    private void LeftOutRuntimes(string reason, string fix) => LeftOut.Add(new(GuideKeys.Runtimes, reason, fix));

    private static string Counts(IEnumerable<int> counts) =>
        string.Join(',', counts.Select(count => count.ToString(CultureInfo.InvariantCulture)));
}
