using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Columns of the measures of runs and rows, derived from their declarations.</summary>
internal static class MeasureColumns
{
    /// <summary>Columns of table <c>run</c> for its measures.</summary>
    public static IEnumerable<StoreColumn<StoredRun>> OfRuns(IEnumerable<Measure> measures) =>
        measures
            .Where(measure => measure.Stored?.OfRun is not null)
            .Select(measure => new StoreColumn<StoredRun>(
                new StoreColumn(
                    measure.Stored!.Name,
                    TypeOf(measure),
                    measure.NotRecorded != Measure.Never,
                    measure.Stored.OfRun!,
                    measure.Stored.Since
                ),
                row => Value(measure.Of(row.Run))
            ));

    /// <summary>
    /// Columns of table <c>result</c> for its measures. All are nullable, because rows without a completed run have no values.
    /// </summary>
    public static IEnumerable<StoreColumn<StoredResult>> OfResults(IEnumerable<Measure> measures) =>
        measures
            .Where(measure => measure.Stored?.OfRow is not null)
            .Select(measure => new StoreColumn<StoredResult>(
                new StoreColumn(measure.Stored!.Name, TypeOf(measure), IsNullable: true, measure.Stored.OfRow!, measure.Stored.Since),
                row => Value(measure.Of(row.Row))
            ));

    private static ColumnType TypeOf(Measure measure) =>
        measure.ValueType == typeof(double) ? ColumnType.Real
        : measure.ValueType == typeof(long) || measure.ValueType == typeof(bool) ? ColumnType.Integer
        : ColumnType.Text;

    private static object? Value(object? value) => value is bool flag ? (flag ? 1L : 0L) : value;
}
