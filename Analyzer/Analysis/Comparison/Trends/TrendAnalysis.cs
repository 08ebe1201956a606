using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Rows;
using Perfolizer.Mathematics.Cpd;
using Perfolizer.Mathematics.Distributions.ContinuousDistributions;

namespace EtwSerializerProfiler.Analysis.Comparison.Trends;

/// <summary>Finds changes of a measure over several recordings.</summary>
/// <remarks>
/// Candidates are the change points of the runs in time order (ED-PELT, Haynes, Fearnhead and Eckley 2017, by Perfolizer), each moved to
/// the nearest start of a recording. The method ignores recordings, whose runs are alike, so it finds too many: a candidate is a change
/// only if the recordings on its two sides differ by more than recordings usually do. The test is a t-test of the logarithms of their
/// medians, with the variance within all groups between candidates; its probability is multiplied by the number of possible positions of a
/// change. The least certain candidate is dropped first, until all the remaining ones hold.
/// </remarks>
public static class TrendAnalysis
{
    /// <summary>Below this probability, a candidate counts as a change.</summary>
    internal const double Level = 0.05;

    /// <summary>Minimum number of values for a search.</summary>
    private const int MinValues = 4;

    /// <summary>Sorts recordings by time and marks changes.</summary>
    /// <param name="side">The recordings.</param>
    /// <param name="filter">Selects the runs.</param>
    /// <param name="options">Whether disturbed runs count.</param>
    /// <param name="metric">The measure.</param>
    /// <returns>One trend per row, in table order.</returns>
    /// <exception cref="NotComparableException">No run matches in any recording.</exception>
    public static IReadOnlyList<Trend> Find(ComparedSide side, RunFilter filter, ComparisonOptions options, Metric metric)
    {
        ArgumentNullException.ThrowIfNull(side);
        ArgumentNullException.ThrowIfNull(metric);
        var disturbance = new Disturbance(side.Recordings);
        var rows = new Dictionary<SummaryKey, List<TrendPoint>>();
        foreach (var recording in side.Recordings.OrderBy(StartOf).ThenBy(recording => recording.Path, StringComparer.Ordinal))
        {
            foreach (
                var (key, runs) in new ComparedSide(recording.Path, [recording]).Rows(
                    filter,
                    options,
                    disturbance,
                    side.HasSeveralRuntimes,
                    byRecording: true
                )
            )
            {
                if (!rows.TryGetValue(key, out var points))
                    rows.Add(key, points = []);
                IReadOnlyList<double> values = runs.Values(metric) is { } known ? [.. known.SelectMany(cluster => cluster)] : [];
                points.Add(
                    new TrendPoint(recording, StartOf(recording), runs.Count, runs.Disturbed, values, Statistics.Median(values), null)
                );
            }
        }

        if (rows.Count == 0)
            throw new NotComparableException("no run matches", side.Name, "list the rows with 'esp-analyze table'");
        return
        [
            .. rows.OrderBy(row => row.Key.Operation, StringComparer.Ordinal)
                .ThenBy(row => row.Key.ObjectCount)
                .ThenBy(row => row.Key.ToString(), StringComparer.Ordinal)
                .Select(row => new Trend(row.Key, metric, Mark(row.Value, metric))),
        ];
    }

    /// <summary>Marks the points at which changes begin.</summary>
    internal static IReadOnlyList<TrendPoint> Mark(List<TrendPoint> points, Metric metric)
    {
        // Non-positive values have no logarithm, so parts of time that are sometimes 0 have no trend in ratios.
        var usable = Enumerable.Range(0, points.Count).Where(index => points[index].Values.Count > 0).ToList();
        if (usable.Count < 2 || usable.Exists(index => points[index].Values.Any(value => value <= 0)))
            return points;
        var logarithms = usable.ConvertAll(index => points[index].Values.Select(value => Math.Log(value)).ToArray());
        var changes = Candidates(logarithms);
        while (changes.Count > 0)
        {
            var compared = Compare(logarithms.ConvertAll(values => Statistics.Median(values)!.Value), changes);
            var worst = Enumerable.Range(0, changes.Count).MaxBy(index => compared[index].PValue);
            if (compared[worst].PValue < Level && Math.Abs(compared[worst].Shift) >= Math.Log(1 + metric.MinChange))
                return Marked(points, usable, changes, compared);
            changes.RemoveAt(worst);
        }

        return points;
    }

    private static TrendPoint[] Marked(List<TrendPoint> points, List<int> usable, List<int> changes, List<TrendChange> compared)
    {
        var marked = points.ToArray();
        for (var i = 0; i < changes.Count; i++)
            marked[usable[changes[i]]] = marked[usable[changes[i]]] with { Change = compared[i] };
        return marked;
    }

    /// <summary>Indexes of the recordings at which a change may begin; never the first.</summary>
    private static List<int> Candidates(List<double[]> recordings)
    {
        var all = recordings.SelectMany(values => values).ToArray();
        if (all.Length < MinValues)
            return [];
        var begins = new List<int>();
        var next = 0;
        foreach (var values in recordings)
        {
            begins.Add(next);
            next += values.Length;
        }

        var shortest = Math.Max(1, Math.Min(recordings.Min(values => values.Length), all.Length / 2));

        // An index is that of the last value before the change.
        return
        [
            .. EdPeltChangePointDetector
                .Instance.GetChangePointIndexes(all, shortest)
                .Select(index => Enumerable.Range(1, recordings.Count - 1).MinBy(recording => Math.Abs(begins[recording] - (index + 1))))
                .Distinct()
                .Order(),
        ];
    }

    /// <summary>Compares the recordings after and before each change.</summary>
    private static List<TrendChange> Compare(List<double> medians, List<int> changes)
    {
        List<int> bounds = [0, .. changes, medians.Count];
        var stretches = Enumerable.Range(0, bounds.Count - 1).Select(place => medians[bounds[place]..bounds[place + 1]]).ToList();
        var freedom = medians.Count - stretches.Count;
        var squares = stretches.Sum(stretch => stretch.Sum(median => (median - stretch.Average()) * (median - stretch.Average())));
        return [.. Enumerable.Range(0, changes.Count).Select(place => Change(stretches[place], stretches[place + 1]))];

        TrendChange Change(List<double> before, List<double> after)
        {
            var shift = after.Average() - before.Average();
            if (freedom < 1)
                return new TrendChange(shift, 1);
            var error = Math.Sqrt(squares / freedom * ((1.0 / before.Count) + (1.0 / after.Count)));
            var chance =
                error > 0 ? 2 * new StudentDistribution(freedom).Cdf(-Math.Abs(shift) / error)
                : shift == 0 ? 1
                : 0;
            return new TrendChange(shift, Math.Min(1, chance * (medians.Count - 1)));
        }
    }

    private static DateTime? StartOf(ComparedRecording recording) =>
        recording.Input.Recordings.Count > 0 ? recording.Input.Recordings.Min(item => item.Description.StartedUtc) : null;
}
