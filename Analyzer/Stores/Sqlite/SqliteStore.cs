using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Queries;
using EtwSerializerProfiler.Stores.Reading;
using EtwSerializerProfiler.Stores.Rows;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;
using Microsoft.Data.Sqlite;
using SQLitePCL;

namespace EtwSerializerProfiler.Stores.Sqlite;

/// <summary>
/// A store in an SQLite file. Several processes of one machine may write to it at the same time; one waits for the other.
/// </summary>
public sealed class SqliteStore : ITraceStore
{
    /// <summary>Seconds that a writer waits for others; each transaction takes a fraction of a second.</summary>
    private const int WaitSeconds = 120;

    private readonly SqliteFile _file;
    private readonly SqliteSchema _schema;

    /// <summary>Insert statements by table, created on first use.</summary>
    private readonly Dictionary<StoreTable, SqliteCommand> _inserts = [];
    private SqliteConnection? _writer;
    private SqliteConnection? _reader;

    /// <summary>Creates the object without opening the file.</summary>
    /// <param name="address">Its address.</param>
    public SqliteStore(StoreAddress address)
        : this(address, SqliteSchema.Current) { }

    /// <summary>A store with another schema or a shorter wait, for tests.</summary>
    internal SqliteStore(StoreAddress address, SqliteSchema schema, int waitSeconds = WaitSeconds)
    {
        ArgumentNullException.ThrowIfNull(address);
        Address = address;
        _file = new SqliteFile(address.Place, waitSeconds);
        _schema = schema;
    }

    /// <inheritdoc />
    public StoreAddress Address { get; }

    /// <inheritdoc />
    public void Prepare() =>
        Guard(() =>
        {
            Writer();
        });

    /// <inheritdoc />
    public IReadOnlyList<StoredTrace> Traces() => TraceValues.All(this);

    /// <inheritdoc />
    public void Replace(TraceRows rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        Guard(() =>
        {
            var connection = Writer();
            using var transaction = connection.BeginTransaction(deferred: false);
            var (isKept, outdated) = Known(connection, transaction, rows.Trace);
            foreach (var trace in outdated)
                Delete(connection, transaction, trace);
            if (!isKept)
            {
                foreach (var table in _schema.Tables)
                    Insert(connection, transaction, table, rows.Of(table));
            }

            transaction.Commit();
        });
    }

    /// <inheritdoc />
    public IStoreReader Query(string sql)
    {
        ArgumentNullException.ThrowIfNull(sql);
        return Guard(() =>
        {
            var connection = Reader();
            CheckQuery(connection, sql);
            var command = connection.CreateCommand();
            command.CommandText = sql;
            try
            {
                return new SqliteReader(command, columns: null, Failure);
            }
            catch (SqliteException exception)
            {
                command.Dispose();
                throw Failure(exception);
            }

            StoreException Failure(SqliteException exception) =>
                exception.SqliteErrorCode == raw.SQLITE_ERROR
                    ? QueryProblem.Of(SqliteProblems.Message(exception), sql, exception)
                    : new StoreException(SqliteProblems.Of(exception, _file.Path), exception);
        });
    }

    /// <inheritdoc />
    public IStoreReader Read(StoreTable table, IReadOnlyCollection<string>? traces)
    {
        ArgumentNullException.ThrowIfNull(table);
        return Guard(() =>
        {
            var command = Reader().CreateCommand();
            var which = "";
            if (traces is not null)
            {
                // One parameter for any number of traces, because a statement accepts at most 32,766.
                command.Parameters.AddWithValue("$traces", JsonSerializer.Serialize(traces));
                which = $" WHERE {StoreTable.TraceColumn} IN (SELECT value FROM json_each($traces))";
            }

            command.CommandText =
                $"SELECT {string.Join(", ", table.Columns.Select(column => column.Name))} FROM {table.Name}{which} ORDER BY rowid";
            return new SqliteReader(
                command,
                table.Columns,
                exception => new StoreException(SqliteProblems.Of(exception, _file.Path), exception)
            );
        });
    }

    /// <inheritdoc />
    public void Dispose()
    {
        foreach (var insert in _inserts.Values)
            insert.Dispose();
        _inserts.Clear();
        _reader?.Dispose();
        _writer?.Dispose();
        (_reader, _writer) = (null, null);
    }

    private SqliteConnection Writer()
    {
        if (_writer is { } open)
            return open;
        var connection = _file.OpenToWrite(_schema);
        return _writer = connection;
    }

