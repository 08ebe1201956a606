namespace EtwSerializerProfiler.Stores.Schema;

/// <summary>A column and how its value is taken from what a row is made of. Whether it may be null follows from the type of the getter.</summary>
/// <typeparam name="T">What a row is made of.</typeparam>
public sealed class StoreColumn<T>
{
    private readonly Func<T, object?> _value;

    /// <summary>A column that is described elsewhere; values are null, a string, a long or a double.</summary>
    public StoreColumn(StoreColumn column, Func<T, object?> value)
    {
        Column = column;
        _value = value;
    }

    /// <summary>Text; empty where there is none, or null where a row may lack it.</summary>
    public StoreColumn(string name, string meaning, Func<T, string?> value, bool isNullable = false)
        : this(new StoreColumn(name, ColumnType.Text, isNullable, meaning), value)
    {
    }

    /// <summary>Yes or no as 1 or 0.</summary>
    public StoreColumn(string name, string meaning, Func<T, bool> value)
        : this(new StoreColumn(name, ColumnType.Integer, IsNullable: false, meaning), row => value(row) ? 1L : 0L)
    {
    }

    /// <summary>A whole number that every row has.</summary>
    public StoreColumn(string name, string meaning, Func<T, long> value)
        : this(new StoreColumn(name, ColumnType.Integer, IsNullable: false, meaning), row => value(row))
    {
    }

    /// <summary>A whole number.</summary>
    public StoreColumn(string name, string meaning, Func<T, long?> value)
        : this(new StoreColumn(name, ColumnType.Integer, IsNullable: true, meaning), row => value(row))
    {
    }

    /// <summary>A number that every row has.</summary>
    public StoreColumn(string name, string meaning, Func<T, double> value)
        : this(new StoreColumn(name, ColumnType.Real, IsNullable: false, meaning), row => value(row))
    {
    }

    /// <summary>A number.</summary>
    public StoreColumn(string name, string meaning, Func<T, double?> value)
        : this(new StoreColumn(name, ColumnType.Real, IsNullable: true, meaning), row => value(row))
    {
    }

    /// <summary>Name, type and meaning.</summary>
    public StoreColumn Column { get; }

    /// <summary>The value: null, a string, a long or a double.</summary>
    public object? Value(T row) => _value(row);
}

/// <summary>A column of a table.</summary>
/// <param name="Name">Its name, in lower case with underscores; ends with the unit of times and sizes.</param>
/// <param name="Type">Type of its values.</param>
/// <param name="IsNullable">Whether a row may lack it: null is "not recorded", or that it does not apply, never 0.</param>
/// <param name="Meaning">What it says, without a full stop.</param>
/// <param name="Since">Version of the schema that brought it. Stores of earlier versions get it when they are opened; their rows lack it.</param>
public sealed record StoreColumn(string Name, ColumnType Type, bool IsNullable, string Meaning, int Since = 1);

/// <summary>Type of a column; each store has its own name for it.</summary>
public enum ColumnType
{
    /// <summary>Text, UTF-8.</summary>
    Text = 0,

    /// <summary>Signed whole number of 64 bits.</summary>
    Integer = 1,

    /// <summary>Double of IEEE 754.</summary>
    Real = 2,
}
