using System.Globalization;
using EtwSerializerProfiler.Stores.ClickHouse;
using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Extraction.Workers;
using EtwSerializerProfiler.Stores.Queries;
using EtwSerializerProfiler.Stores.Reports;
using EtwSerializerProfiler.Stores.Sqlite;
using EtwSerializerProfiler.Stores.Tests.Fleet;

namespace EtwSerializerProfiler.Stores.Tests.ClickHouse;

/// <summary>Questions have the same answers in SQLite, in one ClickHouse server and in two shards.</summary>
[Collection(EngineTests.Name)]
[NeedsProgram("clickhouse-server", "clickhouse-server")]
public sealed class SameAnswersTests(ClickHouseFixture servers)
{
    // A double has 15 to 17 digits, and sums of some hundred numbers in another order differ in the last ones.
    private const double Rounding = 1e-12;

    // SQL that both accept according to docs/stores.md.
    private static readonly string[] s_queries =
    [
        "SELECT t.name, t.status, c.n FROM trace t INNER JOIN (SELECT trace AS of_trace, count(*) AS n, sum(cpu_ms) AS s FROM cause GROUP BY trace) c ON t.trace = c.of_trace ORDER BY t.name",
        "SELECT serializer, operation, median(wall_ms) AS middle, avg(wall_ms) AS mean, min(wall_ms) AS min_ms, max(wall_ms) AS max_ms, count(*) AS n FROM run GROUP BY serializer, operation HAVING n > 1 ORDER BY middle DESC, serializer, operation LIMIT 7",
        "SELECT trace FROM trace WHERE trace IN (SELECT trace FROM gc WHERE pause_ms > 0) ORDER BY trace",
        "SELECT count(*) AS n, count(DISTINCT trace) AS traces, sum(pause_ms) AS total FROM gc WHERE generation BETWEEN 0 AND 1 AND reason IS NOT NULL",
        "SELECT name || ':' || status AS label, coalesce(branch, 'none') AS b, CASE WHEN runs_found > 0 THEN 'some' ELSE 'none' END AS has, length(name) AS l, upper(status) AS u, substr(name, 1, 3) AS s FROM trace ORDER BY label",
        "SELECT name, bytes FROM trace WHERE name LIKE '%program%' OR NOT (status = 'extracted') ORDER BY name",
        "SELECT sum(pause_ms) AS s, max(pause_ms) AS m, median(wall_ms) AS middle, count(*) AS n FROM run WHERE serializer = 'none'",
        "SELECT trace, 'run' AS what, count(*) AS n FROM run GROUP BY trace UNION ALL SELECT trace, 'gc' AS what, count(*) AS n FROM gc GROUP BY trace",
        "SELECT 1.0 * sum(pause_ms) / nullif(sum(wall_ms), 0) AS share, 10 % 3 AS m, abs(-1.5) AS a, round(2.345, 1) AS r FROM run",
        StoreLosses.Sql,
    ];

    [Fact]
    public void Named_queries_and_others_answer_alike()
    {
        using var traces = new FleetTraces(recordings: 4);
        using var sqlite = new SqliteStore(Filled(traces, $"sqlite:{traces.Folder.Path}/all.db"));
        using var single = new ClickHouseStore(Filled(traces, servers.Single($"t{Guid.NewGuid():N}")));
        using var sharded = new ClickHouseStore(Filled(traces, servers.Sharded($"t{Guid.NewGuid():N}")));
        var answered = 0;
        foreach (var (name, sql) in NamedQueries.All.Select(query => (query.Name, query.Sql)).Concat(s_queries.Select(sql => (sql, sql))))
        {
            var expected = Ask(sqlite, sql);
            answered += expected.Count > 1 ? 1 : 0;
            foreach (var store in new[] { single, sharded })
                Compare(name, expected, Ask(store, sql));
        }

        // Comparing two empty results would also succeed.
        Assert.InRange(answered, s_queries.Length + 6, int.MaxValue);
    }

    private static StoreAddress Filled(FleetTraces traces, string store)
    {
        var address = StoreAddress.Parse(store);
        var summary = ExtractRun.Run(
            new ExtractRequest([traces.Traces], address) { Jobs = 1 },
            WorkerProgram.Find(),
            null,
            CancellationToken.None
        );
        Assert.Equal(traces.Count, summary.New + summary.Failed.Count);
        return address;
    }

    private static List<object?[]> Ask(ITraceStore store, string sql)
    {
        using var reader = store.Query(sql);
        var rows = new List<object?[]> { reader.Columns.Select(column => (object?)column.Name).ToArray() };
        while (reader.Next() is { } row)
            rows.Add(row);

        // A union has no order.
        return sql.Contains("UNION", StringComparison.Ordinal) ? [rows[0], .. rows.Skip(1).OrderBy(Line, StringComparer.Ordinal)] : rows;
    }

    private static void Compare(string name, List<object?[]> expected, List<object?[]> found)
    {
        Assert.True(expected.Count == found.Count, $"{name}: {found.Count} rows instead of {expected.Count}");
        for (var i = 0; i < expected.Count; i++)
            Assert.True(
                expected[i].Zip(found[i]).All(pair => Same(pair.First, pair.Second)),
                $"{name}, row {i}: {Line(found[i])} instead of {Line(expected[i])}"
            );
    }

    // A whole number may come as a double: SQLite's type is that of the value, ClickHouse's that of the column.
    private static bool Same(object? left, object? right) =>
        (left, right) switch
        {
            (null, null) => true,
            (string first, string second) => first == second,
            (null, _) or (_, null) or (string, _) or (_, string) => false,
            _ => Math.Abs(Convert.ToDouble(left, CultureInfo.InvariantCulture) - Convert.ToDouble(right, CultureInfo.InvariantCulture))
                <= Rounding * Math.Max(1, Math.Abs(Convert.ToDouble(left, CultureInfo.InvariantCulture))),
        };

    private static string Line(object?[] row) =>
        string.Join(" | ", row.Select(value => value is null ? "null" : Convert.ToString(value, CultureInfo.InvariantCulture)));
}
