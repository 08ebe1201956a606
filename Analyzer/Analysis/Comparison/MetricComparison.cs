namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>One measure of the runs of two sides.</summary>
public sealed record MetricComparison
{
    /// <summary>The measure.</summary>
    public required Metric Metric { get; init; }

    /// <summary>Median of the first side in ms or bytes; null when it was not recorded.</summary>
    public double? Baseline { get; init; }

    /// <summary>Median of the other side.</summary>
    public double? Other { get; init; }

    /// <summary>Runs of the first side that were compared.</summary>
    public int BaselineRuns { get; init; }

    /// <summary>Runs of the other side.</summary>
    public int OtherRuns { get; init; }

    /// <summary>Shift from the first side to the other (Hodges and Lehmann) in ms or bytes. The medians' difference can be another one: it has twice the error.</summary>
    public double? Difference { get; init; }

    /// <summary>Ratio of the other side to the first (the shift of logarithms); null where values are 0.</summary>
    public double? Ratio { get; init; }

    /// <summary>Low end of the interval: of the ratio where there is one, else of the difference.</summary>
    public double? Low { get; init; }

    /// <summary>High end of the interval.</summary>
    public double? High { get; init; }

    /// <summary>How likely such a difference is when the sides are equal.</summary>
    public double? PValue { get; init; }

    /// <summary>Standard deviation of runs (robust), relative to the median of wall time of the first side for parts of time, else to the measure itself.</summary>
    public double? Noise { get; init; }

    /// <summary>Factor by which processes that differ raise the variance of the difference.</summary>
    public double DesignEffect { get; init; } = 1;

    /// <summary>Whether runs of one process are more alike than those of two, or are assumed to be: more runs of the same processes then tell little.</summary>
    public bool HasAlikeRuns => DesignEffect > 1;

    /// <summary>What it comes to.</summary>
    public required Verdict Verdict { get; init; }

    /// <summary>Runs a side that the difference to be resolved takes; with <see cref="Verdict.TooFewRuns"/>.</summary>
    public int? NeededRuns { get; init; }

    /// <summary>The comparison of ranks behind the verdict: of logarithms where there is a ratio, else in ms or bytes; null when the measure was not recorded.</summary>
    public RankComparison? Ranks { get; init; }

    /// <summary>What a relative difference is relative to, in the unit of <see cref="Ranks"/>: wall time of the first side for parts of time; 0 where there is a ratio.</summary>
    public double Whole { get; init; }

    /// <summary>The difference as a share: of the measure itself, or of the first side's wall time for parts of time. Null when that is 0.</summary>
    public double? Relative => Ratio - 1 ?? (Whole > 0 ? Difference / Whole : null);

    /// <summary>The interval of <see cref="Relative"/>.</summary>
    public (double Low, double High)? RelativeInterval =>
        Low is not { } low || High is not { } high ? null : Ratio is not null ? (low - 1, high - 1) : Whole > 0 ? (low / Whole, high / Whole) : null;

    /// <summary>Whether a relative difference of <paramref name="share"/> would have been found, as often as the options ask for.</summary>
    public bool Resolves(double share, ComparisonOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Ranks?.Resolves(SizeOf(share), options.SignificanceLevel, options.Power) == true;
    }

    /// <summary>Runs a side that a relative difference of <paramref name="share"/> takes to be found.</summary>
    public int? RunsToResolve(double share, ComparisonOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Ranks is { } ranks && SizeOf(share) is > 0 and var size ? ranks.NeededRuns(size, options.SignificanceLevel, options.Power) : null;
    }

    private double SizeOf(double share) => Ratio is null ? Whole * share : Math.Log(1 + share);

    /// <summary>Compares one measure.</summary>
    /// <param name="metric">The measure.</param>
    /// <param name="baseline">Runs of the first side that count.</param>
    /// <param name="other">Runs of the other side.</param>
    /// <param name="options">How.</param>
    /// <param name="otherFactor">Factor of the other side's times, 1 unless they are normalized.</param>
    public static MetricComparison Of(Metric metric, SideRuns baseline, SideRuns other, ComparisonOptions options, double otherFactor = 1)
    {
        ArgumentNullException.ThrowIfNull(metric);
        ArgumentNullException.ThrowIfNull(baseline);
        ArgumentNullException.ThrowIfNull(other);
        ArgumentNullException.ThrowIfNull(options);
        if (baseline.Count == 0 || other.Count == 0)
            return new MetricComparison { Metric = metric, Verdict = Verdict.TooFewRuns, BaselineRuns = baseline.Count, OtherRuns = other.Count };
        if (baseline.Values(metric) is not { } first || other.Values(metric, metric.IsTime ? otherFactor : 1) is not { } second)
            return new MetricComparison { Metric = metric, Verdict = Verdict.NotRecorded, BaselineRuns = baseline.Count, OtherRuns = other.Count };

        var isRatio = metric.Kind != MetricKind.PartOfTime && first.Concat(second).All(values => Array.TrueForAll(values, value => value > 0));
        var between = metric.IsTime ? options.AssumedBetween : 0;
        var linear = RankComparison.Of(first, second, options.SignificanceLevel, between * Math.Max(Median(first), Median(second)))!;
        var judged = isRatio ? RankComparison.Of(Logarithms(first), Logarithms(second), options.SignificanceLevel, between)! : linear;

        // A part of the run's time is judged by what it is of the run.
        var whole = metric.Kind == MetricKind.PartOfTime ? baseline.Values(Metric.Wall) is { } walls ? Median(walls) : 0 : isRatio ? 1 : Median(first);
        var smallest = isRatio ? Math.Log(1 + metric.Smallest) : whole * metric.Smallest;
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
            Noise = Math.Min(linear.BaselineRuns, linear.OtherRuns) < 2 ? null : isRatio ? judged.Spread.Within : whole > 0 ? judged.Spread.Within / whole : null,
            DesignEffect = judged.Spread.DesignEffect,
            Ranks = judged,
            Whole = isRatio ? 0 : whole,
            Verdict = Verdict.TooFewRuns,
        };
        var resolve = metric.Resolve(options);
        var verdict = judged.Differs(options.SignificanceLevel) && Math.Abs(judged.Shift) >= smallest ? (judged.Shift > 0 ? Verdict.Worse : Verdict.Better)
            : judged.Spread.Within <= 0 && Math.Abs(judged.Shift) > smallest ? Verdict.TooFewRuns
            : compared.Resolves(resolve, options) ? Verdict.Same
            : Verdict.TooFewRuns;
        return compared with { Verdict = verdict, NeededRuns = verdict == Verdict.TooFewRuns ? compared.RunsToResolve(resolve, options) : null };
    }

    private static double Median(IReadOnlyList<double[]> recordings) => Statistics.Median([.. recordings.SelectMany(values => values)])!.Value;

    private static IReadOnlyList<double[]> Logarithms(IReadOnlyList<double[]> recordings) => [.. recordings.Select(values => Array.ConvertAll(values, value => Math.Log(value)))];
}

/// <summary>What a comparison of the runs of two sides came to.</summary>
public enum Verdict
{
    /// <summary>No difference beyond noise was found, and one as large as was to be resolved would have been.</summary>
    Same = 0,

    /// <summary>The other side costs more.</summary>
    Worse = 1,

    /// <summary>The other side costs less.</summary>
    Better = 2,

    /// <summary>No difference beyond noise was found, but one as large as was to be resolved could hide in it.</summary>
    TooFewRuns = 3,

    /// <summary>One side or both did not record the measure.</summary>
    NotRecorded = 4,
}
