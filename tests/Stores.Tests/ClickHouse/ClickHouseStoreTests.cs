using System.Globalization;
using EtwSerializerProfiler.Stores.ClickHouse;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Sqlite;
using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Stores.Tests.Fleet;

namespace EtwSerializerProfiler.Stores.Tests.ClickHouse;

/// <summary>The store in real ClickHouse servers.</summary>
[Collection(EngineTests.Name)]
[NeedsProgram("clickhouse-server", "clickhouse-server")]
public sealed class ClickHouseStoreTests(ClickHouseFixture servers)
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void It_holds_the_same_rows_as_SQLite(bool isSharded)
    {
        using var store = Store(isSharded);
        using var folder = new TempFolder();
        using var sqlite = new SqliteStore(StoreAddress.Parse($"sqlite:{folder.Path}/all.db"));
        Steps(store);
        Steps(sqlite);
        Assert.Equal(MadeTraces.Dump(sqlite).Order(StringComparer.Ordinal), MadeTraces.Dump(store).Order(StringComparer.Ordinal));
        Assert.Equal(sqlite.Traces(), store.Traces());
        Assert.Equal(
            MadeTraces.Dump(sqlite, ["a1", "c3"]).Order(StringComparer.Ordinal),
            MadeTraces.Dump(store, ["a1", "c3"]).Order(StringComparer.Ordinal)
        );
        Assert.Equal(Ask(sqlite, Counts), Ask(store, Counts));

        static void Steps(ITraceStore store)
        {
            store.Prepare();
            store.Prepare();
            for (var i = 0; i < 12; i++)
                store.Replace(MadeTraces.Make($"a{i}", $"/t/a{i}", rows: i * 10));

            // The same twice, other content under the same name, another name for the same content (sorting before and after the existing
            // one), failures that are retried.
            store.Replace(MadeTraces.Make("a3", "/t/a3", rows: 30));
            store.Replace(MadeTraces.Make("c4", "/t/a4", rows: 4));
            store.Replace(MadeTraces.Make("a5", "/t/b5", rows: 5));
            store.Replace(MadeTraces.Make("a6", "/t/A6", rows: 6));
            store.Replace(MadeTraces.Make("c3", "/t/c3", rows: 0, StoredTrace.Failed));
            store.Replace(MadeTraces.Make("c7", "/t/c7", rows: 0, StoredTrace.Failed));
            store.Replace(MadeTraces.Make("c7", "/t/c7", rows: 7));
            store.Replace(MadeTraces.Make("a8", "/t/c7", rows: 8));
        }
    }

    [Fact]
    public void Traces_lie_on_both_shards_and_each_on_one()
    {
        using var store = Store(isSharded: true);
        store.Prepare();
        for (var i = 0; i < 30; i++)
            store.Replace(MadeTraces.Make(Key(i), $"/t/{i}", rows: 2));
        var shards = servers
            .Nodes.Select(node => new ClickHouseStore(StoreAddress.Parse($"clickhouse:http://{node.Http}/{Database(store)}")))
            .ToList();
        try
        {
            var found = shards
                .Select(shard => Ask(shard, "SELECT trace, count(*) AS n FROM cause_rows GROUP BY trace ORDER BY trace"))
                .ToList();
            Assert.All(found, rows => Assert.InRange(rows.Count, 5, 25));
            Assert.Equal(30, found.SelectMany(rows => rows).Distinct().Count());
            Assert.All(found.SelectMany(rows => rows), row => Assert.EndsWith(" | 2", row, StringComparison.Ordinal));
        }
        finally
        {
            shards.ForEach(shard => shard.Dispose());
        }
    }

    [Fact]
    public async Task Two_workers_with_the_same_traces_leave_each_once()
    {
        var database = NewDatabase();
        var tasks = Enumerable
            .Range(0, 3)
            .Select(worker =>
                Task.Run(
                    () =>
                    {
                        using var store = new ClickHouseStore(StoreAddress.Parse(servers.Sharded(database)));
                        store.Prepare();

                        // The same content has other names at other workers; the one that sorts first stays.
                        for (var i = 0; i < 6; i++)
                            store.Replace(MadeTraces.Make(Key(i), $"/t/{worker}/{i}", rows: 20));
                    },
                    TestContext.Current.CancellationToken
                )
            )
            .ToArray();
        await Task.WhenAll(tasks);
        using var store = new ClickHouseStore(StoreAddress.Parse(servers.Sharded(database)));
        Assert.Equal(
            Enumerable
                .Range(0, 6)
                .SelectMany(i => MadeTraces.Dump(MadeTraces.Make(Key(i), $"/t/0/{i}", rows: 20)))
                .Order(StringComparer.Ordinal),
            MadeTraces.Dump(store).Order(StringComparer.Ordinal)
        );
    }

    [Fact]
    public void A_load_that_did_not_end_is_not_seen_and_goes()
    {
        using var store = Store(isSharded: true, sweepSeconds: -10);
        store.Prepare();
        store.Replace(MadeTraces.Make("a1", "/t/a1", rows: 5));

        // A worker that was killed: its rows are in the store, without the row that makes them valid.
        var rows = MadeTraces.Make("a1", "/t/a1", rows: 7);
        using var cluster = new ClickHouseCluster(ClickHouseAddress.Parse(store.Address.Place, static _ => null));
        var shard = cluster.ShardOf("a1");
        var number = new LoadLog(shard).Begin(rows.Trace, 0);
        using var writer = new RowBinaryWriter();
        foreach (var (row, i) in rows.Of(CauseTable.Table).Select((row, i) => (row, (uint)i)))
            writer.Add(CauseTable.Table, row, number, i);
        shard.Insert(ClickHouseSchema.Insert(CauseTable.Table), writer.Finish());
        Assert.Equal(12L, shard.Rows("SELECT count() AS n FROM cause_rows")[0][0]);
        Assert.Equal(MadeTraces.Dump(MadeTraces.Make("a1", "/t/a1", rows: 5)), MadeTraces.Dump(store));
        Assert.Equal(["5"], Ask(store, "SELECT count(*) AS n FROM cause"));

        store.Prepare();
        EngineProcess.Until(() => (long)shard.Rows("SELECT count() AS n FROM cause_rows")[0][0]! == 5, () => "the rows did not go");
        Assert.Equal(["5"], Ask(store, "SELECT count(*) AS n FROM cause"));

        // A deleted trace can no longer be finished.
        EngineProcess.Until(() => !new LoadLog(shard).Of("a1").Exists(load => load.State == LoadLog.Begun), () => "the load did not go");
        Assert.Throws<ServerFailure>(() => new LoadLog(shard).Finish("a1", number));
        Assert.Equal(MadeTraces.Dump(MadeTraces.Make("a1", "/t/a1", rows: 5)), MadeTraces.Dump(store));
    }

    [Fact]
    public void What_a_worker_left_that_was_killed_between_two_loads_is_settled()
    {
        using var store = Store(isSharded: true);
        store.Prepare();
        using var cluster = new ClickHouseCluster(ClickHouseAddress.Parse(store.Address.Place, static _ => null));
        var other = Enumerable.Range(0, 100).Select(Key).First(key => cluster.ShardOf(key) != cluster.ShardOf("a1"));

        // The trace changed long ago, and is on the other shard now.
        foreach (var (trace, number) in new[] { ("a1", 7), (other, 8) })
        {
            cluster
                .ShardOf(trace)
                .Execute(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"INSERT INTO esp_loads (trace, esp_load, state, name, status, at) VALUES ('{trace}', {number}, 1, '/t/a1', 'extracted', 1)"
                    )
                );
            cluster
                .ShardOf(trace)
                .Execute(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"INSERT INTO trace_rows (trace, esp_load, name) VALUES ('{trace}', {number}, '/t/a1')"
                    )
                );
        }

        Assert.Equal(2, store.Traces().Count);
        store.Prepare();
        Assert.Equal(other, Assert.Single(store.Traces()).Trace);
    }

    [Fact]
    public void A_shard_that_is_down_fails_every_query_and_names_the_shard()
    {
        // Separate servers, because those of the fixture stay up.
        using var first = new ClickHouseNode();
        using var second = new ClickHouseNode();
        first.Start([first, second]);
        second.Start([first, second]);
        using var store = new ClickHouseStore(
            StoreAddress.Parse($"clickhouse:http://{first.Http}/t?cluster={ClickHouseNode.Cluster}&shards={first.Http},{second.Http}"),
            NoRetries
        );
        store.Prepare();
        for (var i = 0; i < 10; i++)
            store.Replace(MadeTraces.Make(Key(i), $"/t/{i}", rows: 2));
        Assert.Equal(["20"], Ask(store, "SELECT count(*) AS n FROM cause"));

        second.Kill();
        foreach (
            var sql in new[]
            {
                "SELECT count(*) AS n FROM cause",
                "SELECT t.name, c.cpu_ms FROM cause c JOIN trace t ON c.trace = t.trace",
                "SELECT trace FROM trace WHERE trace IN (SELECT trace FROM cause)",
            }
        )
        {
            var exception = Assert.Throws<StoreException>(() => store.Query(sql));
            Assert.False(exception.IsUsage);
            Assert.Equal(
                $"shard 2 of 2 ({second.Native}) of cluster {ClickHouseNode.Cluster} does not answer, and partial results would be misleading",
                exception.Problem.What
            );
            Assert.Equal($"http://{first.Http}/t", exception.Problem.Where);
        }

        foreach (
            var action in new Action[]
            {
                () => store.Traces(),
                () => MadeTraces.Dump(store),
                () => store.Replace(MadeTraces.Make("a1", "/t/a1")),
            }
        )
            Assert.Contains(second.Http, Assert.Throws<StoreException>(action).Problem.Where, StringComparison.Ordinal);

        // It is complete again when the shard is back.
        second.Start([first, second]);
        Assert.Equal(["20"], Ask(store, "SELECT count(*) AS n FROM cause"));
        store.Replace(MadeTraces.Make("a1", "/t/a1", rows: 2));
        Assert.Equal(["22"], Ask(store, "SELECT count(*) AS n FROM cause"));
    }

    [Fact]
    public void A_query_gives_names_types_and_values()
    {
        using var store = Store(isSharded: false);
        store.Prepare();
        store.Replace(MadeTraces.Make("a1", "/t/a1\t\\\n'ü", rows: 2));
        using var reader = store.Query(
            "SELECT name AS n, bytes AS b, duration_ms AS d, branch AS br, commit_id AS c, 1.0 / 0 AS nothing, 1 = 1 AS yes FROM trace -- why\n;\n"
        );
        Assert.Equal(
            [
                ("n", ColumnType.Text),
                ("b", ColumnType.Integer),
                ("d", ColumnType.Real),
                ("br", ColumnType.Text),
                ("c", ColumnType.Text),
                ("nothing", ColumnType.Real),
                ("yes", ColumnType.Integer),
            ],
            reader.Columns.Select(column => (column.Name, column.Type))
        );
        Assert.Equal(["/t/a1\t\\\n'ü", long.MaxValue, 0.1 + 0.2, "main", null, null, 1L], reader.Next()!);
        Assert.Null(reader.Next());
    }

    [Theory]
    [InlineData("SELEC 1", "the query is invalid: Syntax error")]
    [InlineData("SELECT nosuch FROM gc", "the query is invalid: Unknown identifier")]
    [InlineData("SELECT 1 AS a FROM nosuch", "the query is invalid: Table")]
    [InlineData("SELECT 1; SELECT 2", "the text has more than one statement")]
    [InlineData("DROP TABLE gc_rows", "the query would write, but only 'extract' may write to a store")]
    [InlineData("INSERT INTO gc_rows (trace) VALUES ('a')", "the query would write, but only 'extract' may write to a store")]
    [InlineData(" ;", "the query is invalid: it contains no statement")]
    [InlineData("SELECT 1 AS a FORMAT JSON", "the server's answer has an unexpected format")]
    public void A_wrong_query_is_the_askers_error(string sql, string what)
    {
        using var store = Store(isSharded: false);
        store.Prepare();
        var exception = Assert.Throws<StoreException>(() => store.Query(sql));
        Assert.StartsWith(what, exception.Problem.What, StringComparison.Ordinal);
        Assert.NotEmpty(exception.Problem.Fix);
        Assert.NotEmpty(exception.Problem.Where);
        Assert.DoesNotContain('\n', exception.Problem.What);
    }

    [Fact]
    public void A_database_that_is_not_there_and_a_user_that_is_not_let_in_are_reported()
    {
        using var absent = Store(isSharded: false);
        Assert.StartsWith("unknown database", Assert.Throws<StoreException>(() => absent.Traces()).Problem.What, StringComparison.Ordinal);
        using var stranger = new ClickHouseStore(StoreAddress.Parse($"{servers.Single(NewDatabase())}?user=reader&password=geheim"));
        var exception = Assert.Throws<StoreException>(stranger.Prepare);
        Assert.StartsWith("the server refuses this user", exception.Problem.What, StringComparison.Ordinal);
        Assert.DoesNotContain("geheim", exception.ToString(), StringComparison.Ordinal);
        using var reader = new ClickHouseStore(StoreAddress.Parse($"{servers.Single(NewDatabase())}?user=reader&password=word"));
        reader.Prepare();
        Assert.Empty(reader.Traces());
    }

    [Fact]
    public void A_cluster_that_is_not_there_or_has_other_servers_is_reported()
    {
        using var unknown = new ClickHouseStore(StoreAddress.Parse($"{servers.Single(NewDatabase())}?cluster=other"));
        var exception = Assert.Throws<StoreException>(unknown.Prepare);
        Assert.Equal("unknown cluster other", exception.Problem.What);
        Assert.Contains(ClickHouseNode.Cluster, exception.Problem.Fix, StringComparison.Ordinal);
        using var few = new ClickHouseStore(
            StoreAddress.Parse($"{servers.Single(NewDatabase())}?cluster=fleet&shards={servers.Nodes[0].Http}")
        );
        Assert.Equal("the URL names 1 shards, and cluster fleet has 2", Assert.Throws<StoreException>(few.Prepare).Problem.What);
        using var stranger = new ClickHouseNode();
        stranger.Start([stranger]);
        using var wrong = new ClickHouseStore(
            StoreAddress.Parse($"{servers.Single(NewDatabase())}?cluster=fleet&shards={servers.Nodes[0].Http},{stranger.Http}"),
            NoRetries
        );
        Assert.NotNull(Record.Exception(wrong.Prepare) as StoreException);
    }

    [Fact]
    public void A_store_of_a_later_version_is_refused_and_one_of_an_earlier_brought_up_to_date()
    {
        using var store = Store(isSharded: false);
        store.Prepare();
        store.Replace(MadeTraces.Make("a1", "/t/a1", rows: 2));
        using var cluster = new ClickHouseCluster(ClickHouseAddress.Parse(store.Address.Place, static _ => null));

        // As if table loss had no column text before.
        cluster.Front.Execute("DROP TABLE loss");
        cluster.Front.Execute("ALTER TABLE loss_rows DROP COLUMN text");
        cluster.Front.Execute("INSERT INTO esp_setup (id, version, setup, at) VALUES ('x', 0, 'other', now() + 100)");
        store.Prepare();
        Assert.Equal([""], Ask(store, "SELECT text FROM loss"));
        store.Replace(MadeTraces.Make("a1", "/t/a1", rows: 2));
        Assert.Equal(MadeTraces.Dump(MadeTraces.Make("a1", "/t/a1", rows: 2)), MadeTraces.Dump(store));

        cluster.Front.Execute("INSERT INTO esp_setup (id, version, setup) VALUES ('x', 99, 'other')");
        Assert.StartsWith(
            "the store has schema version 99",
            Assert.Throws<StoreException>(store.Prepare).Problem.What,
            StringComparison.Ordinal
        );
    }

    private const string Counts =
        "SELECT t.name, t.status, c.n FROM trace t JOIN (SELECT trace AS of, count(*) AS n FROM cause GROUP BY trace) c ON t.trace = c.of ORDER BY t.name";

    private static Retries NoRetries => new([], static _ => { });

    private static string Key(int i) => string.Create(CultureInfo.InvariantCulture, $"{(ulong)(i + 1) * 0x9E3779B97F4A7C15UL:x16}");

    private static string NewDatabase() => $"t{Guid.NewGuid():N}";

    private static string Database(ClickHouseStore store) => ClickHouseAddress.Parse(store.Address.Place, static _ => null).Database;

    private static List<string> Ask(ITraceStore store, string sql)
    {
        using var reader = store.Query(sql);
        var lines = new List<string>();
        while (reader.Next() is { } row)
            lines.Add(string.Join(" | ", row.Select(value => Convert.ToString(value, CultureInfo.InvariantCulture))));
        return lines;
    }

    private ClickHouseStore Store(bool isSharded, long sweepSeconds = 3600)
    {
        var database = NewDatabase();
        return new ClickHouseStore(
            StoreAddress.Parse(isSharded ? servers.Sharded(database) : servers.Single(database)),
            NoRetries,
            sweepSeconds
        );
    }
}