    private SqliteConnection Reader()
    {
        if (_reader is { } open)
            return open;
        if (!_file.Exists)
            throw new StoreException(
                new Problem(
                    "the store does not exist",
                    _file.Path,
                    $"create it with 'esp-analyze extract PATH --store sqlite:{_file.Path}', or name an existing one"
                )
            );
        var connection = _file.OpenToRead();
        try
        {
            // An older store is upgraded before it is read.
            if (!_schema.IsCurrent(connection, _file.Path))
                Writer();
        }
        catch
        {
            connection.Dispose();
            throw;
        }

        return _reader = connection;
    }

    /// <summary>Looks up a trace's content and name in the store: whether the stored trace stays, and which traces to remove.</summary>
    private static (bool IsKept, IReadOnlyList<string> Outdated) Known(
        SqliteConnection connection,
        SqliteTransaction transaction,
        StoredTrace added
    )
    {
        using var command = connection.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = "SELECT trace, name, status FROM trace WHERE trace = $trace OR name = $name";
        command.Parameters.AddWithValue("$trace", added.Trace);
        command.Parameters.AddWithValue("$name", added.Name);
        using var reader = command.ExecuteReader();
        var (isKept, outdated) = (false, new List<string>());
        while (reader.Read())
        {
            var (trace, name, status) = (reader.GetString(0), reader.GetString(1), reader.GetString(2));
            if (
                trace == added.Trace
                && string.CompareOrdinal(name, added.Name) < 0
                && (status == StoredTrace.Extracted || added.Status == StoredTrace.Failed)
            )
                isKept = true;
            else
                outdated.Add(trace);
        }

        return (isKept, outdated);
    }

    private void Delete(SqliteConnection connection, SqliteTransaction transaction, string trace)
    {
        foreach (var table in _schema.Tables)
        {
            using var command = connection.CreateCommand();
            command.Transaction = transaction;
            command.CommandText = $"DELETE FROM {table.Name} WHERE {StoreTable.TraceColumn} = $trace";
            command.Parameters.AddWithValue("$trace", trace);
            command.ExecuteNonQuery();
        }
    }

    private void Insert(SqliteConnection connection, SqliteTransaction transaction, StoreTable table, IReadOnlyList<object?[]> rows)
    {
        if (rows.Count == 0)
            return;
        if (!_inserts.TryGetValue(table, out var insert))
        {
            insert = connection.CreateCommand();
            var names = Enumerable
                .Range(0, table.Columns.Count)
                .Select(index => string.Create(CultureInfo.InvariantCulture, $"$c{index}"))
                .ToList();
            insert.CommandText =
                $"INSERT INTO {table.Name} ({string.Join(", ", table.Columns.Select(column => column.Name))}) VALUES ({string.Join(", ", names)})";
            foreach (var name in names)
                insert.Parameters.Add(new SqliteParameter { ParameterName = name });
            _inserts.Add(table, insert);
        }

        insert.Transaction = transaction;
        foreach (var row in rows)
        {
            for (var i = 0; i < row.Length; i++)
                insert.Parameters[i].Value = row[i] ?? DBNull.Value;
            insert.ExecuteNonQuery();
        }
    }

    /// <summary>Checks that a query is a single statement that only reads.</summary>
    private static void CheckQuery(SqliteConnection connection, string sql)
    {
        if (raw.sqlite3_prepare_v2(connection.Handle, sql, out var statement, out var rest) != raw.SQLITE_OK)
            throw QueryProblem.Of(raw.sqlite3_errmsg(connection.Handle).utf8_to_string(), sql, null);
        using (statement)
        {
            if (statement.IsInvalid)
                throw QueryProblem.Of("it contains no statement", sql, null);
            if (raw.sqlite3_stmt_readonly(statement) == 0)
                throw QueryProblem.Writes(sql);
            if (HasStatement(connection, rest))
                throw QueryProblem.Several(sql);
        }
    }

    /// <summary>Whether the text has a statement, or the beginning of one, among blanks, semicolons and comments.</summary>
    private static bool HasStatement(SqliteConnection connection, string sql)
    {
        while (sql.AsSpan().Trim([' ', '\t', '\r', '\n', ';']).Length > 0)
        {
            if (raw.sqlite3_prepare_v2(connection.Handle, sql, out var statement, out var rest) != raw.SQLITE_OK)
                return true;
            using (statement)
            {
                if (!statement.IsInvalid)
                    return true;
            }

            sql = rest;
        }

        return false;
    }

    private void Guard(Action action) =>
        Guard(() =>
        {
            action();
            return true;
        });

    private T Guard<T>(Func<T> action)
    {
        try
        {
            return action();
        }
        catch (SqliteException exception)
        {
            throw new StoreException(SqliteProblems.Of(exception, _file.Path), exception);
        }
    }
}
