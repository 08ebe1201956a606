using System.Globalization;
using EtwSerializerProfiler.Analysis;
using Microsoft.Data.Sqlite;

namespace EtwSerializerProfiler.Stores.Sqlite;

/// <summary>Opens connections to a store's file.</summary>
/// <param name="path">Path of the file.</param>
/// <param name="waitSeconds">Seconds to wait for another writing process.</param>
internal sealed class SqliteFile(string path, int waitSeconds)
{
    private const int ReadOnly = 8;
    private const int CannotOpen = 14;

    /// <summary>Path of the file.</summary>
    public string Path => path;

    /// <summary>Whether the file exists.</summary>
    public bool Exists => File.Exists(path);

    /// <summary>Opens the file for writing; creates it if missing, and creates or upgrades its tables.</summary>
    /// <exception cref="SqliteException">The file cannot be opened, or is not a database.</exception>
    /// <exception cref="StoreException">The file is from a newer version, or not a store.</exception>
    public SqliteConnection OpenToWrite(SqliteSchema schema) =>
        Open(
            path,
            SqliteOpenMode.ReadWriteCreate,
            connection =>
            {
                // Leaves another program's database unchanged.
                var isCurrent = schema.IsCurrent(connection, path);

                // Readers do not wait for a writer, and a killed writer leaves nothing incomplete. A power failure may lose the last
                // transactions, but never damages the file.
                Execute(connection, "PRAGMA journal_mode = WAL");
                Execute(connection, "PRAGMA synchronous = NORMAL");
                if (!isCurrent)
                    schema.CreateOrUpgrade(connection, path);
            }
        );

    /// <summary>Opens the file read-only.</summary>
    /// <exception cref="SqliteException">The file cannot be opened, or is not a database.</exception>
    public SqliteConnection OpenToRead()
    {
        try
        {
            // A writable connection can remove its log files afterwards; a read-only one cannot.
            return Open(path, SqliteOpenMode.ReadWrite, Read);
        }
        catch (SqliteException exception) when (exception.SqliteErrorCode is CannotOpen or ReadOnly && Exists && IsWithoutLog)
        {
            // In a read-only folder no log can be created; without one there is no writer.
            return Open($"{new Uri(System.IO.Path.GetFullPath(path)).AbsoluteUri}?immutable=1", SqliteOpenMode.ReadOnly, Read);
        }

        static void Read(SqliteConnection connection)
        {
            Execute(connection, "PRAGMA query_only = ON");
            MedianAggregate.Register(connection);
        }
    }

    /// <summary>Executes a statement.</summary>
    public static void Execute(SqliteConnection connection, string statement, SqliteTransaction? transaction = null)
    {
        using var command = connection.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = statement;
        command.ExecuteNonQuery();
    }

    /// <summary>Executes a statement that returns a number.</summary>
    public static long Number(SqliteConnection connection, string statement)
    {
        using var command = connection.CreateCommand();
        command.CommandText = statement;
        return Convert.ToInt64(command.ExecuteScalar(), CultureInfo.InvariantCulture);
    }

    private bool IsWithoutLog => !File.Exists(path + "-wal") || new FileInfo(path + "-wal").Length == 0;

    private SqliteConnection Open(string name, SqliteOpenMode mode, Action<SqliteConnection> prepare)
    {
        var connection = new SqliteConnection(
            new SqliteConnectionStringBuilder
            {
                DataSource = name,
                Mode = mode,
                Pooling = false,
                DefaultTimeout = waitSeconds,
            }.ToString()
        );
        try
        {
            connection.Open();
            Execute(connection, string.Create(CultureInfo.InvariantCulture, $"PRAGMA busy_timeout = {waitSeconds * 1000}"));

            // Opening reads nothing; only this query shows whether the file is a database.
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

/// <summary>
/// The aggregate <c>median(x)</c>, which ClickHouse has and SQLite lacks. Nulls are ignored; for an even number of values it is the mean of
/// the two in the middle.
/// </summary>
internal static class MedianAggregate
{
    /// <summary>Registers it on a connection.</summary>
    public static void Register(SqliteConnection connection) =>
        connection.CreateAggregate<double?, List<double>?, double?>(
            "median",
            null,
            static (values, value) => Add(values, value),
            static values => values is null ? null : Statistics.Median(values),
            isDeterministic: true
        );

    // A list passed as seed would be shared by all groups.
    private static List<double>? Add(List<double>? values, double? value)
    {
        if (value is not { } number)
            return values;
        values ??= [];
        values.Add(number);
        return values;
    }
}
