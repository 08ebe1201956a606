using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Runs of one row of one side, by what runs are alike in.</summary>
/// <param name="Clusters">Runs that are compared, a list for each recording of a side of several, else for each process (<see cref="RunSpread"/>).</param>
/// <param name="Failed">Runs that ended with an exception.</param>
/// <param name="Disturbed">Runs left out because the machine was not theirs alone meanwhile (<see cref="Disturbance"/>).</param>
public sealed record SideRuns(IReadOnlyList<IReadOnlyList<Run>> Clusters, int Failed, int Disturbed)
{
    /// <summary>Whether disturbed runs are compared, as the row has no others.</summary>
    public bool AreDisturbed { get; init; }

    /// <summary>Runs that are compared.</summary>
    public int Count => Clusters.Sum(runs => runs.Count);

    /// <summary>All of them.</summary>
    public IEnumerable<Run> All => Clusters.SelectMany(runs => runs);

    /// <summary>Values of a measure, a list for each cluster; null when a run lacks it, or there are no runs.</summary>
    /// <param name="metric">The measure.</param>
    /// <param name="factor">Factor of all values.</param>
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

    /// <summary>The difference of <see cref="Explanation"/> without these causes; null when none were to be factored out, or CPU samples are missing.</summary>
    public FactoredDifference? Factored { get; init; }

    /// <summary>Whether disturbed runs are compared, because one side has no others.</summary>
    public bool AreDisturbed => Baseline.AreDisturbed || Other.AreDisturbed;
}
