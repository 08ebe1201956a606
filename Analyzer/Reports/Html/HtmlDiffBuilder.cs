using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Reports.Comparison;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Builds the page of a comparison.</summary>
internal static class HtmlDiffBuilder
{
    /// <summary>Maximum number of reasons at the top of the page; the notes have all.</summary>
    private const int MaxReasons = 5;

    /// <summary>Builds the page.</summary>
    /// <param name="compared">The comparison.</param>
    /// <param name="query">The query; the page has the tables of all breakdowns except allocations.</param>
    /// <param name="baseline">Stacks of base.</param>
    /// <param name="other">Stacks of the other side.</param>
    public static HtmlReport Build(ComparisonResult compared, DiffQuery query, FlameReading baseline, FlameReading other)
    {
        var runs = FlamePairs.Of(compared, query.Comparison.Filter, out var leftOut);
        var report = DiffReport.Build(
            compared,
            query with
            {
                Detail = query.Detail | DiffDetail.Cause | DiffDetail.Method | DiffDetail.Gc,
            }
        );
        if (leftOut.Count > 0)
            report = report with
            {
                Closing =
                [
                    .. report.Closing,
                    $"Not in the flame graphs, because the sides ran different mixes of object counts: {string.Join(", ", leftOut)}",
                ],
            };
        var (before, after) = (baseline.Result(HtmlReportBuilder.MaxNodes / 2), other.Result(HtmlReportBuilder.MaxNodes / 2));
        return new HtmlReport($"{compared.Other.Name} compared with {compared.Baseline.Name}", report)
        {
            IsComparison = true,
            Headlines = [.. Headlines(compared, report)],
            Flames = before is null || runs.Count == 0 ? null : after,
            BaseFlames = before,
            FlameRuns = runs,
        };
    }

    private static IEnumerable<Headline> Headlines(ComparisonResult compared, Report report)
    {
        var changed = compared
            .Pairs.Where(pair => pair.Wall.Verdict is Verdict.Worse or Verdict.Better)
            .OrderByDescending(pair => Math.Abs(Math.Log(pair.Wall.Ratio ?? 1)))
            .ToList();
        var first =
            changed.Count == 0
                ? compared.Pairs.Any(pair => pair.Wall.Verdict == Verdict.Same)
                    ? "No wall time differs beyond noise."
                    : "Too few runs to decide whether wall times differ."
                : FormattableString.Invariant(
                    $"{changed[0].Key} is {(changed[0].Wall.Verdict == Verdict.Worse ? "slower" : "faster")}: {changed[0].Wall.Baseline:0.000} ms before, {changed[0].Wall.Other:0.000} ms now (medians)."
                );
        yield return new Headline(
            "What changed",
            [
                first,
                .. new[] { DiffReport.WithoutCauses(compared) }
                    .OfType<string>()
                    .Concat(report.Closing.Where(line => line.StartsWith("Wall time: ", StringComparison.Ordinal)))
                    .Select(line => line + "."),
            ]
        );
        var reasons = changed.Select(pair => DiffReport.Explain(compared, pair)).OfType<string>().ToList();
        if (reasons.Count > 0)
            yield return new Headline(
                "Why, in ms per run",
                [
                    .. reasons.Take(MaxReasons).Select(reason => reason + "."),
                    .. reasons.Count > MaxReasons ? (string[])["All reasons are among the notes below."] : [],
                ]
            );
    }
}
