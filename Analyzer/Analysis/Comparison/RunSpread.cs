using Perfolizer;
using Perfolizer.Mathematics.Distributions.ContinuousDistributions;
using Perfolizer.Mathematics.ScaleEstimators;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>
/// How the runs of two sides vary, within their recordings and between them.
/// </summary>
/// <remarks>
/// <para>Runs of one recording share its process: code compiled from one profile, one heap, one quarter of an hour of the machine. So they are more alike than runs of two
/// recordings, and a test that takes them for independent finds differences between two recordings of one build. The remedy is that of cluster sampling: the variance of
/// a mean of n runs in C recordings is σ²within / n + σ²between / C, which is (1 + (n / C) σ²between / σ²within) times what n independent runs would give: the design effect.</para>
/// <para>Both variances come from a one-way analysis of variance over the recordings of both sides, each side around its own middle. It is made on normal scores (the normal
/// quantiles of the ranks), so that single wild runs, of which a computer makes many, weigh no more than in the rank test whose error it corrects.</para>
/// <para>Where each side is one recording, nothing tells how recordings differ: <see cref="DesignEffect"/> is 1 and <see cref="KnowsRecordings"/> false.</para>
/// </remarks>
/// <param name="Scale">Standard deviation of runs around the middle of their side, by the Shamos estimator: robust, and equal to σ for normal ones.</param>
/// <param name="DesignEffect">Factor of the variance of the sides' difference over that of independent runs, 1 or more.</param>
/// <param name="DegreesOfFreedom">Of that variance (Satterthwaite); infinite when recordings do not differ or nothing tells whether they do.</param>
/// <param name="BetweenShare">Share of recordings in the variance of a single run, 0 to 1: the intraclass correlation.</param>
/// <param name="KnowsRecordings">Whether a side has several recordings.</param>
public readonly record struct RunSpread(double Scale, double DesignEffect, double DegreesOfFreedom, double BetweenShare, bool KnowsRecordings)
{
    /// <summary>Measures it.</summary>
    /// <param name="baseline">Values of one side, a list for each recording.</param>
    /// <param name="other">Values of the other side.</param>
    /// <param name="shift">Distance of the other side from the first: it is taken off.</param>
    public static RunSpread Of(IReadOnlyList<double[]> baseline, IReadOnlyList<double[]> other, double shift)
    {
        ArgumentNullException.ThrowIfNull(baseline);
        ArgumentNullException.ThrowIfNull(other);
        var aligned = other.Select(values => values.Select(value => value - shift).ToArray()).ToList();
        var scale = Math.Sqrt((Square(ScaleOf(baseline)) + Square(ScaleOf(aligned))) / 2);
        if (baseline.Count < 2 && other.Count < 2)
            return new RunSpread(scale, 1, double.PositiveInfinity, 0, KnowsRecordings: false);

        var (within, between, withinFreedom, betweenFreedom) = Variances(baseline, aligned);
        int baselineRuns = baseline.Sum(values => values.Length), otherRuns = other.Sum(values => values.Length);
        var ofRuns = within * ((1.0 / baselineRuns) + (1.0 / otherRuns));
        var ofRecordings = between * ((1.0 / baseline.Count) + (1.0 / other.Count));
        var sum = ofRuns + ofRecordings;
        if (ofRecordings <= 0 || ofRuns <= 0)
            return new RunSpread(scale, 1, double.PositiveInfinity, 0, KnowsRecordings: true);

        var freedom = Square(sum) / ((Square(ofRuns) / withinFreedom) + (Square(ofRecordings) / betweenFreedom));
        return new RunSpread(scale, sum / ofRuns, Math.Max(1, freedom), between / (between + within), KnowsRecordings: true);
    }

    private static double ScaleOf(IReadOnlyList<double[]> recordings)
    {
        var all = recordings.SelectMany(values => values).ToArray();
        return all.Length < 2 ? 0 : ShamosEstimator.Instance.Scale(new Sample(all));
    }

    /// <summary>Mean squares of the analysis of variance, on normal scores of the ranks over all values.</summary>
    private static (double Within, double Between, double WithinFreedom, double BetweenFreedom) Variances(IReadOnlyList<double[]> baseline, List<double[]> other)
    {
        var all = baseline.Concat(other).SelectMany((values, group) => values.Select(value => (Value: value, Group: group))).OrderBy(item => item.Value).ToList();
        var groups = new List<double>[baseline.Count + other.Count];
        for (var i = 0; i < groups.Length; i++)
            groups[i] = [];
        for (var rank = 0; rank < all.Count; rank++)
            groups[all[rank].Group].Add(NormalDistribution.Standard.Quantile((rank + 0.5) / all.Count));

        double squaresWithin = groups.Sum(scores => SquaresAround(scores, scores.Average()));
        double squaresBetween = 0, unevenness = 0;
        foreach (var side in (IReadOnlyList<List<double>>[])[groups[..baseline.Count], groups[baseline.Count..]])
        {
            var middle = side.SelectMany(scores => scores).Average();
            squaresBetween += side.Sum(scores => scores.Count * Square(scores.Average() - middle));
            unevenness += side.Sum(scores => Square(scores.Count)) / side.Sum(scores => scores.Count);
        }

        double withinFreedom = Math.Max(1, all.Count - groups.Length), betweenFreedom = groups.Length - 2;
        var within = squaresWithin / withinFreedom;
        var runsPerRecording = (all.Count - unevenness) / betweenFreedom;
        return (within, Math.Max(0, ((squaresBetween / betweenFreedom) - within) / runsPerRecording), withinFreedom, betweenFreedom);
    }

    private static double SquaresAround(List<double> values, double middle) => values.Sum(value => Square(value - middle));

    private static double Square(double value) => value * value;
}
