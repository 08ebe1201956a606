using System.Security.Cryptography;
using System.Text;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>The statements that create a store's tables on one server.</summary>
/// <remarks>
/// <para>
/// For table <c>gc</c> of the schema: <c>gc_rows</c> has the rows, each with its load; <c>gc_of_shard</c> is a view of the rows of live
/// loads; in a cluster, <c>gc_everywhere</c> is a Distributed table over the views of all shards. <c>gc</c>, the name for queries, is a
/// view of one of these. <c>gc</c> itself cannot be a Distributed table: 18.16 sends a query with a join unchanged to the shards, which
/// then know neither the aliases of its tables nor the database of the right one. With a view, all joins work as on one server, and only
/// the necessary columns are transferred.
/// </para>
/// <para>
/// Tables are partitioned by the first digit of the trace, which is a part of its hash. One partition per trace would make replacing a
/// trace a drop of a partition, but was too slow: with 10,000 traces a table of 15 columns had 600,000 files, a query over all took 7.6 s,
/// and dropping the table 60 s (docs/internals/stores.md). <see cref="LoadSweep"/> deletes replaced rows later.
/// </para>
/// </remarks>
internal static class ClickHouseSchema
{
    /// <summary>Column with the number of a row's load.</summary>
    public const string LoadColumn = "esp_load";

    /// <summary>Column with the number of a row in its load and table.</summary>
    public const string NumberColumn = "esp_row";

    /// <summary>Table of loads (<see cref="LoadLog"/>).</summary>
    public const string Loads = "esp_loads";

    /// <summary><see cref="Loads"/> of all shards; only in a cluster.</summary>
    public const string LoadsEverywhere = "esp_loads_everywhere";

    /// <summary>View of the valid loads: trace and load.</summary>
    public const string Live = "esp_live";

    /// <summary>Column of <see cref="Live"/> with the load's number.</summary>
    public const string LiveColumn = "live_load";

    /// <summary>Table with the setup of this server.</summary>
    public const string Setup = "esp_setup";

    /// <summary><see cref="Setup"/> of all shards; only in a cluster.</summary>
    public const string SetupEverywhere = "esp_setup_everywhere";

    /// <summary>Name of the table with the rows of a schema table.</summary>
    public static string RowsOf(StoreTable table) => $"{table.Name}_rows";

    /// <summary>The tables with data by name, with the statements that create them.</summary>
    public static IReadOnlyList<(string Name, string Statement)> Tables { get; } =
    [
        (
            Setup,
            $"CREATE TABLE IF NOT EXISTS {Setup} (id String, version Int64, setup String, at DateTime DEFAULT now()) ENGINE = MergeTree PARTITION BY tuple() ORDER BY id"
        ),
        (
            Loads,
            $"CREATE TABLE IF NOT EXISTS {Loads} (trace String, {LoadColumn} UInt64, state UInt8, name String, status String, at UInt32 DEFAULT toUnixTimestamp(now())) ENGINE = MergeTree PARTITION BY tuple() ORDER BY (trace, {LoadColumn}, state)"
        ),
        .. StoreSchema.Tables.Select(table => (RowsOf(table), Rows(table))),
    ];

    /// <summary>The views and, in a cluster, the Distributed tables, in the order of their creation.</summary>
    public static IReadOnlyList<(string Name, string Statement)> Views(ClickHouseAddress address) =>
        [
            (
                Live,
                $"CREATE VIEW IF NOT EXISTS {Live} AS SELECT trace, max({LoadColumn}) AS {LiveColumn} FROM (SELECT trace, {LoadColumn}, max(state) AS highest FROM {Loads} GROUP BY trace, {LoadColumn}) AS loads WHERE highest = {LoadLog.Done} GROUP BY trace"
            ),
            .. address.Cluster is { } cluster ? Everywhere(cluster, address.Database) : [],
            .. StoreSchema.Tables.SelectMany(table => ViewsOf(table, address)),
        ];

    /// <summary>Short name of a server's setup; it changes with any of the statements.</summary>
    public static string Fingerprint(ClickHouseAddress address) =>
        Convert.ToHexStringLower(
            SHA256.HashData(Encoding.UTF8.GetBytes(string.Join('\n', Tables.Concat(Views(address)).Select(made => made.Statement))))
        )[..16];

    /// <summary>The schema's columns of a table of rows, with their types.</summary>
    public static IEnumerable<(string Name, string Type)> Columns(StoreTable table) =>
        table.Columns.Select(column => (column.Name, ClickHouseTypes.Of(column)));

    /// <summary>The columns of a table, separated by commas.</summary>
    public static string Names(StoreTable table) => string.Join(", ", table.Columns.Select(column => column.Name));

    /// <summary>The statement that precedes rows of <see cref="RowBinaryWriter"/>.</summary>
    public static string Insert(StoreTable table) =>
        $"INSERT INTO {RowsOf(table)} ({StoreTable.TraceColumn}, {LoadColumn}, {NumberColumn}, {string.Join(", ", table.Columns.Skip(1).Select(column => column.Name))}) FORMAT RowBinary";

    private static string Rows(StoreTable table)
    {
        var columns = string.Join(", ", Columns(table).Skip(1).Select(column => $"{column.Name} {column.Type}"));
        return $"CREATE TABLE IF NOT EXISTS {RowsOf(table)} ({StoreTable.TraceColumn} String, {LoadColumn} UInt64, {NumberColumn} UInt32, {columns}) ENGINE = MergeTree PARTITION BY substring({StoreTable.TraceColumn}, 1, 1) "
            + $"ORDER BY ({StoreTable.TraceColumn}, {LoadColumn}, {NumberColumn})";
    }

    private static IEnumerable<(string Name, string Statement)> ViewsOf(StoreTable table, ClickHouseAddress address)
    {
        var (ofShard, everywhere) = ($"{table.Name}_of_shard", $"{table.Name}_everywhere");
        yield return (
            ofShard,
            $"CREATE VIEW IF NOT EXISTS {ofShard} AS SELECT {Names(table)} FROM {RowsOf(table)} WHERE (trace, {LoadColumn}) IN (SELECT trace, {LiveColumn} FROM {Live})"
        );
        if (address.Cluster is { } cluster)
        {
            var columns = string.Join(", ", Columns(table).Select(column => $"{column.Name} {column.Type}"));
            yield return (
                everywhere,
                $"CREATE TABLE IF NOT EXISTS {everywhere} ({columns}) ENGINE = Distributed({Quoted(cluster)}, {address.Database}, {ofShard})"
            );
        }

        yield return (
            table.Name,
            $"CREATE VIEW IF NOT EXISTS {table.Name} AS SELECT {Names(table)} FROM {(address.Cluster is null ? ofShard : everywhere)}"
        );
    }

    private static IEnumerable<(string Name, string Statement)> Everywhere(string cluster, string database) =>
        [
            (
                SetupEverywhere,
                $"CREATE TABLE IF NOT EXISTS {SetupEverywhere} (id String) ENGINE = Distributed({Quoted(cluster)}, {database}, {Setup})"
            ),
            (
                LoadsEverywhere,
                $"CREATE TABLE IF NOT EXISTS {LoadsEverywhere} (trace String, {LoadColumn} UInt64, state UInt8, name String, at UInt32) ENGINE = Distributed({Quoted(cluster)}, {database}, {Loads})"
            ),
        ];

    private static string Quoted(string name) => $"`{name}`";
}
