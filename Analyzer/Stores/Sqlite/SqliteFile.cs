using System.Globalization;
using EtwSerializerProfiler.Analysis;
using Microsoft.Data.Sqlite;

namespace EtwSerializerProfiler.Stores.Sqlite;

/// <summary>Opens connections to the file of a store.</summary>
/// <param name="path">Path of the file.</param>
/// <param name="waitSeconds">How long to wait for another process that writes, in s.</param>
internal sealed class SqliteFile(string path, int waitSeconds)
{
    private const int ReadOnly = 8;
    private const int CannotOpen = 14;

    /// <summary>Its path.</summary>
    public string Path => path;

    /// <summary>Whether there is such a file.</summary>
    public bool Exists => File.Exists(path);

    /// <summary>Opens it for writing; makes it when it is not there, and its tables when they are not those of today.</summary>
    /// <exception cref="SqliteException">It cannot be opened, or it is no database.</exception>
    /// <exception cref="StoreException">It is of a later version, or no store.</exception>
    public SqliteConnection OpenToWrite(SqliteSchema schema) => Open(path, SqliteOpenMode.ReadWriteCreate, connection =>
    {
        // Another program's database stays as it is.
        var isCurrent = schema.IsCurrent(connection, path);

        // Readers do not wait for a writer, and a writer that is killed leaves nothing half; the last transactions may go when the power fails, never the file.
        Execute(connection, "PRAGMA journal_mode = WAL");
        Execute(connection, "PRAGMA synchronous = NORMAL");
        if (!isCurrent)
            schema.Bring(connection, path);
    });

    /// <summary>Opens it for reading alone.</summary>
    /// <exception cref="SqliteException">It cannot be opened, or it is no database.</exception>
    public SqliteConnection OpenToRead()
    {
        try
        {
            // One that could write takes the files of its log away again; this one may not.
            return Open(path, SqliteOpenMode.ReadWrite, Read);
        }
        catch (SqliteException exception) when (exception.SqliteErrorCode is CannotOpen or ReadOnly && Exists && IsWithoutLog)
        {
            // In a folder that may not be written no log can be made; without one nobody writes.
            return Open($"{new Uri(System.IO.Path.GetFullPath(path)).AbsoluteUri}?immutable=1", SqliteOpenMode.ReadOnly, Read);
        }

        static void Read(SqliteConnection connection)
        {
            Execute(connection, "PRAGMA query_only = ON");
            MedianAggregate.Register(connection);
        }
    }

    /// <summary>Runs one statement.</summary>
    public static void Execute(SqliteConnection connection, string statement, SqliteTransaction? transaction = null)
    {
        using var command = connection.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = statement;
        command.ExecuteNonQuery();
    }

    /// <summary>The number that a statement gives.</summary>
    public static long Number(SqliteConnection connection, string statement)
    {
        using var command = connection.CreateCommand();
        command.CommandText = statement;
        return Convert.ToInt64(command.ExecuteScalar(), CultureInfo.InvariantCulture);
    }

    private bool IsWithoutLog => !File.Exists(path + "-wal") || new FileInfo(path + "-wal").Length == 0;

    private SqliteConnection Open(string name, SqliteOpenMode mode, Action<SqliteConnection> prepare)
    {
        var connection = new SqliteConnection(new SqliteConnectionStringBuilder { DataSource = name, Mode = mode, Pooling = false, DefaultTimeout = waitSeconds }.ToString());
        try
        {
            connection.Open();
            Execute(connection, string.Create(CultureInfo.InvariantCulture, $"PRAGMA busy_timeout = {waitSeconds * 1000}"));

            // Opening reads nothing: only this says whether it is a database.
            Number(connection, "SELECT count(*) FROM sqlite_master");
            prepare(connection);
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }
}

/// <summary>The aggregate <c>median(x)</c>, which ClickHouse has and SQLite has not: nulls do not count, of an even number of values it is the mean of the middle two.</summary>
internal static class MedianAggregate
{
    /// <summary>Adds it to a connection.</summary>
    public static void Register(SqliteConnection connection) => connection.CreateAggregate<double?, List<double>?, double?>(
        "median", null, static (values, value) => Add(values, value), static values => values is null ? null : Statistics.Median(values), isDeterministic: true);

    // A list given as the seed would be that of all groups.
    private static List<double>? Add(List<double>? values, double? value)
    {
        if (value is not { } number)
            return values;
        values ??= [];
        values.Add(number);
        return values;
    }
}
