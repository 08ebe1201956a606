using System.Globalization;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Reading;

/// <summary>Values of a row by column name.</summary>
/// <param name="table">Its table.</param>
/// <param name="values">The values in the order of the table's columns.</param>
internal readonly struct StoredRow(StoreTable table, object?[] values)
{
    /// <summary>Its trace.</summary>
    public string Trace => (string)values[0]!;

    /// <summary>The stored value.</summary>
    public object? Value(string column) => values[table.IndexOf(column)];

    /// <summary>A text.</summary>
    public string Text(string column) => OptionalText(column) ?? "";

    /// <summary>A text, or null.</summary>
    public string? OptionalText(string column) => Value(column) as string;

    /// <summary>A whole number.</summary>
    public long Integer(string column) => OptionalInteger(column) ?? 0;

    /// <summary>A whole number, or null.</summary>
    public long? OptionalInteger(string column) => Value(column) is { } value ? Convert.ToInt64(value, CultureInfo.InvariantCulture) : null;

    /// <summary>A whole number of 32 bits.</summary>
    public int Small(string column) => checked((int)Integer(column));

    /// <summary>A number.</summary>
    public double Real(string column) => OptionalReal(column) ?? 0;

    /// <summary>A number, or null.</summary>
    public double? OptionalReal(string column) => Value(column) is { } value ? Convert.ToDouble(value, CultureInfo.InvariantCulture) : null;

    /// <summary>Yes or no.</summary>
    public bool Flag(string column) => Integer(column) != 0;

    /// <summary>A name of an enumeration.</summary>
    public T Name<T>(string column)
        where T : struct, Enum => Enum.Parse<T>(Text(column));

    /// <summary>A delimiter of runs.</summary>
    /// <exception cref="StoreException">This version does not support the delimiter.</exception>
    public RunDelimiter Delimiter(string column) =>
        RunDelimiter.Named(Text(column))
        ?? throw new StoreException(
            new Problem(
                $"a run has the unknown delimiter '{Text(column)}'",
                Trace,
                "extract the trace again: another version of esp-analyze stored it"
            )
        );
}
