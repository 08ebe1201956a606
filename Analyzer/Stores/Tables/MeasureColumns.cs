using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Columns of the measures of runs and rows, as their declarations say.</summary>
internal static class MeasureColumns
{
    /// <summary>Columns of table <c>run</c>, for the measures that it has.</summary>
    public static IEnumerable<StoreColumn<StoredRun>> OfRuns(IEnumerable<Measure> measures) => measures.Where(measure => measure.Stored?.OfRun is not null).Select(measure =>
        new StoreColumn<StoredRun>(
            new StoreColumn(measure.Stored!.Name, TypeOf(measure), measure.NotRecorded != Measure.Never, measure.Stored.OfRun!, measure.Stored.Since), row => Value(measure.Of(row.Run))));

    /// <summary>Columns of table <c>result</c>, for the measures that it has. All may be null, as rows without a run that completed have none.</summary>
    public static IEnumerable<StoreColumn<StoredResult>> OfResults(IEnumerable<Measure> measures) => measures.Where(measure => measure.Stored?.OfRow is not null).Select(measure =>
        new StoreColumn<StoredResult>(new StoreColumn(measure.Stored!.Name, TypeOf(measure), IsNullable: true, measure.Stored.OfRow!, measure.Stored.Since), row => Value(measure.Of(row.Row))));

    private static ColumnType TypeOf(Measure measure) =>
        measure.ValueType == typeof(double) ? ColumnType.Real : measure.ValueType == typeof(long) || measure.ValueType == typeof(bool) ? ColumnType.Integer : ColumnType.Text;

    private static object? Value(object? value) => value is bool flag ? (flag ? 1L : 0L) : value;
}
