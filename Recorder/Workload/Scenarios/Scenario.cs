using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>A published case as one command: measures its conditions and concludes whether it is present on this runtime.</summary>
public abstract class Scenario
{
    /// <summary>Value of <c>-scenario</c>.</summary>
    public abstract string Name { get; }

    /// <summary>Description of the published case in one or two sentences.</summary>
    public abstract string PublishedCase { get; }

    /// <summary>Measures each row and writes it at once; reports a failing row and continues with the others.</summary>
    /// <param name="context">Clock and output.</param>
    /// <returns>The conclusion from the measured rows.</returns>
    public abstract Finding Run(ScenarioContext context);

    /// <summary>The part of a row that runs in a separate process, started by <see cref="ScenarioContext.RunProcess"/>.</summary>
    /// <param name="context">Clock and output; the starting process reads the output.</param>
    /// <param name="arguments">Arguments of the starting process.</param>
    public virtual void RunInProcess(ScenarioContext context, IReadOnlyList<string> arguments) =>
        throw new NotSupportedException($"{Name} has no rows in processes of their own.");
}

/// <summary>Creates scenarios by name.</summary>
public static class ScenarioList
{
    /// <summary>Creates a scenario.</summary>
    /// <param name="name">One of <see cref="ScenarioCatalog.All"/>.</param>
    /// <param name="options">The options with sizes.</param>
    public static Scenario Create(string name, SuiteOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        var counts = options.ObjectCounts.Count > 0 ? options.ObjectCounts : null;
        return name switch
        {
            "base64-crlf" => new Base64Scenario(),
            "contention" => new ContentionScenario(
                TimeSpan.FromSeconds(options.Seconds ?? ContentionScenario.DefaultSeconds),
                counts?[0] ?? ContentionScenario.DefaultObjects,
                options.Threads.SequenceEqual(SuiteOptions.DefaultThreads) ? null : options.Threads
            ),
            "quadratic" => new QuadraticScenario(counts),
            "graph" => new GraphScenario(options.Serializers, counts),
            "large" => new LargeScenario(seconds: options.Seconds ?? LargeScenario.DefaultSeconds),
            "gc-heavy" => new GcScenario(options.SurvivorMegabytes, options.Runs),
            "exceptions" => new ExceptionScenario(counts?[0] ?? ExceptionScenario.DefaultValues, options.Runs),
            _ => throw new ArgumentOutOfRangeException(nameof(name), name, "Not a scenario."),
        };
    }
}
