namespace EtwSerializerProfiler.Stores.Schema;

/// <summary>A table of a store. Its first column names the trace that a row comes from.</summary>
public abstract class StoreTable
{
    /// <summary>Name of the column that every table begins with.</summary>
    public const string TraceColumn = "trace";

    /// <summary>Stands in place of a name in the row of those that have none of their own.</summary>
    public const string Other = "(other)";

    /// <summary>Place of each column by its name.</summary>
    private readonly Dictionary<string, int> _places;

    /// <summary>Makes the table.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="meaning">What a row stands for, without a full stop.</param>
    /// <param name="columns">Its columns behind that of the trace.</param>
    private protected StoreTable(string name, string meaning, IEnumerable<StoreColumn> columns)
    {
        Name = name;
        Meaning = meaning;
        Columns = [new StoreColumn(TraceColumn, ColumnType.Text, IsNullable: false, "The trace: 16 hexadecimal digits of its content's hash, the same in all tables"), .. columns];
        _places = Columns.Select((column, index) => (column.Name, Index: index)).ToDictionary(pair => pair.Name, pair => pair.Index);
    }

    /// <summary>Its name.</summary>
    public string Name { get; }

    /// <summary>What a row stands for.</summary>
    public string Meaning { get; }

    /// <summary>Its columns, that of the trace first.</summary>
    public IReadOnlyList<StoreColumn> Columns { get; }

    /// <summary>Place of a column in a row.</summary>
    /// <exception cref="ArgumentException">There is no such column.</exception>
    public int IndexOf(string column)
    {
        return _places.TryGetValue(column, out var place) ? place : throw new ArgumentException($"table {Name} has no column {column}", nameof(column));
    }

    /// <inheritdoc />
    public override string ToString() => Name;
}

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
