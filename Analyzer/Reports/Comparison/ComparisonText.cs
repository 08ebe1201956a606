using System.Globalization;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>Texts for comparisons.</summary>
internal static class ComparisonText
{
    /// <summary>Above this unexplained share of the difference, in %, the sentence suggests how to reduce it.</summary>
    private const double MaxRestPercent = 50;

    /// <summary>The verdict on a measure: slower or faster for total time, more or less otherwise.</summary>
    public static string Of(MetricComparison compared) =>
        compared.Verdict switch
        {
            Verdict.Worse => compared.Metric.Kind == MetricKind.Time ? "slower" : "more",
            Verdict.Better => compared.Metric.Kind == MetricKind.Time ? "faster" : "less",
            Verdict.Same => "same within noise",
            Verdict.TooFewRuns => "too few runs",
            _ => Column<DiffRow>.NotRecorded,
        };

    /// <summary>The verdict for people: with too few runs, how many it needs. Short enough for one line of a terminal.</summary>
    public static string Shown(MetricComparison compared) =>
        compared.Verdict != Verdict.TooFewRuns ? Of(compared)
        : compared.BaselineRuns == 0 || compared.OtherRuns == 0 ? "no run to compare"
        : compared.NeededRuns is { } needed ? Invariant($"needs {needed} {(compared.HasAlikeRuns ? "launches" : "runs")}")
        : Of(compared);

    /// <summary>The interval of the ratio, if any, else of the difference.</summary>
    public static string? Interval(MetricComparison compared)
    {
        if (compared.Low is not { } low || compared.High is not { } high)
            return null;
        return compared.Ratio is null
            ? Invariant($"{Number(compared, low)} to {Number(compared, high)}")
            : Invariant($"{low:0.000} to {high:0.000}");
    }

    /// <summary>Change of a line: <c>edited</c>, <c>was 34</c>; empty if unchanged.</summary>
    public static string Of(LineDifference line) =>
        string.Join(
            ", ",
            new[]
            {
                line.Change == LineChange.None ? "" : line.Change.ToString().ToLowerInvariant(),
                line.Baseline is { } before && line.Other is { } now && before.Line.Line != now.Line.Line
                    ? Invariant($"was {before.Line.Line}")
                    : "",
            }.Where(word => word.Length > 0)
        );

    /// <summary>Suffix of the verdict for a row that is compared by disturbed runs; else empty.</summary>
    public static string Disturbed(ComparedPair pair) => pair.AreDisturbed ? " (disturbed runs)" : "";

    /// <summary>Explains the difference of a pair in one sentence without a full stop; null when nothing recorded explains it.</summary>
    /// <param name="pair">The pair.</param>
    /// <param name="other">Name of the other side: <c>on Mono 6.8</c>.</param>
    /// <param name="groups">Factored-out causes; empty for none.</param>
    public static string? Explain(ComparedPair pair, string other, IReadOnlyList<string> groups)
    {
        if (pair.Explanation is not { } explanation)
            return null;
        var what = explanation.IsCpuTime ? "ms of CPU time per run" : "ms per run";
        if (!explanation.IsCpuTime && OppositeMedians(pair, explanation) is { } medians)
            return Invariant(
                $"{pair.Key}: {Times(medians)} {other} by the medians, but {Signed(explanation.DifferenceMs)} {what} in the mean{Disturbed(pair)}: a few runs far from the others decide the mean, so its parts do not explain the verdict"
            );

        var ratio = explanation.Ratio is { } times ? $"{Times(times)} {other}, " : "";
        var whole = Invariant($"{pair.Key}: {ratio}{Signed(explanation.DifferenceMs)} {what}{Disturbed(pair)}");
        if (pair.Factored is not { ExplainedPercent: { } percent, Remaining: { Ratio: { } remaining } rest })
            return $"{whole}: {Parts(explanation, explanation.DifferenceMs)}";
        var causes = string.Join(" and ", groups);
        return Math.Abs(percent) < 0.5
            ? $"{whole}, none of it from {causes}: {Parts(rest, explanation.DifferenceMs)}"
            : Invariant(
                $"{whole}; without {causes} {Times(remaining)}: they explain {percent:0} %. The rest: {Parts(rest, explanation.DifferenceMs)}"
            );
    }

    /// <summary>Compares the other side: <c>34 × slower</c>, <c>12 % faster</c>.</summary>
    public static string Times(double ratio)
    {
        var (factor, word) = ratio >= 1 ? (ratio, "slower") : (1 / ratio, "faster");
        return factor >= 10 ? Invariant($"{factor:0} × {word}")
            : factor >= 1.5 ? Invariant($"{factor:0.0} × {word}")
            : Invariant($"{(factor - 1) * 100:0} % {word}");
    }

    /// <summary>The ratio of the verdict on wall time if the means differ in the other direction, else null.</summary>
    private static double? OppositeMedians(ComparedPair pair, Explanation explanation) =>
        pair.Wall is { Verdict: Verdict.Worse or Verdict.Better, Ratio: { } ratio } && ratio > 1 != explanation.DifferenceMs > 0
            ? ratio
            : null;

    /// <summary>The parts that explain a difference, and the unexplained rest as a share of the whole.</summary>
    private static string Parts(Explanation explanation, double wholeMs)
    {
        var parts = explanation.Shown.Select(part => $"{part.Name} {Signed(part.DifferenceMs)}{Methods(part)}").ToList();
        var percent = wholeMs != 0 ? Math.Abs(explanation.RestMs / wholeMs) * 100 : (double?)null;
        var rest = Invariant($"unexplained {Signed(explanation.RestMs)} ms") + (percent is { } share ? Invariant($" ({share:0} %)") : "");
        var reason =
            !explanation.HasCauses ? ", CPU samples were not recorded on both sides"
            : percent > MaxRestPercent
                ? $"{(parts.Count > 0 ? "" : ", no cause exceeds the sampling error")}; more samples can explain the rest (--sample-rate 4000, more runs)"
            : "";
        return string.Join(", ", parts.Append(rest)) + reason;
    }

    /// <summary>Formats a value of a measure.</summary>
    public static string Number(MetricComparison compared, double value) =>
        compared.Metric.Kind == MetricKind.Bytes
            ? (value / 1e6).ToString("0.000", CultureInfo.InvariantCulture)
            : value.ToString("0.000", CultureInfo.InvariantCulture);

    private static string Methods(ExplainedPart part)
    {
        var named = part
            .Methods.Where(method => method.IsSignificant && Math.Abs(method.DifferenceMs) >= Math.Abs(part.DifferenceMs) / 4)
            .Take(2)
            .ToList();
        return named.Count > 0
            ? $" ({string.Join(", ", named.Select(method => $"{method.ShortName} {Signed(method.DifferenceMs)}"))})"
            : "";
    }

    private static string Signed(double ms) =>
        ms.ToString(Math.Abs(ms) < 10 ? "+0.00;-0.00;0.00" : "+0.0;-0.0;0.0", CultureInfo.InvariantCulture);

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
