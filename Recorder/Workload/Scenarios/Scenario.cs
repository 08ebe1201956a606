using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>A published case as one command: it measures what made the case and says whether it is there on this runtime.</summary>
public abstract class Scenario
{
    /// <summary>Value of <c>-scenario</c>.</summary>
    public abstract string Name { get; }

    /// <summary>What was published, one or two sentences.</summary>
    public abstract string PublishedCase { get; }

    /// <summary>Measures every row and writes it at once; a row that fails is said and the others go on.</summary>
    /// <param name="context">Where to measure and write.</param>
    /// <returns>What was found, by the rows that were measured.</returns>
    public abstract Finding Run(ScenarioContext context);

    /// <summary>The part of a row that runs in a process of its own, started by <see cref="ScenarioContext.RunProcess"/>.</summary>
    /// <param name="context">Where to measure; its output is read by the process that started this one.</param>
    /// <param name="arguments">What the starting process wants.</param>
    public virtual void RunInProcess(ScenarioContext context, IReadOnlyList<string> arguments)
        => throw new NotSupportedException($"{Name} has no rows in processes of their own.");
}

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
