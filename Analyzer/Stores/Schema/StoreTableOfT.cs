namespace EtwSerializerProfiler.Stores.Schema;

/// <summary>A table and how its rows are made.</summary>
/// <typeparam name="T">What a row is made of.</typeparam>
public sealed class StoreTable<T> : StoreTable
{
    private readonly IReadOnlyList<StoreColumn<T>> _columns;

    /// <summary>Makes the table.</summary>
    /// <inheritdoc cref="StoreTable(string, string, IEnumerable{StoreColumn})"/>
    public StoreTable(string name, string meaning, IReadOnlyList<StoreColumn<T>> columns)
        : base(name, meaning, columns.Select(column => column.Column)) =>
        _columns = columns;

    /// <summary>The values of a row in the order of <see cref="StoreTable.Columns"/>: null, string, long or double.</summary>
    public object?[] Row(string trace, T row)
    {
        var values = new object?[_columns.Count + 1];
        values[0] = trace;
        for (var i = 0; i < _columns.Count; i++)
            values[i + 1] = _columns[i].Value(row);
        return values;
    }
}
