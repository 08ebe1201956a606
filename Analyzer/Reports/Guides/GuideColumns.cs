using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>Columns of a guide's tables. A number is a cell of an existing report's column, so that both print the same.</summary>
internal static class GuideColumns
{
    /// <summary>The column of <c>esp-analyze table</c> with a key, for one of the rows that a guide's row summarizes.</summary>
    /// <param name="key">Key there.</param>
    /// <param name="newKey">Key here.</param>
    /// <param name="header">Header here.</param>
    /// <param name="of">The row; null when it does not exist.</param>
    public static Column<T> Of<T>(string key, string newKey, string header, Func<T, SummaryRow?> of)
    {
        var column = SummaryColumns.Main.Single(column => column.Key == key);
        return new Column<T>(newKey, header, item => of(item) is { } row ? column.Value(row) : null, column.Format)
        {
            Scale = column.Scale,
            Absent = item => of(item) is { } row ? column.Text(row) : Column<T>.NotApplicable,
        };
    }

    /// <summary>The change of a row's time since an earlier guide; no column without one.</summary>
    public static IEnumerable<Column<T>> Time<T>(string newKey, string step, GuideChanges? changes, Func<T, SummaryKey?> of) =>
        Change(newKey, step, changes, of, change => change.TimeText);

    /// <summary>The change of a row's data size since an earlier guide; no column without one.</summary>
    public static IEnumerable<Column<T>> Size<T>(string newKey, string step, GuideChanges? changes, Func<T, SummaryKey?> of) =>
        Change(newKey, step, changes, of, change => change.SizeText);

    private static IEnumerable<Column<T>> Change<T>(
        string newKey,
        string step,
        GuideChanges? changes,
        Func<T, SummaryKey?> of,
        Func<RowChange, string?> text
    )
    {
        if (changes is not null)
            yield return new Column<T>(
                newKey,
                "Change",
                item => of(item) is { } key && changes.Of(step, key) is { } change ? text(change) : null
            )
            {
                Absent = _ => Column<T>.NotApplicable,
            };
    }

    /// <summary>Columns of <c>esp-analyze table</c> by key, with their headers.</summary>
    public static IReadOnlyList<Column<SummaryRow>> Main(params ReadOnlySpan<string> keys)
    {
        var columns = new List<Column<SummaryRow>>();
        foreach (var key in keys)
        {
            var column = SummaryColumns.Main.Single(column => column.Key == key);
            columns.Add(column with { Header = column.Header ?? key, LeftOutFirst = 0 });
        }

        return columns;
    }
}
