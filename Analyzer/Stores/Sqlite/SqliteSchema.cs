using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;
using Microsoft.Data.Sqlite;

namespace EtwSerializerProfiler.Stores.Sqlite;

/// <summary>Makes the tables of a store's file, and brings those of earlier versions up to date.</summary>
/// <remarks>
/// The version is that of the file (<c>PRAGMA user_version</c>, 0 in a new one), which is part of the transaction that makes the tables: a process that ends midway leaves version 0 and no table.
/// The file's application id tells a store from databases of other programs. Table <c>schema</c> says the version for readers that know no pragmas.
/// </remarks>
/// <param name="version">Version of the schema.</param>
/// <param name="tables">Its tables.</param>
/// <param name="indexes">Columns that rows are found by, by name of the table; that of the trace is always one.</param>
/// <param name="migrations">Steps from each earlier version to the next, from 1 on.</param>
internal sealed class SqliteSchema(int version, IReadOnlyList<StoreTable> tables, IReadOnlyList<(string Table, string Columns)> indexes, IReadOnlyList<SqliteMigration> migrations)
{
    /// <summary>"ESPS": what the file says it is.</summary>
    private const int ApplicationId = 0x45535053;

    /// <summary>Table with the version.</summary>
    private const string VersionTable = "schema";

    /// <summary>The schema that this version of the program writes. A step adds the columns that are declared to come with the next version.</summary>
    public static SqliteSchema Current { get; } = new(
        StoreSchema.Version, StoreSchema.Tables, SqliteIndexes.All,
        [
            .. Enumerable.Range(1, StoreSchema.Version - 1).Select(from => new SqliteMigration(
                from,
                [
                    .. StoreSchema.Tables.SelectMany(table => table.Columns.Where(column => column.Since == from + 1)
                        .Select(column => $"ALTER TABLE {table.Name} ADD COLUMN {column.Name} {TypeOf(column.Type)}")),
                ])),
        ]);

    /// <summary>Its tables.</summary>
    public IReadOnlyList<StoreTable> Tables => tables;

    /// <summary>Whether a store of an earlier version can be brought to the next one.</summary>
    internal bool HasStepFrom(int from) => migrations.Count(migration => migration.From == from) == 1;

    /// <summary>Whether a file has the tables of this version.</summary>
    /// <exception cref="StoreException">It is of a later version, or no store.</exception>
    public bool IsCurrent(SqliteConnection connection, string path)
    {
        var found = SqliteFile.Number(connection, "PRAGMA user_version");
        var names = TableNames(connection);
        var isOurs = SqliteFile.Number(connection, "PRAGMA application_id") == ApplicationId;
        if (!isOurs && (names.Count > 0 || found != 0))
            throw new StoreException(new Problem("this is a database of another program, no store", path, "name the file of a store, or another file to make one: 'esp-analyze extract PATH --store sqlite:FILE'"));
        if (found > version)
            throw new StoreException(new Problem(string.Create(CultureInfo.InvariantCulture, $"the store is of schema version {found}, and this program knows {version}"), path, "install the version of esp-analyze that wrote it, or extract into another file"));
        return found == version;
    }

    /// <summary>Makes the tables, or brings them up to date; in one transaction, so that several processes may try at once.</summary>
    /// <exception cref="StoreException">It is of a later version, or no store.</exception>
    public void Bring(SqliteConnection connection, string path)
    {
        if (IsCurrent(connection, path))
            return;
        using var transaction = connection.BeginTransaction(deferred: false);
        if (IsCurrent(connection, path))
            return; // another process was first
        var found = (int)SqliteFile.Number(connection, "PRAGMA user_version");
        if (found == 0)
            Create(connection, transaction);
        else
            Migrate(connection, transaction, found);
        Execute($"PRAGMA application_id = {ApplicationId}");
        Execute($"PRAGMA user_version = {version}");
        Execute($"DELETE FROM {VersionTable}");
        Execute($"INSERT INTO {VersionTable} (version) VALUES ({version})");
        transaction.Commit();

        void Execute(FormattableString statement) => SqliteFile.Execute(connection, statement.ToString(CultureInfo.InvariantCulture), transaction);
    }

    /// <summary>The statement that makes a table.</summary>
    internal static string CreateStatement(StoreTable table) =>
        $"CREATE TABLE {table.Name} ({string.Join(", ", table.Columns.Select(column => $"{column.Name} {TypeOf(column.Type)}{(column.IsNullable ? "" : " NOT NULL")}"))})";

    /// <summary>Name of a type in SQLite.</summary>
    internal static string TypeOf(ColumnType type) => type switch
    {
        ColumnType.Integer => "INTEGER",
        ColumnType.Real => "REAL",
        _ => "TEXT",
    };

    private void Create(SqliteConnection connection, SqliteTransaction transaction)
    {
        // What a creation that did not come to its end left is of no known form.
        foreach (var name in TableNames(connection))
            SqliteFile.Execute(connection, $"DROP TABLE \"{name.Replace("\"", "\"\"", StringComparison.Ordinal)}\"", transaction);
        SqliteFile.Execute(connection, $"CREATE TABLE {VersionTable} (version INTEGER NOT NULL)", transaction);
        foreach (var table in tables)
        {
            SqliteFile.Execute(connection, CreateStatement(table), transaction);
            SqliteFile.Execute(connection, $"CREATE {(table.Name == TraceTable.Table.Name ? "UNIQUE " : "")}INDEX {table.Name}_{StoreTable.TraceColumn} ON {table.Name} ({StoreTable.TraceColumn})", transaction);
        }

        foreach (var (table, columns) in indexes)
            SqliteFile.Execute(connection, $"CREATE INDEX {table}_{columns.Replace(", ", "_", StringComparison.Ordinal)} ON {table} ({columns})", transaction);
    }

    private void Migrate(SqliteConnection connection, SqliteTransaction transaction, int found)
    {
        for (var from = found; from < version; from++)
            migrations.Single(migration => migration.From == from).Run(connection, transaction);
    }

    private static List<string> TableNames(SqliteConnection connection)
    {
        var names = new List<string>();
        using var command = connection.CreateCommand();
        command.CommandText = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
        using var reader = command.ExecuteReader();
        while (reader.Read())
            names.Add(reader.GetString(0));
        return names;
    }
}

/// <summary>A step from one version of the schema to the next.</summary>
/// <param name="From">Version that it begins with; it ends with the next.</param>
/// <param name="Statements">What it does, in order; all of it happens or nothing.</param>
internal sealed record SqliteMigration(int From, IReadOnlyList<string> Statements)
{
    /// <summary>Does it.</summary>
    public void Run(SqliteConnection connection, SqliteTransaction transaction)
    {
        foreach (var statement in Statements)
            SqliteFile.Execute(connection, statement, transaction);
    }
}

/// <summary>Indexes beside those of the trace: what named queries find rows by.</summary>
internal static class SqliteIndexes
{
    /// <summary>Table and its columns.</summary>
    public static IReadOnlyList<(string Table, string Columns)> All { get; } = [("trace", "name")];
}
