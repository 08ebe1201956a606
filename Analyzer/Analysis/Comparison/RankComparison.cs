using Perfolizer;
using Perfolizer.Mathematics.Distributions.ContinuousDistributions;
using Perfolizer.Mathematics.SignificanceTesting.Base;
using Perfolizer.Mathematics.SignificanceTesting.MannWhitney;
using Perfolizer.Metrology;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>
/// Comparison of two samples by ranks: their shift with its interval, how likely chance alone makes it, and the number of runs needed.
/// </summary>
/// <remarks>
/// The test is that of Mann and Whitney (Perfolizer; exact for small samples), the shift that of Hodges and Lehmann: the median of all
/// differences between a run of one side and a run of the other. Its interval is the inversion of the test: between the differences whose
/// rank the test would just not reject. The values are wall times of programs: skewed, with outliers on one side. Ranks need no
/// distribution and limit the outliers. If processes differ (<see cref="RunSpread"/>), the rank test would be wrong, and scaling cannot fix
/// it: its statistic saturates when all runs of one side exceed those of the other. The shift is then compared with its standard error,
/// that of independent runs, σ √((1/n + 1/m) π/3), times the root of the design effect, in Student's distribution with two degrees of
/// freedom fewer than clusters.
/// </remarks>
/// <param name="Shift">Shift: other minus base.</param>
/// <param name="Low">Lower end of the shift's interval; null with too few runs.</param>
/// <param name="High">Upper end.</param>
/// <param name="PValue">Probability of a shift this large between equal sides.</param>
/// <param name="Spread">Variation of the runs.</param>
/// <param name="BaselineRuns">Number of runs of base.</param>
/// <param name="OtherRuns">Number of runs of the other side.</param>
public sealed record RankComparison(
    double Shift,
    double? Low,
    double? High,
    double PValue,
    RunSpread Spread,
    int BaselineRuns,
    int OtherRuns
)
{
    /// <summary>Asymptotic efficiency of the rank test relative to the t-test for normal values, 3/π.</summary>
    private const double Efficiency = 3 / Math.PI;

    /// <summary>Locked while it is used: first calls beside each other fail, because the library fills tables without a lock.</summary>
    private static readonly MannWhitneyTest s_test = MannWhitneyTest.Instance;

    /// <summary>Minimum runs per side for a two-sided rank test to reach 5 %.</summary>
    private const int MinRuns = 4;

    /// <summary>Compares two sides.</summary>
    /// <param name="baseline">Values of one side, one list per process or recording, none empty.</param>
    /// <param name="other">Values of the other side.</param>
    /// <param name="significanceLevel">1 - the interval's level.</param>
    /// <param name="assumedBetween">Standard deviation between processes if each side is one process, in the unit of the values.</param>
    /// <returns>Null when a side has no values.</returns>
    public static RankComparison? Of(
        IReadOnlyList<double[]> baseline,
        IReadOnlyList<double[]> other,
        double significanceLevel,
        double assumedBetween = 0
    )
    {
        ArgumentNullException.ThrowIfNull(baseline);
        ArgumentNullException.ThrowIfNull(other);
        double[] first = [.. baseline.SelectMany(values => values)],
            second = [.. other.SelectMany(values => values)];
        if (first.Length == 0 || second.Length == 0)
            return null;

        var differences = Differences(first, second);
        var shift = Statistics.MedianOfSorted(differences);
        var spread = RunSpread.Of(baseline, other, shift, assumedBetween);
        if (spread.DesignEffect <= 1 && double.IsInfinity(spread.DegreesOfFreedom))
        {
            var (low, high) = Interval(
                differences,
                first.Length,
                second.Length,
                NormalDistribution.Standard.Quantile(1 - (significanceLevel / 2))
            );
            return new RankComparison(shift, low, high, PValueOf(first, second), spread, first.Length, second.Length);
        }

        var error = ErrorOf(spread, first.Length, second.Length);
        var reach = Quantile(1 - (significanceLevel / 2), spread) * error;
        return new RankComparison(
            shift,
            shift - reach,
            shift + reach,
            Math.Min(1, 2 * Cdf(-Math.Abs(shift) / error, spread)),
            spread,
            first.Length,
            second.Length
        );
    }

    /// <summary>Whether the sides differ beyond noise.</summary>
    public bool Differs(double significanceLevel) => PValue < significanceLevel && (Low > 0 || High < 0);

    /// <summary>
    /// Whether a shift of <paramref name="size"/> would have been found with a probability of <paramref name="power"/>. Several runs
    /// without variation hide nothing; one or two show nothing.
    /// </summary>
    public bool Resolves(double size, double significanceLevel, double power) =>
        Math.Min(BaselineRuns, OtherRuns) >= MinRuns
        && (Spread.Within <= 0 || size / StandardError >= Quantile(1 - (significanceLevel / 2), Spread) + Quantile(power, Spread));

    /// <summary>
    /// Runs per side needed to find a shift of <paramref name="size"/>, each in its own process if processes differ.
    /// </summary>
    public int NeededRuns(double size, double significanceLevel, double power)
    {
        var quantiles = NormalDistribution.Standard.Quantile(1 - (significanceLevel / 2)) + NormalDistribution.Standard.Quantile(power);
        var needed = 2 * Square(Spread.Total * quantiles / size) / Efficiency;
        return (int)Math.Min(Math.Max(Math.Ceiling(needed), MinRuns), int.MaxValue);
    }

    /// <summary>Standard error of the shift, from the spread of the runs.</summary>
    private double StandardError => ErrorOf(Spread, BaselineRuns, OtherRuns);

    private static double ErrorOf(in RunSpread spread, int first, int second) =>
        spread.Within * Math.Sqrt(spread.DesignEffect * ((1.0 / first) + (1.0 / second)) / Efficiency);

    private static double PValueOf(double[] first, double[] second)
    {
        lock (s_test)
            return s_test.Perform(new Sample(first), new Sample(second), AlternativeHypothesis.TwoSides, Threshold.Zero).PValue;
    }

    private static double Cdf(double value, in RunSpread spread) =>
        double.IsInfinity(spread.DegreesOfFreedom)
            ? NormalDistribution.Standard.Cdf(value)
            : new StudentDistribution(spread.DegreesOfFreedom).Cdf(value);

    private static double Quantile(double probability, in RunSpread spread) =>
        double.IsInfinity(spread.DegreesOfFreedom)
            ? NormalDistribution.Standard.Quantile(probability)
            : new StudentDistribution(spread.DegreesOfFreedom).Quantile(probability);

    private static double[] Differences(double[] first, double[] second)
    {
        var differences = new double[first.Length * second.Length];
        var next = 0;
        foreach (var value in second)
        {
            foreach (var from in first)
                differences[next++] = value - from;
        }

        Array.Sort(differences);
        return differences;
    }

    /// <summary>The differences at the ranks that the test does not reject: nm/2 ± q √(nm(n+m+1)/12).</summary>
    private static (double? Low, double? High) Interval(double[] differences, int first, int second, double quantile)
    {
        var rank = (int)Math.Floor((differences.Length / 2.0) - (quantile * Math.Sqrt(differences.Length * (first + second + 1.0) / 12)));
        return rank >= 1 ? (differences[rank - 1], differences[^rank]) : (null, null);
    }

    private static double Square(double value) => value * value;
}
