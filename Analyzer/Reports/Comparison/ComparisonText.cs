using System.Globalization;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>Comparisons in words.</summary>
internal static class ComparisonText
{
    /// <summary>With a larger rest, in % of the difference, the sentence names a way to make it smaller.</summary>
    private const double MaxRestPercent = 50;

    /// <summary>Verdict of a measure: slower and faster of time as a whole, more and less of the rest.</summary>
    public static string Of(MetricComparison compared) => compared.Verdict switch
    {
        Verdict.Worse => compared.Metric.Kind == MetricKind.Time ? "slower" : "more",
        Verdict.Better => compared.Metric.Kind == MetricKind.Time ? "faster" : "less",
        Verdict.Same => "same within noise",
        Verdict.TooFewRuns => "too few runs" + Needs(compared),
        _ => Column<DiffRow>.NotRecorded,
    };

    /// <summary>The interval: of the ratio where there is one, else of the difference.</summary>
    public static string? Interval(MetricComparison compared)
    {
        if (compared.Low is not { } low || compared.High is not { } high)
            return null;
        return compared.Ratio is null ? Invariant($"{Number(compared, low)} to {Number(compared, high)}") : Invariant($"{low:0.000} to {high:0.000}");
    }

    /// <summary>What became of a line: <c>edited</c>, <c>was 34</c>; empty for one that is where it was.</summary>
    public static string Of(LineDifference line) => string.Join(", ", new[]
    {
        line.Change == LineChange.None ? "" : line.Change.ToString().ToLowerInvariant(),
        line.Baseline is { } before && line.Other is { } now && before.Line.Line != now.Line.Line ? Invariant($"was {before.Line.Line}") : "",
    }.Where(word => word.Length > 0));

    /// <summary>Follows the verdict of a row that is compared by disturbed runs; else empty.</summary>
    public static string Disturbed(ComparedPair pair) => pair.AreDisturbed ? " (disturbed runs)" : "";

    /// <summary>What the difference of a pair is made of, in one sentence without a full stop; null when nothing recorded explains it.</summary>
    /// <param name="pair">The pair.</param>
    /// <param name="other">What the other side is: <c>on Mono 6.8</c>.</param>
    /// <param name="groups">Causes that were factored out; none when none were.</param>
    public static string? Explain(ComparedPair pair, string other, IReadOnlyList<string> groups)
    {
        if (pair.Explanation is not { } explanation)
            return null;
        var what = explanation.IsCpuTime ? "ms of CPU time a run" : "ms a run";
        var ratio = explanation.Ratio is { } times ? $"{Times(times)} {other}, " : "";
        var whole = Invariant($"{pair.Key}: {ratio}{Signed(explanation.DifferenceMs)} {what}{Disturbed(pair)}");
        if (pair.Factored is not { ExplainedPercent: { } percent, Remaining: { Ratio: { } remaining } rest })
            return $"{whole}: {Parts(explanation, explanation.DifferenceMs)}";
        var causes = string.Join(" and ", groups);
        return Math.Abs(percent) < 0.5
            ? $"{whole}, none of it by {causes}: {Parts(rest, explanation.DifferenceMs)}"
            : Invariant($"{whole}; without {causes} {Times(remaining)}: they explain {percent:0} %. The rest: {Parts(rest, explanation.DifferenceMs)}");
    }

    /// <summary>How the other side compares: <c>34 × slower</c>, <c>12 % faster</c>.</summary>
    public static string Times(double ratio)
    {
        var (factor, word) = ratio >= 1 ? (ratio, "slower") : (1 / ratio, "faster");
        return factor >= 10 ? Invariant($"{factor:0} × {word}") : factor >= 1.5 ? Invariant($"{factor:0.0} × {word}") : Invariant($"{(factor - 1) * 100:0} % {word}");
    }

    /// <summary>The parts that explain a difference, and what they leave over as a share of the whole.</summary>
    private static string Parts(Explanation explanation, double wholeMs)
    {
        var parts = explanation.Shown.Select(part => $"{part.Name} {Signed(part.DifferenceMs)}{Methods(part)}").ToList();
        var percent = wholeMs != 0 ? Math.Abs(explanation.RestMs / wholeMs) * 100 : (double?)null;
        var rest = Invariant($"not named {Signed(explanation.RestMs)} ms") + (percent is { } share ? Invariant($" ({share:0} %)") : "");
        var reason = !explanation.HasCauses ? ", CPU samples were not recorded on both sides"
            : percent > MaxRestPercent ? $"{(parts.Count > 0 ? "" : ", no cause stands out of the samples' error")}; more samples can name the rest (--sample-rate 4000, more runs)"
            : "";
        return string.Join(", ", parts.Append(rest)) + reason;
    }

    /// <summary>A number of a measure as people read it.</summary>
    public static string Number(MetricComparison compared, double value) =>
        compared.Metric.Kind == MetricKind.Bytes ? (value / 1e6).ToString("0.000", CultureInfo.InvariantCulture) : value.ToString("0.000", CultureInfo.InvariantCulture);

    private static string Needs(MetricComparison compared) =>
        compared.BaselineRuns == 0 || compared.OtherRuns == 0 ? " (no run to compare)" : compared.NeededRuns is { } needed ? Invariant($" (needs {needed}{(compared.HasAlikeRuns ? " launches" : "")})") : "";

    private static string Methods(ExplainedPart part)
    {
        var named = part.Methods.Where(method => method.IsSignificant && Math.Abs(method.DifferenceMs) >= Math.Abs(part.DifferenceMs) / 4).Take(2).ToList();
        return named.Count > 0 ? $" ({string.Join(", ", named.Select(method => $"{method.ShortName} {Signed(method.DifferenceMs)}"))})" : "";
    }

    private static string Signed(double ms) => ms.ToString(Math.Abs(ms) < 10 ? "+0.00;-0.00;0.00" : "+0.0;-0.0;0.0", CultureInfo.InvariantCulture);

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
