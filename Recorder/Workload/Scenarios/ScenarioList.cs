using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>From the name of a scenario to what runs it.</summary>
public static class ScenarioList
{
    /// <summary>Creates a scenario.</summary>
    /// <param name="name">One of <see cref="ScenarioCatalog.All"/>.</param>
    /// <param name="options">Sizes that were asked for.</param>
    public static Scenario Create(string name, SuiteOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        var counts = options.ObjectCounts.Count > 0 ? options.ObjectCounts : null;
        return name switch
        {
            "base64-crlf" => new Base64Scenario(),
            "contention" => new ContentionScenario(TimeSpan.FromSeconds(options.Seconds ?? ContentionScenario.DefaultSeconds), counts?[0] ?? ContentionScenario.DefaultObjects, options.Threads.SequenceEqual(SuiteOptions.DefaultThreads) ? null : options.Threads),
            "quadratic" => new QuadraticScenario(counts),
            "graph" => new GraphScenario(options.Serializers, counts),
            "large" => new LargeScenario(seconds: options.Seconds ?? LargeScenario.DefaultSeconds),
            "gc-heavy" => new CollectionScenario(options.SurvivorMegabytes, options.Runs),
            "exceptions" => new ExceptionScenario(counts?[0] ?? ExceptionScenario.DefaultValues, options.Runs),
            _ => throw new ArgumentOutOfRangeException(nameof(name), name, "Not a scenario."),
        };
    }
}
