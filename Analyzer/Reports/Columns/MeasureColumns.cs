using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Creates columns from the declarations of measures.</summary>
internal static class MeasureColumns
{
    /// <summary>Columns of <c>runs</c>, for the measures that are its fields.</summary>
    public static IEnumerable<Column<Run>> OfRuns(IEnumerable<Measure> measures) =>
        measures
            .Where(measure => measure.Fields.HasFlag(ReportFields.Runs))
            .Select(measure => new Column<Run>(
                measure.Key,
                measure.Shown.HasFlag(ReportTables.Runs) ? measure.Header : null,
                measure.Of,
                measure.Format
            )
            {
                Scale = measure.Scale,
                ShownWith = measure.IsShownOnlyIfRecorded ? run => measure.Of(run) is not null : null,
                Absent = run => measure.DoesNotApply(run) ? Column<Run>.NotApplicable : Column<Run>.NotRecorded,
            });

    /// <summary>Columns of <c>table</c>, for the measures that are its fields.</summary>
    public static IEnumerable<Column<SummaryRow>> OfRows(IEnumerable<Measure> measures) =>
        measures
            .Where(measure => measure.Fields.HasFlag(ReportFields.Table))
            .Select(measure => new Column<SummaryRow>(
                measure.Key,
                measure.Shown.HasFlag(ReportTables.Main) ? measure.Header : null,
                measure.Of,
                measure.Format
            )
            {
                Scale = measure.Scale,
                ShownWith = measure.IsShownOnlyIfRecorded ? row => measure.Of(row) is not null : null,
                Absent = row =>
                    row.Runs == 0 ? Column<SummaryRow>.Failed
                    : measure.DoesNotApply(row) ? Column<SummaryRow>.NotApplicable
                    : Column<SummaryRow>.NotRecorded,
            });

    /// <summary>The columns of a table: those that name its rows, and its declared measures.</summary>
    /// <param name="all">All columns of the rows.</param>
    /// <param name="table">The table.</param>
    /// <param name="names">Keys and headers of the columns that name the rows.</param>
    /// <param name="order">Measures in the table's order.</param>
    public static IReadOnlyList<Column<T>> Shown<T>(
        IReadOnlyList<Column<T>> all,
        ReportTables table,
        IReadOnlyList<(string Key, string Header)> names,
        IEnumerable<Measure> order
    ) =>
        [
            .. names
                .Concat(order.Where(measure => measure.Shown.HasFlag(table)).Select(measure => (measure.Key, measure.Header)))
                .Select(wanted =>
                    all.FirstOrDefault(column => column.Key == wanted.Key) is { } column ? column with { Header = wanted.Header } : null
                )
                .OfType<Column<T>>(),
        ];
}
