using System.Globalization;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Stores.Queries;
using EtwSerializerProfiler.Stores.Rows;
using EtwSerializerProfiler.Stores.Sqlite;
using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Stores.Tests.Queries;

/// <summary>Answers of named queries, from rows for which the answers are known.</summary>
public sealed class NamedQueryTests(FilledStore filled) : IClassFixture<FilledStore>, IDisposable
{
    private readonly TempFolder _folder = new();

    public static TheoryData<string> Names => [.. NamedQueries.All.Select(query => query.Name)];

    public void Dispose() => _folder.Dispose();

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_query_is_answered_by_an_empty_store_and_by_a_filled_one(string name)
    {
        using (var empty = Open())
        {
            empty.Prepare();
            Assert.Empty(Rows(empty, name));
        }

        using var store = new SqliteStore(StoreAddress.Parse(filled.Store));
        var rows = Rows(store, name);
        Assert.True(rows.Count > 0 || name is "failed" or "runtimes" or "regressions", name);
    }

    /// <summary>No query uses SQL that SQLite accepts and ClickHouse 18 rejects; descriptions have no period.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void Every_query_uses_only_SQL_of_both_engines(string name)
    {
        var sql = NamedQueries.Find(name).Sql;

        Assert.DoesNotMatch(@"(?i)\bWITH\b|\bOVER\b|\bPARTITION\b|\bON\b|\bIIF\b|\bIFNULL\b|\bFILTER\b|::", sql);
        Assert.False(NamedQueries.Find(name).Description.EndsWith('.'));
    }

    [Fact]
    public void Regressions_compare_the_latest_with_the_20_before_it()
    {
        using var store = Open();
        for (var day = 1; day <= 25; day++)
            store.Replace(
                Trace(
                    day,
                    "main",
                    "A",
                    "net10",
                    day <= 4 ? 1
                        : day == 25 ? 150
                        : 90 + day
                )
            );
        for (var day = 1; day <= 3; day++)
            store.Replace(Trace(day, "topic", "A", "net10", day == 3 ? 50 : 100));
        store.Replace(Trace(9, "lonely", "A", "net10", 10));

        var rows = Rows(store, "regressions");

        // Days 5 to 24 are the 20 before the latest: 95 to 114.
        Assert.Equal(2, rows.Count);
        Assert.Equal(("main", "2026-11-25 03:00:00", 150.0, 104.5, 150 / 104.5, 95.0, 114.0, 20L), Of(rows[0]));
        Assert.Equal(("topic", "2026-11-03 03:00:00", 50.0, 100.0, 0.5, 100.0, 100.0, 2L), Of(rows[1]));

        static (object?, object?, object?, object?, object?, object?, object?, object?) Of(Dictionary<string, object?> row) =>
            (
                row["branch_name"],
                row["latest_utc"],
                row["latest_ms"],
                row["before_ms"],
                row["ratio"],
                row["before_min_ms"],
                row["before_max_ms"],
                row["traces_before"]
            );
    }

    [Fact]
    public void Runtimes_are_compared_with_the_fastest_of_the_same_test()
    {
        using var store = Open();
        store.Replace(Trace(1, "main", "A", "net8", 30));
        store.Replace(Trace(2, "main", "A", "net8", 50));
        store.Replace(Trace(3, "main", "A", "net10", 20));
        store.Replace(Trace(4, "main", "B", "net10", 20));

        var rows = Rows(store, "runtimes");

        Assert.Equal(
            [("net10", 20.0, 1.0), ("net8", 40.0, 2.0)],
            rows.Select(row => ((string)row["runtime"]!, (double)row["median_ms"]!, (double)row["times_the_fastest"]!))
        );
    }

    [Fact]
    public void Serializers_by_time_per_object()
    {
        using var store = Open();
        store.Replace(Trace(1, "main", "Fast", "net10", 1));
        store.Replace(Trace(2, "main", "Slow", "net10", 10));
        store.Replace(Trace(3, "main", "Slow", "net10", 30));

        var rows = Rows(store, "slowest-serializers");

        Assert.Equal(
            [("Slow", 2L, 20.0, 20.0), ("Fast", 1L, 1.0, 1.0)],
            rows.Select(row => ((string)row["serializer"]!, (long)row["traces"]!, (double)row["median_ms"]!, (double)row["us_per_object"]!))
        );
        Assert.Empty(Rows(store, "slowest-deserializers"));
    }

