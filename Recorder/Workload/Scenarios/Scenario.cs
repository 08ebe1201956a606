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
