using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Stacked bars of one test and object count: serializer × cause.</summary>
/// <param name="Title">The test.</param>
/// <param name="Bars">One bar per serializer, in the order of the table.</param>
public sealed record MatrixPanel(string Title, IReadOnlyList<MatrixBar> Bars)
{
    /// <summary>Creates the panels of a table, with the largest object count of each test first.</summary>
    public static IReadOnlyList<MatrixPanel> Of(IReadOnlyList<SummaryRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        var columns = CauseColumns.Shares(rows);
        var groups = rows.GroupBy(row => (row.Key.Test, row.Key.ObjectCount)).ToList();
        return
        [
            .. groups
                .OrderByDescending(group => group.Key.ObjectCount)
                .Select(group => new MatrixPanel(
                    group.Key.Test + (group.Key.ObjectCount > 0 ? FormattableString.Invariant($", N={group.Key.ObjectCount}") : ""),
                    [.. group.Select(row => MatrixBar.Of(row, columns))]
                )),
        ];
    }
}

/// <summary>Breakdown of a serializer's time in one test.</summary>
/// <param name="Name">Serializer, with the runtime if there are several.</param>
/// <param name="Median">Median wall time, formatted as in tables.</param>
/// <param name="MedianMs">Median wall time as the bar's length; 0 when every run failed.</param>
/// <param name="SerializerMs">CPU time below the serializer's entry over all runs, as in <c>esp-analyze causes</c>.</param>
/// <param name="Samples">Number of CPU samples.</param>
/// <param name="Parts">Its non-zero parts in the order of the causes, then those outside the serializer; empty when not recorded.</param>
public sealed record MatrixBar(
    string Name,
    string Median,
    double MedianMs,
    string SerializerMs,
    long? Samples,
    IReadOnlyList<MatrixPart> Parts
)
{
    private static readonly Column<SummaryRow> s_median = SummaryColumns.Main.Single(column => column.Key == "wallMedianMs");
    private static readonly Column<SummaryRow> s_serializer = CauseColumns.Shown.First(column => column.Key == "serializerMs");

    internal static MatrixBar Of(SummaryRow row, IReadOnlyList<Column<SummaryRow>> shares)
    {
        var parts = TimeParts.Of(row) ?? [];
        var all = parts.Sum(part => part.Ms);
        return new MatrixBar(
            row.Key.Serializer + (row.Key.Runtime.Length > 0 ? $" on {row.Key.Runtime}" : ""),
            s_median.Text(row),
            row.WallMedianMs ?? 0,
            s_serializer.Text(row),
            row.Causes?.Samples,
            [
                .. parts.Select(part => new MatrixPart(
                    part.Name,
                    100 * part.Ms / all,
                    shares.FirstOrDefault(column => CauseColumns.PartName(column) == part.Name)?.Text(row)
                )),
            ]
        );
    }
}

/// <summary>A part of a bar.</summary>
/// <param name="Cause">Group of causes, the serializer's own code, or the part outside the serializer.</param>
/// <param name="Percent">Its share of the bar in %.</param>
/// <param name="Text">Its share of the serializer's CPU time in %, formatted as in tables; null outside the serializer.</param>
public sealed record MatrixPart(string Cause, double Percent, string? Text);
