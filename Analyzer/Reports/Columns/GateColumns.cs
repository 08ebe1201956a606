using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Comparison.Gates;
using EtwSerializerProfiler.Reports.Comparison.Gates;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of a gate's checks. docs/metrics.md defines each column; a test compares both.</summary>
public static class GateColumns
{
    /// <summary>All columns.</summary>
    public static IReadOnlyList<Column<GateCheck>> All { get; } =
    [
        .. DiffColumns.Head<GateCheck>(check => check.Pair.Key),
        new("metric", null, check => check.Compared.Metric.Key),
        new("measure", "Measure", check => check.Compared.Metric.Name),
        new("runsCompared", "Runs", check => $"{check.Compared.BaselineRuns}/{check.Compared.OtherRuns}"),
        new("baselineMedian", "Base", check => check.Compared.Baseline is { } value ? value / Scale(check) : null, "0.000"),
        new("otherMedian", "Other", check => check.Compared.Other is { } value ? value / Scale(check) : null, "0.000"),
        new("changePercent", "Change %", check => check.Compared.Relative * 100, "+0.0;-0.0;0.0") { Absent = Absent },
        new("changeLowPercent", null, check => check.Compared.RelativeInterval?.Low * 100),
        new("changeHighPercent", null, check => check.Compared.RelativeInterval?.High * 100),
        new(
            "changeInterval",
            "95 % interval of the change",
            check =>
                check.Compared.RelativeInterval is { } interval
                    ? $"{GateText.Percent(interval.Low)} to {GateText.Percent(interval.High)}"
                    : null
        )
        {
            Absent = Absent,
        },
        new("limitPercent", "Limit %", check => check.Limit * 100, "0.0"),
        new("adjustedPValue", null, check => check.AdjustedPValue),
        new("outcome", "Outcome", check => GateText.Of(check.Outcome)),
        new("neededRuns", "Needs runs", check => check.NeededRuns, "0")
        {
            Absent = _ => Column<GateCheck>.NotApplicable,
            ShownWith = check => check.NeededRuns is not null,
        },
    ];

    private static string Absent(GateCheck check) =>
        check.Compared.Verdict == Verdict.NotRecorded ? Column<GateCheck>.NotRecorded : Column<GateCheck>.NotApplicable;

    private static double Scale(GateCheck check) => check.Compared.Metric.Kind == MetricKind.Bytes ? 1e6 : 1;
}
