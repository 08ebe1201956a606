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

    /// <summary>Reasons for steps that are not planned, one line each.</summary>
    public List<string> Notes { get; } = [];

    private bool IsQuick => level == GuideLevel.Quick;

    /// <summary>Plans.</summary>
    public IReadOnlyList<GuideStep> Steps()
    {
        var runs = IsQuick ? "4" : "8";
        List<GuideStep> steps =
        [
            Recorded(GuideKeys.Throughput, "time by object count, causes, GCs, allocation", ["-n", Counts(ObjectCounts), "-runs", runs]),
            Recorded(
                GuideKeys.FirstCalls,
                "first calls, each in a new process",
                ["-test", "firstcall", "-runs", IsQuick ? "3" : "5", "--startup", "assemblies", .. Precompiled]
            ),
        ];
        var threads = Threads();
        if (threads.Count > 1)
            steps.Add(Recorded(GuideKeys.Threads, "time on several threads", ["-n", Count, "-runs", runs, "-threads", Counts(threads)]));
        else
            Notes.Add("thread scaling is not planned: this machine has one processor");
        foreach (var scenario in ScenarioCatalog.All)
        {
            string[] arguments = [Record, .. OneRuntime, SuiteOptionSet.ScenarioName, scenario.Name, .. Short(scenario.Name)];
            steps.Add(new GuideStep(GuideKeys.ScenarioPrefix + scenario.Name, scenario.Sentence, arguments));
        }

        var targets = Targets();
        if (targets.Count > 1)
        {
            var names = string.Join(',', targets.Select(target => target.Name));
            string[] arguments = [Record, "--runtime", names, .. Chosen, "-n", Count, "-runs", runs];
            steps.Add(new GuideStep(GuideKeys.Runtimes, "the same on each runtime", arguments));
        }

        // After the runtimes, so that features are tried in the program that they published for NativeAOT.
        string[] features = ["features", .. OneRuntime, .. Serializers, .. Plugins, "--format", "csv"];
        steps.Add(new GuideStep(GuideKeys.Features, "features by trying", features));
        return steps;
    }

    /// <summary>A recording with the user's options.</summary>
    private GuideStep Recorded(string key, string what, IEnumerable<string> arguments) =>
        new(key, what, [Record, .. OneRuntime, .. Chosen, .. arguments]);

    private IReadOnlyList<int> ObjectCounts =>
        suite.ObjectCounts.Count > 0 ? suite.ObjectCounts
        : IsQuick ? [100, 1_000, 10_000, 100_000]
        : [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

    /// <summary>Objects of the steps that measure one count.</summary>
    private string Count =>
        Counts([
            suite.ObjectCounts.Count > 0 ? suite.ObjectCounts[^1]
            : IsQuick ? 10_000
            : 100_000,
        ]);

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
                Notes.Add($"runtimes are not compared: --runtime names only {runtimes[0].Name}");
            return runtimes;
        }

        if (suite.Plugins.Count > 0 || suite.Data.Length > 0)
        {
            Notes.Add("runtimes are not compared: NativeAOT loads no assemblies of your own; name others with --runtime net10.0,net8.0");
            return [];
        }

        if (!machine.HasSdk)
        {
            Notes.Add("runtimes are not compared: publishing the suite for another one needs the .NET SDK");
            return [];
        }

        List<RuntimeTarget> targets = [RuntimeTarget.Net10];
        if (!IsQuick)
            targets.Add(RuntimeTarget.Net8);
        if (machine.IsWindows || machine.Linker is not null)
            targets.Add(RuntimeTarget.Net10Aot);
        else
            Notes.Add("NativeAOT is not measured: it needs a linker, clang or gcc");
        if (!IsQuick && machine.IsWindows)
            targets.Add(RuntimeTarget.Net472);
        else if (!IsQuick && machine.Mono is not null)
            targets.Add(RuntimeTarget.Mono);
        return targets;
    }

    private static string Counts(IEnumerable<int> counts) =>
        string.Join(',', counts.Select(count => count.ToString(CultureInfo.InvariantCulture)));
}
