namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>One measure of the runs of two sides.</summary>
public sealed record MetricComparison
{
    /// <summary>The measure.</summary>
    public required Metric Metric { get; init; }

    /// <summary>Median of base in ms or bytes; null when not recorded.</summary>
    public double? Baseline { get; init; }

    /// <summary>Median of the other side.</summary>
    public double? Other { get; init; }

    /// <summary>Number of compared runs of base.</summary>
    public int BaselineRuns { get; init; }

    /// <summary>Number of compared runs of the other side.</summary>
    public int OtherRuns { get; init; }

    /// <summary>
    /// Shift from base to the other side (Hodges and Lehmann) in ms or bytes. It can differ from the difference of the medians, which has
    /// twice the error.
    /// </summary>
    public double? Difference { get; init; }

    /// <summary>Ratio of the other side to base (shift of logarithms); null for values of 0.</summary>
    public double? Ratio { get; init; }

    /// <summary>Lower end of the interval: of the ratio if there is one, else of the difference.</summary>
    public double? Low { get; init; }

    /// <summary>Upper end of the interval.</summary>
    public double? High { get; init; }

    /// <summary>Probability of such a difference between equal sides.</summary>
    public double? PValue { get; init; }

    /// <summary>
    /// Robust standard deviation of runs, relative to the median wall time of base for parts of time, else to the measure itself.
    /// </summary>
    public double? Noise { get; init; }

    /// <summary>Factor by which differing processes increase the variance of the difference.</summary>
    public double DesignEffect { get; init; } = 1;

    /// <summary>
    /// Whether runs of one process are more alike than runs of two, measured or assumed: more runs of the same processes then add little.
    /// </summary>
    public bool HasAlikeRuns => DesignEffect > 1;

    /// <summary>The verdict.</summary>
    public required Verdict Verdict { get; init; }

    /// <summary>Runs per side needed to resolve the difference; with <see cref="Verdict.TooFewRuns"/>.</summary>
    public int? NeededRuns { get; init; }

    /// <summary>
    /// The rank comparison that decides the verdict: of logarithms if there is a ratio, else in ms or bytes; null when the measure was not
    /// recorded.
    /// </summary>
    public RankComparison? Ranks { get; init; }

    /// <summary>
    /// Reference of relative differences, in the unit of <see cref="Ranks"/>: wall time of base for parts of time; 0 if there is a ratio.
    /// </summary>
    public double Whole { get; init; }

    /// <summary>The difference as a share of the measure itself, or of base's wall time for parts of time. Null when that is 0.</summary>
    public double? Relative => Ratio - 1 ?? (Whole > 0 ? Difference / Whole : null);

    /// <summary>The interval of <see cref="Relative"/>.</summary>
    public (double Low, double High)? RelativeInterval =>
        Low is not { } low || High is not { } high ? null
        : Ratio is not null ? (low - 1, high - 1)
        : Whole > 0 ? (low / Whole, high / Whole)
        : null;

    /// <summary>Whether a relative difference of <paramref name="share"/> would have been found with the power of the options.</summary>
    public bool Resolves(double share, ComparisonOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Ranks?.Resolves(SizeOf(share), options.SignificanceLevel, options.Power) == true;
    }

    /// <summary>Runs per side needed to find a relative difference of <paramref name="share"/>.</summary>
    public int? RunsToResolve(double share, ComparisonOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Ranks is { } ranks && SizeOf(share) is > 0 and var size
            ? ranks.NeededRuns(size, options.SignificanceLevel, options.Power)
            : null;
    }

    private double SizeOf(double share) => Ratio is null ? Whole * share : Math.Log(1 + share);

    /// <summary>Compares one measure.</summary>
    /// <param name="metric">The measure.</param>
    /// <param name="baseline">Counted runs of base.</param>
    /// <param name="other">Counted runs of the other side.</param>
    /// <param name="options">The options.</param>
    /// <param name="otherFactor">Factor for the other side's times; 1 unless normalized.</param>
    public static MetricComparison Of(Metric metric, SideRuns baseline, SideRuns other, ComparisonOptions options, double otherFactor = 1)
    {
        ArgumentNullException.ThrowIfNull(metric);
        ArgumentNullException.ThrowIfNull(baseline);
        ArgumentNullException.ThrowIfNull(other);
        ArgumentNullException.ThrowIfNull(options);
        if (baseline.Count == 0 || other.Count == 0)
            return new MetricComparison
            {
                Metric = metric,
                Verdict = Verdict.TooFewRuns,
                BaselineRuns = baseline.Count,
                OtherRuns = other.Count,
            };
        if (baseline.Values(metric) is not { } first || other.Values(metric, metric.IsTime ? otherFactor : 1) is not { } second)
            return new MetricComparison
            {
                Metric = metric,
                Verdict = Verdict.NotRecorded,
                BaselineRuns = baseline.Count,
                OtherRuns = other.Count,
            };

        // A part of a run's time is judged relative to the run.
        var whole =
            metric.Kind != MetricKind.PartOfTime ? (double?)null
            : baseline.Values(Metric.Wall) is { } walls ? Median(walls)
            : 0;
        return OfValues(metric, first, second, options, whole);
    }

