using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Reports.Comparison;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of a trend. docs/metrics.md defines each column; a test compares both.</summary>
public static class TrendColumns
{
    /// <summary>All columns.</summary>
    public static IReadOnlyList<Column<TrendRow>> All { get; } =
    [
        .. DiffColumns.Head<TrendRow>(row => row.Trend.Key),
        new("startedUtc", "Started UTC", row => row.Point.StartedUtc?.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture)),
        new("recording", "Recording", row => row.Point.Recording.Path),
        new(
            "runtimeVersion",
            null,
            row =>
                row.Point.Recording.Input.Processes.Select(process => process.RuntimeVersion).FirstOrDefault(version => version.Length > 0)
        ),
        new("metric", null, row => row.Trend.Metric.Key),
        new("measure", "Measure", row => row.Trend.Metric.Name),
        new("runs", "Runs", row => row.Point.Runs, "0"),
        new("disturbedRuns", "Disturbed", row => row.Point.Disturbed, "0") { ShownWith = row => row.Point.Disturbed > 0 },
        new("median", "Median", row => row.Point.Median / Scale(row), "0.000"),
        new("quartileLow", null, row => Statistics.Quantile(row.Point.Values, 0.25) / Scale(row)),
        new("quartileHigh", null, row => Statistics.Quantile(row.Point.Values, 0.75) / Scale(row)),
        new("toPreviousPercent", "To previous %", row => row.ToPrevious * 100, "+0.0;-0.0;0.0")
        {
            Absent = _ => Column<TrendRow>.NotApplicable,
        },
        new("changePercent", "Change %", row => row.Point.Change?.Relative * 100, "+0.0;-0.0;0.0")
        {
            Absent = _ => Column<TrendRow>.NotApplicable,
        },
        new("changePValue", null, row => row.Point.Change?.PValue),
        new("isChange", "Mark", row => row.Point.Change is not null ? "<<< change" : "")
        {
            ShownWith = row => row.Point.Change is not null,
        },
    ];

    private static double Scale(TrendRow row) => row.Trend.Metric.Kind == MetricKind.Bytes ? 1e6 : 1;
}
