using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Runs of one row of one side, by what runs are alike in.</summary>
/// <param name="Clusters">Runs that are compared, a list for each recording of a side of several, else for each process (<see cref="RunSpread"/>).</param>
/// <param name="Failed">Runs that ended with an exception.</param>
/// <param name="Disturbed">Runs left out because the machine was not theirs alone meanwhile (<see cref="Disturbance"/>).</param>
public sealed record SideRuns(IReadOnlyList<IReadOnlyList<Run>> Clusters, int Failed, int Disturbed)
{
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
