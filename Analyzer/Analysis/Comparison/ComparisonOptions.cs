using EtwSerializerProfiler.Analysis.Cpu;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Options of a comparison.</summary>
public sealed record ComparisonOptions
{
    /// <summary>Share of comparisons of equal sides that may report a difference: 0.05 gives 95 % intervals.</summary>
    public double SignificanceLevel { get; init; } = 0.05;

    /// <summary>Probability of finding a difference as large as the one to resolve; the verdict is "same" only if it is reached.</summary>
    public double Power { get; init; } = 0.9;

    /// <summary>Relative difference of wall time to resolve; null for the default of each <see cref="Metric"/>.</summary>
    public double? Resolve { get; init; }

    /// <summary>
    /// Assumed relative standard deviation of times between processes, for sides with a single process, whose data cannot show it. Measured
    /// over pairs of recordings of one build (docs/internals/comparison-study.md).
    /// </summary>
    public double AssumedBetween { get; init; } = 0.04;

    /// <summary>Whether disturbed runs (<see cref="Disturbance"/>) count, too.</summary>
    public bool KeepDisturbedRuns { get; init; }

    /// <summary>Whether a row is compared by disturbed runs if a side has no others; else the row has no run to compare.</summary>
    public bool FallBackToDisturbedRuns { get; init; }

    /// <summary>Whether to multiply times of the other side by the ratio of the machines' speeds.</summary>
    public bool Normalize { get; init; }
}

/// <summary>A query for a comparison.</summary>
/// <param name="Filter">Selects the runs.</param>
/// <param name="Options">Options of the comparison.</param>
public sealed record ComparisonQuery(RunFilter Filter, ComparisonOptions Options)
{
    /// <summary>
    /// Groups of causes to subtract from both sides; null for reflection and Activator if the sides' runtimes differ, else none.
    /// </summary>
    public IReadOnlyList<string>? FactorOut { get; init; } = [];
}