    [Fact]
    public void Pauses_and_allocations()
    {
        using var store = Open();
        store.Replace(Trace(1, "main", "A", "net10", 100));
        store.Replace(Trace(2, "main", "A", "net10", 300));

        var pauses = Assert.Single(Rows(store, "gc-pauses"));
        Assert.Equal(
            (2L, 2L, 20.0, 10.0, 5.0),
            (
                (long)pauses["traces"]!,
                (long)pauses["gcs_0"]!,
                (double)pauses["total_pause_ms"]!,
                (double)pauses["max_pause_ms"]!,
                (double)pauses["pause_percent"]!
            )
        );
        var allocations = Assert.Single(Rows(store, "allocations"));
        Assert.Equal((2L, 64.0), ((long)allocations["traces"]!, (double)allocations["bytes_per_object"]!));
    }

    [Fact]
    public void Traces_that_failed()
    {
        using var store = Open();
        store.Replace(MadeTraces.Make("00000000000000aa", "/a", status: StoredTrace.Failed));
        store.Replace(MadeTraces.Make("00000000000000bb", "/b"));

        Assert.Equal("/a", Assert.Single(Rows(store, "failed"))["name"]);
    }

    [Fact]
    public void An_unknown_name_is_refused_with_a_similar_one()
    {
        var problem = Assert.Throws<StoreException>(() => NamedQueries.Find("gc-puases")).Problem;

        Assert.Contains("'gc-puases'", problem.What, StringComparison.Ordinal);
        Assert.Contains("gc-pauses", problem.Fix, StringComparison.Ordinal);
    }

    private SqliteStore Open() => new(StoreAddress.Parse(Path.Combine(_folder.Path, "all.db")));

    private static List<Dictionary<string, object?>> Rows(SqliteStore store, string name)
    {
        var rows = new List<Dictionary<string, object?>>();
        using var reader = store.Query(NamedQueries.Find(name).Sql);
        while (reader.Next() is { } row)
            rows.Add(reader.Columns.Zip(row).ToDictionary(pair => pair.First.Name, pair => pair.Second));
        return rows;
    }

    /// <summary>
    /// A trace of one day with one row: one run of 1,000 objects with the given time, with a pause of 10 ms and 64 bytes an object.
    /// </summary>
    private static TraceRows Trace(int day, string branch, string serializer, string runtime, double milliseconds)
    {
        var trace = string.Create(
            CultureInfo.InvariantCulture,
            $"{(uint)string.GetHashCode(branch + serializer + runtime, StringComparison.Ordinal):x8}{day:x8}"
        );
        var rows = new TraceRows(
            new StoredTrace
            {
                Trace = trace,
                ContentHash = trace,
                Name = $"/traces/{trace}",
                Status = StoredTrace.Extracted,
                Format = "recording",
                Bytes = 1,
                RecordedUtc = $"2026-11-{day:00} 03:00:00",
                Branch = branch,
                Program = "suite",
                Runtime = runtime,
                MachineClass = "class",
            }
        );
        var run = new Run
        {
            Process = new ProcessKey("", 1),
            RunId = 1,
            Runtime = runtime,
            Identity = new RunIdentity(serializer, "lib", "1.0", RunOperation.Serialize, RunKind.Measured, 1000, 0, 1, 1),
            Delimiter = RunDelimiter.Marks,
            StartTicks = 0,
            StopTicks = 1,
            StartMs = 0,
            StopMs = milliseconds,
            WallMs = milliseconds,
            Gcs = new GcCounts(1, 0, 0),
            PauseTotalMs = 10,
            PauseMaxMs = 10,
            AllocatedBytes = 64_000,
            AllocatedBytesSource = Analysis.Runs.AllocationSource.SelfReported,
        };
        rows.Add(ResultTable.Table, new StoredResult(new SummaryRow(SummaryKey.Of(run), [run]), IsFirstUse: false));
        return rows;
    }
}