    /// <summary>Compares values of one measure, by the rule of <see cref="Of"/>.</summary>
    /// <param name="metric">The measure.</param>
    /// <param name="first">Values of base, one list per cluster (<see cref="RunSpread"/>), none empty.</param>
    /// <param name="second">Values of the other side.</param>
    /// <param name="options">The options.</param>
    /// <param name="wallMs">Median wall time of base for a part of time; null for other measures.</param>
    public static MetricComparison OfValues(
        Metric metric,
        IReadOnlyList<double[]> first,
        IReadOnlyList<double[]> second,
        ComparisonOptions options,
        double? wallMs = null
    )
    {
        ArgumentNullException.ThrowIfNull(metric);
        ArgumentNullException.ThrowIfNull(first);
        ArgumentNullException.ThrowIfNull(second);
        ArgumentNullException.ThrowIfNull(options);
        var isRatio =
            metric.Kind != MetricKind.PartOfTime && first.Concat(second).All(values => Array.TrueForAll(values, value => value > 0));
        var between = metric.IsTime ? options.AssumedBetween : 0;
        var linear = RankComparison.Of(first, second, options.SignificanceLevel, between * Math.Max(Median(first), Median(second)))!;
        var judged = isRatio ? RankComparison.Of(Logarithms(first), Logarithms(second), options.SignificanceLevel, between)! : linear;

        var whole = wallMs ?? (isRatio ? 1 : Median(first));
        var smallest = isRatio ? Math.Log(1 + metric.MinChange) : whole * metric.MinChange;
        var compared = new MetricComparison
        {
            Metric = metric,
            Baseline = Median(first),
            Other = Median(second),
            BaselineRuns = linear.BaselineRuns,
            OtherRuns = linear.OtherRuns,
            Difference = linear.Shift,
            Ratio = isRatio ? Math.Exp(judged.Shift) : null,
            Low = isRatio && judged.Low is { } low ? Math.Exp(low) : judged.Low,
            High = isRatio && judged.High is { } high ? Math.Exp(high) : judged.High,
            PValue = judged.PValue,
            Noise =
                Math.Min(linear.BaselineRuns, linear.OtherRuns) < 2 ? null
                : isRatio ? judged.Spread.Within
                : whole > 0 ? judged.Spread.Within / whole
                : null,
            DesignEffect = judged.Spread.DesignEffect,
            Ranks = judged,
            Whole = isRatio ? 0 : whole,
            Verdict = Verdict.TooFewRuns,
        };
        var resolve = metric.Resolve(options);
        var verdict =
            judged.Differs(options.SignificanceLevel) && Math.Abs(judged.Shift) >= smallest
                ? (judged.Shift > 0 ? Verdict.Worse : Verdict.Better)
            : judged.Spread.Within <= 0 && Math.Abs(judged.Shift) > smallest ? Verdict.TooFewRuns
            : compared.Resolves(resolve, options) ? Verdict.Same
            : Verdict.TooFewRuns;
        return compared with
        {
            Verdict = verdict,
            NeededRuns = verdict == Verdict.TooFewRuns ? compared.RunsToResolve(resolve, options) : null,
        };
    }

    private static double Median(IReadOnlyList<double[]> recordings) =>
        Statistics.Median([.. recordings.SelectMany(values => values)])!.Value;

    private static IReadOnlyList<double[]> Logarithms(IReadOnlyList<double[]> recordings) =>
        [.. recordings.Select(values => Array.ConvertAll(values, value => Math.Log(value)))];
}

/// <summary>Verdict on two sides' runs.</summary>
public enum Verdict
{
    /// <summary>No difference beyond noise, and a difference as large as the one to resolve would have been found.</summary>
    Same = 0,

    /// <summary>The other side costs more.</summary>
    Worse = 1,

    /// <summary>The other side costs less.</summary>
    Better = 2,

    /// <summary>No difference beyond noise, but noise could hide a difference as large as the one to resolve.</summary>
    TooFewRuns = 3,

    /// <summary>One side or both did not record the measure.</summary>
    NotRecorded = 4,
}
