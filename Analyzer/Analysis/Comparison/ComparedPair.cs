using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>A row that both sides have.</summary>
/// <param name="Key">What its runs have in common; without the runtime, unless rows of both sides are told apart by it.</param>
/// <param name="Baseline">Runs of the first side.</param>
/// <param name="Other">Runs of the other side.</param>
/// <param name="Metrics">Each measure compared, in the order of <see cref="Metric.All"/>.</param>
public sealed record ComparedPair(SummaryKey Key, SideRuns Baseline, SideRuns Other, IReadOnlyList<MetricComparison> Metrics)
{
    /// <summary>Wall time.</summary>
    public MetricComparison Wall => Metrics[0];

    /// <summary>What the difference is made of; null when nothing recorded tells.</summary>
    public Explanation? Explanation { get; init; }

    /// <summary>Wall time without the causes that were to be factored out; null when none were.</summary>
    public MetricComparison? Without { get; init; }
}
