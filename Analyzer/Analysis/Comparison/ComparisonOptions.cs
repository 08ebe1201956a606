using EtwSerializerProfiler.Analysis.Cpu;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>How runs are compared.</summary>
public sealed record ComparisonOptions
{
    /// <summary>Share of comparisons of equal sides that may be called different: 0.05 gives 95 % intervals.</summary>
    public double SignificanceLevel { get; init; } = 0.05;

    /// <summary>Share of differences as large as the one to be resolved that are to be found: "same" is said only when this is so.</summary>
    public double Power { get; init; } = 0.9;

    /// <summary>The relative difference of wall time to be resolved; null for that of each <see cref="Metric"/>.</summary>
    public double? Resolve { get; init; }

    /// <summary>
    /// Relative standard deviation of times from process to process where each side is a single process, so that the data do not tell. Measured over pairs of recordings of one build
    /// (docs/internals/comparison-study.md).
    /// </summary>
    public double AssumedBetween { get; init; } = 0.04;

    /// <summary>Runs in which the speed probe was slow (<see cref="Disturbance"/>) count, too.</summary>
    public bool KeepDisturbedRuns { get; init; }

    /// <summary>A row is compared by disturbed runs when one side has no others; else it has no run to compare.</summary>
    public bool FallBackToDisturbedRuns { get; init; }

    /// <summary>Times of the other side are multiplied by the ratio of the machines' speeds.</summary>
    public bool Normalize { get; init; }
}

/// <summary>What is asked of a comparison.</summary>
/// <param name="Filter">Which runs count.</param>
/// <param name="Options">How they are compared.</param>
public sealed record ComparisonQuery(RunFilter Filter, ComparisonOptions Options)
{
    /// <summary>Groups of causes to be taken off both sides; null for reflection and Activator when the sides' runtimes differ, else none.</summary>
    public IReadOnlyList<string>? FactorOut { get; init; } = [];
}
