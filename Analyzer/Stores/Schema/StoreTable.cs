namespace EtwSerializerProfiler.Stores.Schema;

/// <summary>A table of a store. Its first column identifies the trace of a row.</summary>
public abstract class StoreTable
{
    /// <summary>Name of the first column of every table.</summary>
    public const string TraceColumn = "trace";

    /// <summary>Placeholder name for the sum of items without their own row.</summary>
    public const string Other = "(other)";

    /// <summary>Index of each column by name.</summary>
    private readonly Dictionary<string, int> _places;

    /// <summary>Creates the table.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="meaning">What a row represents, without a full stop.</param>
    /// <param name="columns">Its columns after that of the trace.</param>
    private protected StoreTable(string name, string meaning, IEnumerable<StoreColumn> columns)
    {
        Name = name;
        Meaning = meaning;
        Columns =
        [
            new StoreColumn(
                TraceColumn,
                ColumnType.Text,
                IsNullable: false,
                "The trace: 16 hexadecimal digits of its content's hash, the same in all tables"
            ),
            .. columns,
        ];
        _places = Columns.Select((column, index) => (column.Name, Index: index)).ToDictionary(pair => pair.Name, pair => pair.Index);
    }

    /// <summary>Its name.</summary>
    public string Name { get; }

    /// <summary>What a row represents.</summary>
    public string Meaning { get; }

    /// <summary>Its columns, beginning with that of the trace.</summary>
    public IReadOnlyList<StoreColumn> Columns { get; }

    /// <summary>Index of a column in a row.</summary>
    /// <exception cref="ArgumentException">The column does not exist.</exception>
    public int IndexOf(string column)
    {
        return _places.TryGetValue(column, out var place)
            ? place
            : throw new ArgumentException($"table {Name} has no column {column}", nameof(column));
    }

    /// <inheritdoc />
    public override string ToString() => Name;
}

/// <summary>A table with the conversion of its rows.</summary>
/// <typeparam name="T">Source of a row.</typeparam>
public sealed class StoreTable<T> : StoreTable
{
    private readonly IReadOnlyList<StoreColumn<T>> _columns;

    /// <summary>Creates the table.</summary>
    /// <inheritdoc cref="StoreTable(string, string, IEnumerable{StoreColumn})"/>
    public StoreTable(string name, string meaning, IReadOnlyList<StoreColumn<T>> columns)
        : base(name, meaning, columns.Select(column => column.Column)) => _columns = columns;

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
