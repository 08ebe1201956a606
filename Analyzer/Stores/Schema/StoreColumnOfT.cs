namespace EtwSerializerProfiler.Stores.Schema;

/// <summary>A column with a getter for its value. The type of the getter determines whether it is nullable.</summary>
/// <typeparam name="T">Source of a row.</typeparam>
public sealed class StoreColumn<T>
{
    private readonly Func<T, object?> _value;

    /// <summary>A column with a separate description; values are null, a string, a long or a double.</summary>
    public StoreColumn(StoreColumn column, Func<T, object?> value)
    {
        Column = column;
        _value = value;
    }

    /// <summary>A text column; empty for no text, null if nullable.</summary>
    public StoreColumn(string name, string meaning, Func<T, string?> value, bool isNullable = false)
        : this(new StoreColumn(name, ColumnType.Text, isNullable, meaning), value) { }

    /// <summary>A Boolean column, as 1 or 0.</summary>
    public StoreColumn(string name, string meaning, Func<T, bool> value)
        : this(new StoreColumn(name, ColumnType.Integer, IsNullable: false, meaning), row => value(row) ? 1L : 0L) { }

    /// <summary>An integer column that every row has.</summary>
    public StoreColumn(string name, string meaning, Func<T, long> value)
        : this(new StoreColumn(name, ColumnType.Integer, IsNullable: false, meaning), row => value(row)) { }

    /// <summary>A nullable integer column.</summary>
    public StoreColumn(string name, string meaning, Func<T, long?> value)
        : this(new StoreColumn(name, ColumnType.Integer, IsNullable: true, meaning), row => value(row)) { }

    /// <summary>A number column that every row has.</summary>
    public StoreColumn(string name, string meaning, Func<T, double> value)
        : this(new StoreColumn(name, ColumnType.Real, IsNullable: false, meaning), row => value(row)) { }

    /// <summary>A nullable number column.</summary>
    public StoreColumn(string name, string meaning, Func<T, double?> value)
        : this(new StoreColumn(name, ColumnType.Real, IsNullable: true, meaning), row => value(row)) { }

    /// <summary>Name, type and meaning.</summary>
    public StoreColumn Column { get; }

    /// <summary>The value of a row: null, a string, a long or a double.</summary>
    public object? Value(T row) => _value(row);
}

/// <summary>A column of a table.</summary>
/// <param name="Name">Its name in lower case with underscores; names of times and sizes end with the unit.</param>
/// <param name="Type">Type of its values.</param>
/// <param name="IsNullable">Whether it may be null, which means "not recorded" or "not applicable", never 0.</param>
/// <param name="Meaning">Its meaning, without a full stop.</param>
/// <param name="Since">Schema version that added it. Older stores get the column when they are opened; their rows have null.</param>
public sealed record StoreColumn(string Name, ColumnType Type, bool IsNullable, string Meaning, int Since = 1);

/// <summary>Type of a column; each store has its own name for the type.</summary>
public enum ColumnType
{
    /// <summary>Text, UTF-8.</summary>
    Text = 0,

    /// <summary>Signed 64-bit integer.</summary>
    Integer = 1,

    /// <summary>IEEE 754 double.</summary>
    Real = 2,
}
