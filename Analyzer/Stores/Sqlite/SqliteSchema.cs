using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;
using Microsoft.Data.Sqlite;

namespace EtwSerializerProfiler.Stores.Sqlite;

/// <summary>Creates the tables of a store's file, and upgrades those of earlier versions.</summary>
/// <remarks>
/// The version is in the file's header (<c>PRAGMA user_version</c>, 0 in a new file) and part of the transaction that creates the tables: a
/// process that ends midway leaves version 0 and no table. The file's application id distinguishes a store from databases of other
/// programs. Table <c>schema</c> has the version for readers without access to pragmas.
/// </remarks>
/// <param name="version">Version of the schema.</param>
/// <param name="tables">Its tables.</param>
/// <param name="indexes">Columns with an index, by table name; the trace column always has one.</param>
/// <param name="migrations">Steps from each earlier version to the next, starting with 1.</param>
internal sealed class SqliteSchema(
    int version,
    IReadOnlyList<StoreTable> tables,
    IReadOnlyList<(string Table, string Columns)> indexes,
    IReadOnlyList<SqliteMigration> migrations
)
{
    /// <summary>"ESPS", the application id of the file.</summary>
    private const int ApplicationId = 0x45535053;

    /// <summary>Table with the version.</summary>
    private const string VersionTable = "schema";

    /// <summary>The schema that this version of the program writes. A step adds the columns that the next version declares.</summary>
    public static SqliteSchema Current { get; } =
        new(
            StoreSchema.Version,
            StoreSchema.Tables,
            SqliteIndexes.All,
            [
                .. Enumerable
                    .Range(1, StoreSchema.Version - 1)
                    .Select(from => new SqliteMigration(
                        from,
                        [
                            .. StoreSchema.Tables.SelectMany(table =>
                                table
                                    .Columns.Where(column => column.Since == from + 1)
                                    .Select(column => $"ALTER TABLE {table.Name} ADD COLUMN {column.Name} {TypeOf(column.Type)}")
                            ),
                        ]
                    )),
            ]
        );

    /// <summary>Its tables.</summary>
    public IReadOnlyList<StoreTable> Tables => tables;

    /// <summary>Whether there is a step from an earlier version to the next one.</summary>
    internal bool HasStepFrom(int from) => migrations.Count(migration => migration.From == from) == 1;

    /// <summary>Whether a file has the tables of this version.</summary>
    /// <exception cref="StoreException">The file is from a newer version, or not a store.</exception>
    public bool IsCurrent(SqliteConnection connection, string path)
    {
        var found = SqliteFile.Number(connection, "PRAGMA user_version");
        var names = TableNames(connection);
        var isOurs = SqliteFile.Number(connection, "PRAGMA application_id") == ApplicationId;
        if (!isOurs && (names.Count > 0 || found != 0))
            throw new StoreException(
                new Problem(
                    "the file is a database of another program, not a store",
                    path,
                    "name the file of a store, or a new file to create one: 'esp-analyze extract PATH --store sqlite:FILE'"
                )
            );
        if (found > version)
            throw new StoreException(
                new Problem(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"the store has schema version {found}, but this program supports {version}"
                    ),
                    path,
                    "install the version of esp-analyze that wrote it, or extract into another file"
                )
            );
        return found == version;
    }

    /// <summary>Creates or upgrades the tables in one transaction, so that several processes may try at the same time.</summary>
    /// <exception cref="StoreException">The file is from a newer version, or not a store.</exception>
    public void CreateOrUpgrade(SqliteConnection connection, string path)
    {
        if (IsCurrent(connection, path))
            return;
        using var transaction = connection.BeginTransaction(deferred: false);
        if (IsCurrent(connection, path))
            return; // another process was faster
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

        void Execute(FormattableString statement) =>
            SqliteFile.Execute(connection, statement.ToString(CultureInfo.InvariantCulture), transaction);
    }

    /// <summary>The statement that creates a table.</summary>
    internal static string CreateStatement(StoreTable table) =>
        $"CREATE TABLE {table.Name} ({string.Join(", ", table.Columns.Select(column => $"{column.Name} {TypeOf(column.Type)}{(column.IsNullable ? "" : " NOT NULL")}"))})";

    /// <summary>Name of a type in SQLite.</summary>
    internal static string TypeOf(ColumnType type) =>
        type switch
        {
            ColumnType.Integer => "INTEGER",
            ColumnType.Real => "REAL",
            _ => "TEXT",
        };

    private void Create(SqliteConnection connection, SqliteTransaction transaction)
    {
        // The state after an incomplete creation is unknown.
        foreach (var name in TableNames(connection))
            SqliteFile.Execute(connection, $"DROP TABLE \"{name.Replace("\"", "\"\"", StringComparison.Ordinal)}\"", transaction);
        SqliteFile.Execute(connection, $"CREATE TABLE {VersionTable} (version INTEGER NOT NULL)", transaction);
        foreach (var table in tables)
        {
            SqliteFile.Execute(connection, CreateStatement(table), transaction);
            SqliteFile.Execute(
                connection,
                $"CREATE {(table.Name == TraceTable.Table.Name ? "UNIQUE " : "")}INDEX {table.Name}_{StoreTable.TraceColumn} ON {table.Name} ({StoreTable.TraceColumn})",
                transaction
            );
        }

        foreach (var (table, columns) in indexes)
            SqliteFile.Execute(
                connection,
                $"CREATE INDEX {table}_{columns.Replace(", ", "_", StringComparison.Ordinal)} ON {table} ({columns})",
                transaction
            );
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
/// <param name="From">The version to upgrade from.</param>
/// <param name="Statements">Its statements in order, executed in one transaction.</param>
internal sealed record SqliteMigration(int From, IReadOnlyList<string> Statements)
{
    /// <summary>Executes the step.</summary>
    public void Run(SqliteConnection connection, SqliteTransaction transaction)
    {
        foreach (var statement in Statements)
            SqliteFile.Execute(connection, statement, transaction);
    }
}

/// <summary>Indexes in addition to those of the trace, for the named queries.</summary>
internal static class SqliteIndexes
{
    /// <summary>Table and its columns.</summary>
    public static IReadOnlyList<(string Table, string Columns)> All { get; } = [("trace", "name")];
}
