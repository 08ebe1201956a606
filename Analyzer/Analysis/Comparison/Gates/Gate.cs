using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Comparison.Gates;

/// <summary>Decides whether one side is worse than the other by more than allowed.</summary>
/// <remarks>
/// A gate checks many rows and must not fail when all are equal, so the probabilities of a measure are adjusted for the number of its rows
/// (Holm). A row violates its limit if the difference is beyond noise in this stricter sense and the estimate exceeds the limit. Any other
/// row passes if a worsening as large as the limit would have been found 9 times of 10. The rest are not judged, because noise could hide a
/// worsening.
/// </remarks>
public static class Gate
{
    /// <summary>Judges a comparison.</summary>
    public static GateResult Judge(ComparisonResult comparison, GateLimits limits)
    {
        ArgumentNullException.ThrowIfNull(comparison);
        ArgumentNullException.ThrowIfNull(limits);
        var checks = new List<GateCheck>();
        foreach (var metric in limits.Metrics)
        {
            var compared = comparison
                .Pairs.Select(pair => (Pair: pair, Metric: pair.Metrics.First(item => item.Metric == metric)))
                .ToList();
            var adjusted = Holm(compared.ConvertAll(item => item.Metric.PValue));
            checks.AddRange(
                compared.Select((item, index) => Check(item.Pair, item.Metric, limits.Of(metric), adjusted[index], comparison.Options))
            );
        }

        return new GateResult(comparison, limits, checks, [.. Problems(comparison)]);
    }

    private static GateCheck Check(ComparedPair pair, MetricComparison compared, double limit, double? adjusted, ComparisonOptions options)
    {
        if (compared.Ranks is null)
            return new GateCheck(pair, compared, limit, null, GateOutcome.NotJudged, null);
        var isOver = compared.Relative > limit;
        if (isOver && adjusted < options.SignificanceLevel && compared.Ranks!.Differs(options.SignificanceLevel))
            return new GateCheck(pair, compared, limit, adjusted, GateOutcome.Violated, null);

        // Beyond noise, but within the limit: a difference in the allowed range was found, so the row was judged.
        if (compared.Resolves(limit, options) || (!isOver && compared.RelativeInterval is { } interval && interval.High <= limit))
            return new GateCheck(pair, compared, limit, adjusted, GateOutcome.Passed, null);
        return new GateCheck(pair, compared, limit, adjusted, GateOutcome.NotJudged, compared.RunsToResolve(limit, options));
    }

    /// <summary>Probabilities adjusted for their number by the step-down method of Holm (1979).</summary>
    /// <param name="probabilities">Probabilities; null for rows without one.</param>
    internal static double?[] Holm(IReadOnlyList<double?> probabilities)
    {
        var adjusted = new double?[probabilities.Count];
        var order = Enumerable
            .Range(0, probabilities.Count)
            .Where(index => probabilities[index] is not null)
            .OrderBy(index => probabilities[index])
            .ToList();
        double max = 0;
        for (var rank = 0; rank < order.Count; rank++)
        {
            max = Math.Max(max, Math.Min(1, probabilities[order[rank]]!.Value * (order.Count - rank)));
            adjusted[order[rank]] = max;
        }

        return adjusted;
    }

    private static IEnumerable<string> Problems(ComparisonResult comparison)
    {
        foreach (var (name, side) in new[] { ("base", comparison.Baseline), ("other", comparison.Other) })
        {
            if (side.MissingRuns > 0)
                yield return FormattableString.Invariant($"{Plural.Of(side.MissingRuns, "run")} of {name} missing from the trace");
            if (side.UnplacedLosses is > 0 and var lost)
                yield return FormattableString.Invariant($"{Plural.Of(lost, "event")} of {name} lost");
        }

        if (comparison.OnlyBaseline.Count > 0)
            yield return $"rows only in base: {string.Join(", ", comparison.OnlyBaseline)}";
        foreach (var pair in comparison.Pairs.Where(pair => pair.Other.Failed > 0))
            yield return FormattableString.Invariant($"{Plural.Of(pair.Other.Failed, "run")} of {pair.Key} failed in other");
    }
}

/// <summary>One measure of one pair, judged against its limit.</summary>
/// <param name="Pair">The pair.</param>
/// <param name="Compared">The comparison of the measure.</param>
/// <param name="Limit">Maximum growth, as a share: 0.05 for 5 %.</param>
/// <param name="AdjustedPValue">
/// Probability that a difference at least as unlikely occurs in any of the measure's rows when all are equal (Holm 1979); null when the
/// measure was not recorded.
/// </param>
/// <param name="Outcome">The outcome.</param>
/// <param name="NeededRuns">Runs per side needed to judge it; null when judged.</param>
public sealed record GateCheck(
    ComparedPair Pair,
    MetricComparison Compared,
    double Limit,
    double? AdjustedPValue,
    GateOutcome Outcome,
    int? NeededRuns
);

/// <summary>Limits of a gate.</summary>
/// <param name="Metrics">Measures to check.</param>
/// <param name="MaxSlowdown">Maximum growth of times, as a share; for parts of time, as a share of the wall time.</param>
/// <param name="MaxAllocation">Maximum growth of allocated bytes, as a share.</param>
public sealed record GateLimits(IReadOnlyList<Metric> Metrics, double MaxSlowdown, double MaxAllocation)
{
    /// <summary>The limit of a measure.</summary>
    public double Of(Metric metric)
    {
        ArgumentNullException.ThrowIfNull(metric);
        return metric.Kind == MetricKind.Bytes ? MaxAllocation : MaxSlowdown;
    }
}

/// <summary>Outcome for one measure of one pair.</summary>
public enum GateOutcome
{
    /// <summary>No worsening beyond the limit, and one would have been found.</summary>
    Passed = 0,

    /// <summary>Worse by more than the limit, and beyond noise even among all checked rows.</summary>
    Violated = 1,

    /// <summary>Noise could hide a worsening as large as the limit, or the measure was not recorded.</summary>
    NotJudged = 2,
}

/// <summary>Result of a gate.</summary>
/// <param name="Comparison">The judged comparison.</param>
/// <param name="Limits">The limits.</param>
/// <param name="Checks">All measures of all pairs.</param>
/// <param name="Problems">Losses and missing rows that prevent a judgement, one sentence each.</param>
public sealed record GateResult(
    ComparisonResult Comparison,
    GateLimits Limits,
    IReadOnlyList<GateCheck> Checks,
    IReadOnlyList<string> Problems
)
{
    /// <summary>Overall outcome: one violation suffices, whatever else could not be judged.</summary>
    public GateOutcome Outcome =>
        Checks.Any(check => check.Outcome == GateOutcome.Violated) ? GateOutcome.Violated
        : Problems.Count > 0 || Checks.Any(check => check.Outcome == GateOutcome.NotJudged) ? GateOutcome.NotJudged
        : GateOutcome.Passed;

    /// <summary>Checks with an outcome.</summary>
    public IEnumerable<GateCheck> Of(GateOutcome outcome) => Checks.Where(check => check.Outcome == outcome);
}
