using System.Globalization;
using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the findings. docs/metrics.md defines each column; a test compares both.</summary>
public static class FindingColumns
{
    /// <summary>Columns of the evidence in text output.</summary>
    public static IReadOnlyList<Column<FindingEvidence>> Evidence { get; } =
    [
        new("name", "Evidence", figure => figure.Name),
        new("value", "Value", figure => Number(figure.Value), "0"),
        new("unit", "Unit", figure => figure.Unit),
        new("interval", "95 % interval", figure => figure.Interval is var (low, high) ? $"{Number(low)} to {Number(high)}" : null)
        {
            Absent = _ => "",
            ShownWith = figure => figure.Interval is not null,
        },
    ];

    /// <summary>Columns of the locations in text output.</summary>
    public static IReadOnlyList<Column<FindingLocation>> Locations { get; } =
    [
        new("what", "Where", place => place.What),
        new("processId", "Process", place => place.Process.ToString()),
        new("runId", "Run", place => place.RunId, "0") { Absent = _ => Column<FindingLocation>.NotApplicable },
        new("startMs", "From ms", place => place.StartMs, "0.000"),
        new("stopMs", "To ms", place => place.StopMs, "0.000"),
    ];

    /// <summary>Columns of the CSV: one line per finding, evidence number or location.</summary>
    public static IReadOnlyList<Column<FindingItem>> Csv { get; } =
    [
        new("finding", null, item => item.Number, "0"),
        new("item", null, item => item.Item),
        new("kind", null, item => item.Finding.Kind.ToString()),
        new("code", null, item => item.Finding.Code),
        new("confidence", null, item => item.Finding.Confidence.ToString()),
        new("text", null, item => item.Evidence?.Name ?? item.Location?.What ?? item.Finding.Sentence),
        new("advice", null, item => item.Item == "Finding" ? item.Finding.Advice : null),
        new("value", null, item => item.Evidence?.Value, "0.000"),
        new("unit", null, item => item.Evidence?.Unit),
        new("low", null, item => item.Evidence?.Interval?.Low, "0.000"),
        new("high", null, item => item.Evidence?.Interval?.High, "0.000"),
        new("recording", null, item => item.Location?.Process.Recording),
        new("processId", null, item => item.Location?.Process.ProcessId, "0"),
        new("runId", null, item => item.Location?.RunId, "0"),
        new("startMs", null, item => item.Location?.StartMs, "0.000"),
        new("stopMs", null, item => item.Location?.StopMs, "0.000"),
    ];

    /// <summary>Formats a number with the digits a reader needs: three decimals below 10, fewer above.</summary>
    private static string Number(double value) =>
        value.ToString(
            value == Math.Round(value)
                ? "0"
                : Math.Abs(value) switch
                {
                    < 10 => "0.000",
                    < 100 => "0.00",
                    < 1000 => "0.0",
                    _ => "0",
                },
            CultureInfo.InvariantCulture
        );
}
