using EtwSerializerProfiler.Stores.Schema;
using Microsoft.Data.Sqlite;

namespace EtwSerializerProfiler.Stores.Sqlite;

/// <summary>Reads the rows of a statement.</summary>
internal sealed class SqliteReader : IStoreReader
{
    private readonly SqliteCommand _command;
    private readonly SqliteDataReader _reader;
    private readonly Func<SqliteException, StoreException> _failure;

    /// <summary>The first row, read ahead, because the column of an expression has only the type of its values.</summary>
    private object?[]? _first;

    /// <summary>Starts reading.</summary>
    /// <param name="command">The statement; the reader disposes it.</param>
    /// <param name="columns">Columns of the rows; null for those of the statement.</param>
    /// <param name="failure">Converts an error after the first row.</param>
    /// <exception cref="SqliteException">The statement is invalid, or the file cannot be read.</exception>
    public SqliteReader(SqliteCommand command, IReadOnlyList<StoreColumn>? columns, Func<SqliteException, StoreException> failure)
    {
        _command = command;
        _failure = failure;
        _reader = command.ExecuteReader();
        _first = Read();
        Columns = columns ?? [.. Enumerable.Range(0, _reader.FieldCount).Select(ColumnOf)];
    }

    /// <inheritdoc />
    public IReadOnlyList<StoreColumn> Columns { get; }

    /// <inheritdoc />
    public object?[]? Next()
    {
        if (_first is { } first)
        {
            _first = null;
            return first;
        }

        try
        {
            return Read();
        }
        catch (SqliteException exception)
        {
            throw _failure(exception);
        }
    }

    /// <inheritdoc />
    public void Dispose()
    {
        _reader.Dispose();
        _command.Dispose();
    }

    private object?[]? Read()
    {
        if (!_reader.Read())
            return null;
        var values = new object?[_reader.FieldCount];
        for (var i = 0; i < values.Length; i++)
            values[i] = _reader.GetValue(i) switch
            {
                DBNull => null,
                byte[] bytes => Convert.ToHexString(bytes),
                var value => value,
            };
        return values;
    }

    private StoreColumn ColumnOf(int index)
    {
        var type = _first?[index] switch
        {
            long => ColumnType.Integer,
            double => ColumnType.Real,
            string => ColumnType.Text,
            _ => _reader.GetDataTypeName(index) switch
            {
                "INTEGER" => ColumnType.Integer,
                "REAL" => ColumnType.Real,
                _ => ColumnType.Text,
            },
        };
        return new StoreColumn(_reader.GetName(index), type, IsNullable: true, "");
    }
}
