using System.Globalization;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>Comparisons in words.</summary>
internal static class ComparisonText
{
    /// <summary>With a larger rest, in % of the difference, a sentence says how to make it smaller.</summary>
    private const double MostRestPercent = 50;

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

    /// <summary>What the difference of a pair is made of, in one sentence without a full stop; null when nothing recorded tells.</summary>
    public static string? Explain(ComparedPair pair)
    {
        if (pair.Explanation is not { } explanation)
            return null;
        var parts = explanation.Shown.Select(part => $"{part.Name} {Signed(part.DifferenceMs)}{Methods(part)}").ToList();
        var rest = Invariant($"rest {Signed(explanation.RestMs)} ms") + (explanation.RestPercent is { } percent ? Invariant($" ({percent:0} %)") : "");
        var what = explanation.IsCpuTime ? "ms of CPU time a run" : "ms a run";
        var reason = !explanation.HasCauses ? ", CPU samples were not recorded on both sides"
            : explanation.RestPercent > MostRestPercent ? $"{(parts.Count > 0 ? "" : ", no cause stands out of the samples' error")}; more samples can name the rest (--sample-rate 4000, more runs)"
            : "";
        return $"{pair.Key}: {Signed(explanation.DifferenceMs)} {what}: {string.Join(", ", parts.Append(rest))}{reason}";
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
