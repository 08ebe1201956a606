using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Runs of one row of one side, by cluster.</summary>
/// <param name="Clusters">
/// Compared runs, one list per recording for a side with several, else per process (<see cref="RunSpread"/>).
/// </param>
/// <param name="Failed">Number of runs that ended with an exception.</param>
/// <param name="Disturbed">Number of excluded disturbed runs (<see cref="Disturbance"/>).</param>
public sealed record SideRuns(IReadOnlyList<IReadOnlyList<Run>> Clusters, int Failed, int Disturbed)
{
    /// <summary>Whether disturbed runs are compared because the row has no others.</summary>
    public bool AreDisturbed { get; init; }

    /// <summary>Number of compared runs.</summary>
    public int Count => Clusters.Sum(runs => runs.Count);

    /// <summary>All compared runs.</summary>
    public IEnumerable<Run> All => Clusters.SelectMany(runs => runs);

    /// <summary>Values of a measure, one list per cluster; null when a run lacks it, or when there are no runs.</summary>
    /// <param name="metric">The measure.</param>
    /// <param name="factor">Factor for all values.</param>
    public IReadOnlyList<double[]>? Values(Metric metric, double factor = 1)
    {
        ArgumentNullException.ThrowIfNull(metric);
        var all = new List<double[]>(Clusters.Count);
        foreach (var runs in Clusters)
        {
            var values = new double[runs.Count];
            for (var i = 0; i < values.Length; i++)
            {
                if (metric.Value(runs[i]) is not { } value)
                    return null;
                values[i] = value * factor;
            }

            all.Add(values);
        }

        return all.Count > 0 ? all : null;
    }
}

/// <summary>A row that exists on both sides.</summary>
/// <param name="Key">Key of the row; without the runtime, unless rows of both sides are distinguished by it.</param>
/// <param name="Baseline">Runs of base.</param>
/// <param name="Other">Runs of the other side.</param>
/// <param name="Metrics">All comparisons, in the order of <see cref="Metric.All"/>.</param>
public sealed record ComparedPair(SummaryKey Key, SideRuns Baseline, SideRuns Other, IReadOnlyList<MetricComparison> Metrics)
{
    /// <summary>Wall time.</summary>
    public MetricComparison Wall => Metrics[0];

    /// <summary>Breakdown of the difference; null when nothing recorded explains it.</summary>
    public Explanation? Explanation { get; init; }

    /// <summary>Wall time without the factored-out causes; null when there are none.</summary>
    public MetricComparison? Without { get; init; }

    /// <summary>
    /// The difference of <see cref="Explanation"/> without these causes; null when there are none, or when CPU samples are missing.
    /// </summary>
    public FactoredDifference? Factored { get; init; }

    /// <summary>Whether disturbed runs are compared because one side has no others.</summary>
    public bool AreDisturbed => Baseline.AreDisturbed || Other.AreDisturbed;
}
