using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Runs of one row of one side, by recording.</summary>
/// <param name="Recordings">Runs that are compared, a list for each recording that has some.</param>
/// <param name="Failed">Runs that ended with an exception.</param>
/// <param name="Slow">Runs left out because the machine was slow meanwhile (<see cref="MachineSpeed"/>).</param>
public sealed record SideRuns(IReadOnlyList<IReadOnlyList<Run>> Recordings, int Failed, int Slow)
{
    /// <summary>Runs that are compared.</summary>
    public int Count => Recordings.Sum(runs => runs.Count);

    /// <summary>All of them.</summary>
    public IEnumerable<Run> All => Recordings.SelectMany(runs => runs);

    /// <summary>Values of a measure, a list for each recording; null when a run lacks it, or there are no runs.</summary>
    /// <param name="metric">The measure.</param>
    /// <param name="factor">Factor of all values.</param>
    public IReadOnlyList<double[]>? Values(Metric metric, double factor = 1)
    {
        ArgumentNullException.ThrowIfNull(metric);
        var all = new List<double[]>(Recordings.Count);
        foreach (var runs in Recordings)
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
