using EtwSerializerProfiler.Analysis.Catalog;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Recorder.Commands.Guides;

/// <summary>
/// Estimates how long the steps of a guide take, from the times of a guide on a quiet machine (docs/internals/guide-times.md). A machine
/// that is slower or busy takes longer; a running guide corrects the estimate by its own times.
/// </summary>
/// <param name="serializers">Number of serializers that take part.</param>
internal sealed class GuideEstimate(double serializers)
{
    /// <summary>Start and end of a recording, with its table.</summary>
    private const double Recording = 3;

    /// <summary>Start of a process that measures one serializer, and its part of the recording.</summary>
    private const double Process = 0.54;

    /// <summary>Warm-up and pauses of one object count or thread count in a process.</summary>
    private const double Count = 0.042;

    /// <summary>A process of a first call.</summary>
    private const double FirstCall = 0.2;

    /// <summary>Writing and reading an object once, with its GC and its part of the trace; a mean over all serializers.</summary>
    private const double Object = 0.7e-6;

    /// <summary>Publishing the suite for another runtime.</summary>
    private const double Publish = 40;

    /// <summary>Publishing the suite for NativeAOT.</summary>
    private const double PublishNative = 57;

    /// <summary>Share of the serializers that run when compiled by NativeAOT.</summary>
    private const double NativeShare = 0.4;

    /// <summary>Warm-up passes over a graph, in each of the processes that share the runs.</summary>
    private const int WarmUps = SuiteOptions.DefaultLaunches;

    /// <summary>Seconds of a recording over object counts and thread counts.</summary>
    public double Runs(IReadOnlyList<int> objects, int runs, IReadOnlyList<int>? threads = null)
    {
        var cells = objects.Count * (threads?.Count ?? 1);

        // Threads beyond one do the same work at the same time, and half of it waits for memory and the collector.
        var work = objects.Sum(count => (double)count) * (threads?.Sum(count => (1 + count) / 2.0) ?? 1) * (runs + WarmUps) * Object;
        return Recording + (serializers * ((SuiteOptions.DefaultLaunches * (Process + (cells * Count))) + work));
    }

    /// <summary>Seconds of first calls.</summary>
    public double FirstCalls(int runs, bool bothVariants) =>
        Recording + (3 * serializers * runs * FirstCall * (bothVariants ? 2 : 1)) + (bothVariants ? Publish : 0);

    /// <summary>Seconds of the same runs on several runtimes, published before.</summary>
    public double Runtimes(IReadOnlyList<RuntimeTarget> targets, int objects, int runs) =>
        targets.Sum(target =>
            target == RuntimeTarget.Net10 ? Runs([objects], runs)
            : target == RuntimeTarget.Net10Aot ? new GuideEstimate(serializers * NativeShare).Runs([objects], runs) + PublishNative
            : Runs([objects], runs) + Publish
        );

    /// <summary>Seconds of the trials of features.</summary>
    public double Features => 2 + (0.6 * serializers);

    /// <summary>Seconds of a scenario.</summary>
    public double Scenario(string name, bool isShort) =>
        name switch
        {
            "large" => isShort ? 22 : 100,
            "contention" => isShort ? 14 : 24,
            "graph" => 5 + (0.5 * serializers),
            _ => 12,
        };

    /// <summary>Names of the serializers that this build has and a selection chooses.</summary>
    public static IReadOnlyList<string> Available(SuiteOptions suite)
    {
        var adapters = Path.Combine(AppContext.BaseDirectory, "workload", "adapters");
        var missing = AdapterCatalog
            .All.Where(entry => !Has(AdapterCatalog.ModuleOf(entry)))
            .Select(entry => entry.Name)
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
        return [.. SuiteCompletions.Serializers().Where(name => !missing.Contains(name) && IsChosen(suite, name))];

        bool Has(string module) => File.Exists(Path.Combine(adapters, module[(module.LastIndexOf('.') + 1)..], module + ".dll"));
    }

    /// <summary>Whether a selection of serializers has this one.</summary>
    public static bool IsChosen(SuiteOptions suite, string name) =>
        suite.Serializers.Count == 0 || suite.Serializers.Any(pattern => pattern.Matches(name));
}
