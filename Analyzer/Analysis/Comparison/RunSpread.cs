using Perfolizer;
using Perfolizer.Mathematics.Distributions.ContinuousDistributions;
using Perfolizer.Mathematics.ScaleEstimators;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>
/// Variation of the runs of two sides, within a process and between processes.
/// </summary>
/// <remarks>
/// <para>Runs of one process share its code, compiled from one profile, its heap, its addresses, and a minute of the machine, so they are
/// more alike than runs of two processes. A test that assumes independence would find differences between two recordings of one build.
/// Cluster sampling corrects this: the variance of a mean of n runs in C processes is σ²within / n + σ²between / C, that is
/// (1 + (n / C) σ²between / σ²within) times that of n independent runs. This factor is the design effect. A cluster is a process; on a side
/// with several recordings it is a recording, which differs from others in its processes and in its time.</para>
/// <para>Both variances come from a one-way analysis of variance over the clusters of both sides, each side around its own middle. It uses
/// normal scores (the normal quantiles of the ranks), so that outliers, which are common on computers, weigh no more than in the rank test
/// whose error it corrects. If every cluster is a single run, runs are independent and need no correction.</para>
/// <para>If each side is one process, the data do not show how processes differ. A standard deviation measured elsewhere is assumed
/// (<see cref="ComparisonOptions.AssumedBetween"/>), and the report says so.</para>
/// </remarks>
/// <param name="Within">
/// Standard deviation of the runs of a cluster, by the Shamos estimator: robust, and equal to σ for normal values. If clusters are single
/// runs, of all runs of a side.
/// </param>
/// <param name="Total">Standard deviation of a run in its own process.</param>
/// <param name="DesignEffect">Variance of the sides' difference relative to that of independent runs, at least 1.</param>
/// <param name="DegreesOfFreedom">
/// Clusters minus two, even if no variation between them was found, because few clusters show little of it. Infinite if clusters are single
/// runs, or if their variance is assumed.
/// </param>
public readonly record struct RunSpread(double Within, double Total, double DesignEffect, double DegreesOfFreedom)
{
    /// <summary>Measures the variation.</summary>
    /// <param name="baseline">Values of the base, one list per cluster.</param>
    /// <param name="other">Values of the other side.</param>
    /// <param name="shift">Shift of the other side against the base; subtracted before measuring.</param>
    /// <param name="assumedBetween">Assumed standard deviation of processes if it cannot be measured, in the unit of the values.</param>
    public static RunSpread Of(IReadOnlyList<double[]> baseline, IReadOnlyList<double[]> other, double shift, double assumedBetween)
    {
        ArgumentNullException.ThrowIfNull(baseline);
        ArgumentNullException.ThrowIfNull(other);
        var aligned = other.Select(values => values.Select(value => value - shift).ToArray()).ToList();
        var scale = Math.Sqrt((Square(ScaleOf(baseline)) + Square(ScaleOf(aligned))) / 2);
        var ofRuns = (1.0 / baseline.Sum(values => values.Length)) + (1.0 / other.Sum(values => values.Length));
        var ofClusters = (1.0 / baseline.Count) + (1.0 / other.Count);
        if (baseline.Count < 2 && other.Count < 2)
        {
            var effect = scale > 0 ? 1 + (Square(assumedBetween / scale) * ofClusters / ofRuns) : 1;
            return new RunSpread(scale, Math.Sqrt(Square(scale) + Square(assumedBetween)), effect, double.PositiveInfinity);
        }

        if (baseline.Concat(other).All(values => values.Length == 1))
            return new RunSpread(scale, scale, 1, double.PositiveInfinity);
        var (within, between, freedom) = Variances(baseline, aligned);
        if (between <= 0 || within <= 0)
            return new RunSpread(scale, scale, 1, freedom);

        // The scale of all runs of a side includes the variation between clusters; that of one cluster's runs does not.
        var share = within / (within + between);
        return new RunSpread(scale * Math.Sqrt(share), scale, 1 + (between * ofClusters / (within * ofRuns)), freedom);
    }

    private static double ScaleOf(IReadOnlyList<double[]> clusters)
    {
        var all = clusters.SelectMany(values => values).ToArray();
        return all.Length < 2 ? 0 : ShamosEstimator.Instance.Scale(new Sample(all));
    }

    /// <summary>Variances from the analysis of variance, on normal scores of the ranks over all values.</summary>
    private static (double Within, double Between, double BetweenFreedom) Variances(IReadOnlyList<double[]> baseline, List<double[]> other)
    {
        var all = baseline
            .Concat(other)
            .SelectMany((values, cluster) => values.Select(value => (Value: value, Cluster: cluster)))
            .OrderBy(item => item.Value)
            .ToList();
        var clusters = new List<double>[baseline.Count + other.Count];
        for (var i = 0; i < clusters.Length; i++)
            clusters[i] = [];
        for (var rank = 0; rank < all.Count; rank++)
            clusters[all[rank].Cluster].Add(NormalDistribution.Standard.Quantile((rank + 0.5) / all.Count));

        var squaresWithin = clusters.Sum(scores => SquaresAround(scores, scores.Average()));
        double squaresBetween = 0,
            unevenness = 0;
        foreach (var side in (IReadOnlyList<List<double>[]>)[clusters[..baseline.Count], clusters[baseline.Count..]])
        {
            var middle = side.SelectMany(scores => scores).Average();
            squaresBetween += side.Sum(scores => scores.Count * Square(scores.Average() - middle));
            unevenness += side.Sum(scores => Square(scores.Count)) / side.Sum(scores => scores.Count);
        }

        double betweenFreedom = clusters.Length - 2;
        var within = squaresWithin / Math.Max(1, all.Count - clusters.Length);
        var runsPerCluster = (all.Count - unevenness) / betweenFreedom;
        return (within, Math.Max(0, ((squaresBetween / betweenFreedom) - within) / runsPerCluster), betweenFreedom);
    }

    private static double SquaresAround(List<double> values, double middle) => values.Sum(value => Square(value - middle));

    private static double Square(double value) => value * value;
}
