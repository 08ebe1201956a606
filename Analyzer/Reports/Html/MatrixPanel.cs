using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Stacked bars of one test and object count: serializer × cause.</summary>
/// <param name="Title">The test.</param>
/// <param name="Bars">A bar a serializer, in the order of the table.</param>
public sealed record MatrixPanel(string Title, IReadOnlyList<MatrixBar> Bars)
{
    /// <summary>The panels of a table, the largest object counts of each test first.</summary>
    public static IReadOnlyList<MatrixPanel> Of(IReadOnlyList<SummaryRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        var columns = CauseColumns.Shares(rows);
        var groups = rows.GroupBy(row => (row.Key.Test, row.Key.ObjectCount)).ToList();
        return
        [
            .. groups.OrderByDescending(group => group.Key.ObjectCount)
                .Select(group => new MatrixPanel(group.Key.Test + (group.Key.ObjectCount > 0 ? FormattableString.Invariant($", N={group.Key.ObjectCount}") : ""), [.. group.Select(row => MatrixBar.Of(row, columns))])),
        ];
    }
}
