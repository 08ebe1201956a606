using System.Globalization;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Comparison.Gates;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Comparison.Gates;

/// <summary>Texts for gates.</summary>
internal static class GateText
{
    /// <summary>A check as one line.</summary>
    public static string Line(GateCheck check)
    {
        var compared = check.Compared;
        var what = $"{check.Pair.Key}, {compared.Metric.Name}";
        if (compared.BaselineRuns == 0 || compared.OtherRuns == 0)
            return $"{what}: one side has no run to compare (all failed or were disturbed)";
        if (compared.Verdict == Verdict.NotRecorded)
            return $"{what}: {Column<GateCheck>.NotRecorded} on both sides";
        var unit = compared.Metric.Kind == MetricKind.Bytes ? "MB" : "ms";
        var numbers = Invariant(
            $"{ComparisonText.Number(compared, compared.Baseline!.Value)} to {ComparisonText.Number(compared, compared.Other!.Value)} {unit}, {Percent(compared.Relative)}{Interval(compared)}; limit {Percent(check.Limit)}"
        );
        var needs = check.NeededRuns is { } runs
            ? Invariant($"; needs {Plural.Of(runs, "run")} per side")
                + (compared.HasAlikeRuns ? " in separate processes (-launches)" : "")
                + Invariant($", has {compared.BaselineRuns} and {compared.OtherRuns}")
            : "";
        return $"{what}: {numbers}{needs}";
    }

    /// <summary>Name of the outcome.</summary>
    public static string Of(GateOutcome outcome) =>
        outcome switch
        {
            GateOutcome.Passed => "passed",
            GateOutcome.Violated => "violated",
            _ => "not judged",
        };

    /// <summary>The gate in one sentence.</summary>
    public static string Summary(GateResult gate)
    {
        var (violated, unjudged) = (gate.Of(GateOutcome.Violated).Count(), gate.Of(GateOutcome.NotJudged).Count());
        return gate.Outcome switch
        {
            GateOutcome.Violated => Invariant($"Gate failed: {violated} of {Plural.Of(gate.Checks.Count, "check")} over the limit"),
            GateOutcome.NotJudged => Invariant(
                $"Gate could not judge: {unjudged} of {Plural.Of(gate.Checks.Count, "check")} too noisy{(gate.Problems.Count > 0 ? Invariant($", {Plural.Of(gate.Problems.Count, "loss")}") : "")}{Needs(gate)}"
            ),
            _ => Invariant($"Gate passed: {Plural.Of(gate.Checks.Count, "check")} within the limits"),
        };
    }

    /// <summary>Formats a change in percent.</summary>
    public static string Percent(double? share) =>
        share is { } value ? (value * 100).ToString("+0.0;-0.0;0.0", CultureInfo.InvariantCulture) + " %" : Column<GateCheck>.NotApplicable;

    private static string Needs(GateResult gate) =>
        gate.Of(GateOutcome.NotJudged).Max(check => check.NeededRuns) is { } runs
            ? Invariant($"; {Plural.Of(runs, "run")} per side would judge all of them")
            : "";

    private static string Interval(MetricComparison compared) =>
        compared.RelativeInterval is { } interval ? $" ({Percent(interval.Low)} to {Percent(interval.High)})" : "";

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
