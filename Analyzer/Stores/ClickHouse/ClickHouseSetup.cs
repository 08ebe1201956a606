using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.ClickHouse;

/// <summary>Creates the tables of a store on its servers, and repairs what killed workers left.</summary>
/// <param name="cluster">The servers.</param>
/// <param name="sweep">Deletes rows of invalid loads.</param>
internal sealed class ClickHouseSetup(ClickHouseCluster cluster, LoadSweep sweep)
{
    private const int UnknownTable = 60;
    private const int UnknownDatabase = 81;
    private const int TableExists = 57;

    private const int Attempts = 8;

    // Maximum seconds between the row that makes a worker's load valid and those that withdraw earlier loads.
    private const int SettlingSeconds = 60;

    private readonly string _fingerprint = ClickHouseSchema.Fingerprint(cluster.Address);

    /// <summary>Creates whatever is missing on every server. Several processes may run it at the same time.</summary>
    /// <exception cref="ServerFailure">A server does not answer or refuses this user.</exception>
    /// <exception cref="StoreException">The store has a newer version, or the shards are not those of the cluster.</exception>
    public void Run()
    {
        foreach (var server in cluster.Shards.Append(cluster.Front).DistinctBy(server => server.Server))
            Run(server);
        if (cluster.Address.Cluster is not null)
            CheckShards();
        Settle();
        foreach (var shard in cluster.Shards)
            sweep.Run(shard);
    }

    // Two workers that upgrade a store may delete each other's views; a second attempt finds those of the other.
    private void Run(ClickHouseServer server)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                Make(server);
                return;
            }
            catch (ServerFailure failure) when (failure.Code is UnknownTable or TableExists && attempt < Attempts)
            {
                Thread.Sleep(100 * attempt);
            }
        }
    }

    private void Make(ClickHouseServer server)
    {
        var found = Found(server);
        if (found == _fingerprint)
            return;
        server.Execute($"CREATE DATABASE IF NOT EXISTS {cluster.Address.Database}", inDatabase: false);
        foreach (var (_, statement) in ClickHouseSchema.Tables)
            server.Execute(statement);
        var views = ClickHouseSchema.Views(cluster.Address);
        if (found is not null)
        {
            // From an earlier version, or from a single server that is now in a cluster.
            AddColumns(server);
            foreach (var (name, _) in views.Reverse())
                server.Execute($"DROP TABLE IF EXISTS {name}");
        }

        foreach (var (_, statement) in views)
            server.Execute(statement);
        server.Execute(
            string.Create(
                CultureInfo.InvariantCulture,
                $"INSERT INTO {ClickHouseSchema.Setup} (id, version, setup) VALUES ('{Guid.NewGuid():N}', {StoreSchema.Version}, '{_fingerprint}')"
            )
        );
    }

    /// <summary>The last setup of a server; null when there was none.</summary>
    private static string? Found(ClickHouseServer server)
    {
        try
        {
            var rows = server.Rows($"SELECT version, setup FROM {ClickHouseSchema.Setup} ORDER BY at DESC, version DESC");
            var latest = rows.Select(row => (long)row[0]!).DefaultIfEmpty().Max();
            return latest > StoreSchema.Version
                    ? throw new StoreException(
                        new Problem(
                            string.Create(
                                CultureInfo.InvariantCulture,
                                $"the store has schema version {latest}, but this program supports {StoreSchema.Version}"
                            ),
                            server.Name,
                            "install the version of esp-analyze that wrote it, or use another database"
                        )
                    )
                : rows.Count == 0 ? null
                : (string)rows[0][1]!;
        }
        catch (ServerFailure failure) when (failure.Code is UnknownTable or UnknownDatabase)
        {
            return null;
        }
    }

    /// <summary>Adds columns that an earlier version of the schema did not have.</summary>
    private void AddColumns(ClickHouseServer server)
    {
        var found = server
            .Rows($"SELECT table, name FROM system.columns WHERE database = '{cluster.Address.Database}'", inDatabase: false)
            .Select(row => ((string)row[0]!, (string)row[1]!))
            .ToHashSet();
        foreach (var table in StoreSchema.Tables)
        {
            foreach (
                var (name, type) in ClickHouseSchema
                    .Columns(table)
                    .Where(column => !found.Contains((ClickHouseSchema.RowsOf(table), column.Name)))
            )
                server.Execute($"ALTER TABLE {ClickHouseSchema.RowsOf(table)} ADD COLUMN {name} {type}");
        }
    }

    /// <summary>Checks that rows are written to the same servers from which queries read. Each server has a unique id.</summary>
    private void CheckShards()
    {
        // Another worker may add ids meanwhile: ids from before must be readable, and readable ids must exist afterwards.
        var before = Written();
        var read = Ids(cluster.Front, ClickHouseSchema.SetupEverywhere).ToHashSet();
        if (!before.IsSubsetOf(read) || !read.IsSubsetOf(Written()))
        {
            throw new StoreException(
                new Problem(
                    $"the servers {string.Join(", ", cluster.Shards.Select(shard => ClickHouseAddress.Origin(shard.Server)))} are not the shards of cluster {cluster.Address.Cluster}",
                    cluster.Address.ToString(),
                    "write &shards=HOST:PORT,HOST:PORT with the HTTP ports of its shards in order"
                )
            )
            {
                IsUsage = true,
            };
        }
    }

    private HashSet<string> Written() => [.. cluster.Shards.SelectMany(shard => Ids(shard, ClickHouseSchema.Setup))];

    private static IEnumerable<string> Ids(ClickHouseServer server, string table) =>
        server.Rows($"SELECT DISTINCT id FROM {table}").Select(row => (string)row[0]!);

    /// <summary>
    /// Repairs the store after a worker was killed between making its load valid and withdrawing earlier loads, which leaves a name or a
    /// content twice.
    /// </summary>
    private void Settle()
    {
        foreach (var name in Twice("name"))
            Keep(
                cluster.Shards.SelectMany(shard => new LoadLog(shard).Named(name).Select(load => (shard, load))),
                loads => loads.MaxBy(live => live.Load.Number)
            );
        foreach (var trace in Twice("trace"))
            Keep(
                cluster.Shards.SelectMany(shard => new LoadLog(shard).Of(trace).Select(load => (shard, load))),
                loads => loads.First(live => live.Load == TraceLoad.Kept(loads.Select(other => other.Load)))
            );
    }

    private static void Keep(
        IEnumerable<(ClickHouseServer Shard, TraceLoad Load)> loads,
        Func<IReadOnlyList<(ClickHouseServer Shard, TraceLoad Load)>, (ClickHouseServer Shard, TraceLoad Load)> which
    )
    {
        var live = loads.Where(live => live.Load.IsDone).ToList();
        if (live.Count < 2)
            return;
        var kept = which(live);
        foreach (var (shard, load) in live.Where(other => other != kept))
            new LoadLog(shard).Withdraw(load);
    }

    private List<string> Twice(string column)
    {
        var loads = cluster.Address.Cluster is null ? ClickHouseSchema.Loads : ClickHouseSchema.LoadsEverywhere;
        return
        [
            .. cluster
                .Front.Rows(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"SELECT which FROM (SELECT any({column}) AS which, max(state) AS highest, max(at) AS latest FROM {loads} GROUP BY trace, {ClickHouseSchema.LoadColumn}) AS loads WHERE highest = {LoadLog.Done} AND latest + {SettlingSeconds} < toUnixTimestamp(now()) GROUP BY which HAVING count() > 1"
                    )
                )
                .Select(row => (string)row[0]!),
        ];
    }
}
