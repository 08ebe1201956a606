using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Reports.Comparison;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Puts together what the page of a comparison shows.</summary>
internal static class HtmlDiffBuilder
{
    /// <summary>Reasons on top of the page; all are among its notes.</summary>
    private const int MostReasons = 5;

    /// <summary>Makes the page.</summary>
    /// <param name="compared">What came out.</param>
    /// <param name="query">What was asked; the page has the tables of all details but allocations.</param>
    /// <param name="baseline">Stacks of the side that is compared with.</param>
    /// <param name="other">Stacks of the other side.</param>
    public static HtmlReport Build(ComparisonResult compared, DiffQuery query, FlameReading baseline, FlameReading other)
    {
        var runs = FlamePairs.Of(compared, query.Comparison.Filter, out var leftOut);
        var report = DiffReport.Build(compared, query with { Detail = query.Detail | DiffDetail.Cause | DiffDetail.Method | DiffDetail.Gc });
        if (leftOut.Count > 0)
            report = report with { Closing = [.. report.Closing, $"Not among the pictures, as the sides ran other shares of the object counts: {string.Join(", ", leftOut)}"] };
        var (before, after) = (baseline.Result(HtmlReportBuilder.MostNodes / 2), other.Result(HtmlReportBuilder.MostNodes / 2));
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
        var changed = compared.Pairs.Where(pair => pair.Wall.Verdict is Verdict.Worse or Verdict.Better).OrderByDescending(pair => Math.Abs(Math.Log(pair.Wall.Ratio ?? 1))).ToList();
        var first = changed.Count == 0
            ? compared.Pairs.Any(pair => pair.Wall.Verdict == Verdict.Same) ? "No wall time differs beyond noise." : "There are too few runs to tell whether wall times differ."
            : FormattableString.Invariant($"{changed[0].Key} is {(changed[0].Wall.Verdict == Verdict.Worse ? "slower" : "faster")}: {changed[0].Wall.Baseline:0.000} ms before, {changed[0].Wall.Other:0.000} ms now (medians).");
        yield return new Headline("What changed", [first, .. new[] { DiffReport.WithoutCauses(compared) }.OfType<string>().Concat(report.Closing.Where(line => line.StartsWith("Wall time: ", StringComparison.Ordinal))).Select(line => line + ".")]);
        var reasons = changed.Select(pair => DiffReport.Explain(compared, pair)).OfType<string>().ToList();
        if (reasons.Count > 0)
            yield return new Headline("Why, in ms a run", [.. reasons.Take(MostReasons).Select(reason => reason + "."), .. reasons.Count > MostReasons ? (string[])["All reasons are among the notes below."] : []]);
    }
}
