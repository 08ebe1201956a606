using System.Globalization;
using EtwSerializerProfiler.Analysis.Growth;
using EtwSerializerProfiler.Reports.Html;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>
/// Columns of how time and allocation grow with the object count. docs/metrics.md defines each column; a test compares both.
/// </summary>
public static class GrowthColumns
{
    /// <summary>All columns.</summary>
    public static IReadOnlyList<Column<GrowthSeries>> All { get; } =
    [
        new("serializer", "Serializer", series => series.Name),
        Applicable(new("timeExponent", "Time exponent", series => series.Time?.Exponent, "0.00;-0.00;0.00")),
        Applicable(new("timeInterval", "Time 95 % interval", series => Interval(series.Time))),
        Applicable(new("allocationExponent", "Allocation exponent", series => series.Allocation?.Exponent, "0.00;-0.00;0.00")),
        Applicable(new("allocationInterval", "Allocation 95 % interval", series => Interval(series.Allocation))),
        Applicable(new("objectCounts", "Object counts", series => series.Time?.Counts, "0")),
        Applicable(new("points", "Points", series => series.Time?.Points, "0")),
    ];

    private static Column<GrowthSeries> Applicable(Column<GrowthSeries> column) =>
        column with
        {
            Absent = _ => Column<GrowthSeries>.NotApplicable,
        };

    private static string? Interval(GrowthLaw? law) =>
        law is null ? null : string.Create(CultureInfo.InvariantCulture, $"{law.Low:0.00} to {law.High:0.00}");
}
