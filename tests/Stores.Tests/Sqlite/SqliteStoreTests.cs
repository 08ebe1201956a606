using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Sqlite;
using EtwSerializerProfiler.Stores.Tables;
using Microsoft.Data.Sqlite;

namespace EtwSerializerProfiler.Stores.Tests.Sqlite;

public sealed class SqliteStoreTests : IDisposable
{
    private readonly TempFolder _folder = new();

    private string File => Path.Combine(_folder.Path, "all.db");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Rows_come_out_as_they_went_in()
    {
        using var store = Open();
        var (first, second) = (MadeTraces.Make("00000000000000aa", "/b"), MadeTraces.Make("00000000000000bb", "/a", rows: 2));
        store.Replace(first);
        store.Replace(second);

        Assert.Equal(
            [.. MadeTraces.Dump(first).Concat(MadeTraces.Dump(second)).Order(StringComparer.Ordinal)],
            MadeTraces.Dump(store).Order(StringComparer.Ordinal)
        );
        Assert.Equal(MadeTraces.Dump(second), MadeTraces.Dump(store, ["00000000000000bb"]));
        Assert.Equal(["/a", "/b"], store.Traces().Select(trace => trace.Name));
        Assert.Equal(second.Trace, store.Traces()[0]);
    }

    [Fact]
    public void The_same_rows_twice_are_there_once()
    {
        using var store = Open();
        store.Replace(MadeTraces.Make("00000000000000aa", "/a"));
        store.Replace(MadeTraces.Make("00000000000000aa", "/a"));

        Assert.Equal(MadeTraces.Dump(MadeTraces.Make("00000000000000aa", "/a")), MadeTraces.Dump(store));
    }

    [Fact]
    public void Changed_content_takes_the_place_of_the_old()
    {
        using var store = Open();
        store.Replace(MadeTraces.Make("00000000000000aa", "/a", rows: 9));
        store.Replace(MadeTraces.Make("00000000000000bb", "/a", rows: 1));

        Assert.Equal(MadeTraces.Dump(MadeTraces.Make("00000000000000bb", "/a", rows: 1)), MadeTraces.Dump(store));
    }

    [Theory]
    [InlineData("/a", "/b")]
    [InlineData("/b", "/a")]
    public void The_same_content_under_two_names_is_one_trace_whatever_comes_first(string one, string other)
    {
        using var store = Open();
        store.Replace(MadeTraces.Make("00000000000000aa", one));
        store.Replace(MadeTraces.Make("00000000000000aa", other));

        Assert.Equal(MadeTraces.Dump(MadeTraces.Make("00000000000000aa", "/a")), MadeTraces.Dump(store));
    }

    [Fact]
    public void A_trace_that_failed_gives_way_to_one_that_did_not()
    {
        using var store = Open();
        store.Replace(MadeTraces.Make("00000000000000aa", "/a", status: StoredTrace.Failed));
        store.Replace(MadeTraces.Make("00000000000000aa", "/b"));

        Assert.Equal(("/b", StoredTrace.Extracted), (store.Traces().Single().Name, store.Traces().Single().Status));
    }

    [Fact]
    public void What_fails_midway_leaves_nothing()
    {
        using var store = Open();
        store.Replace(MadeTraces.Make("00000000000000aa", "/a"));
        var broken = MadeTraces.Make("00000000000000bb", "/a");
        broken.Add(
            LossTable.Table,
            new StoredLoss
            {
                Number = 2,
                Kind = "problem",
                Text = null!,
            }
        );

        Assert.Throws<StoreException>(() => store.Replace(broken));

        Assert.Equal(MadeTraces.Dump(MadeTraces.Make("00000000000000aa", "/a")), MadeTraces.Dump(store));
        store.Replace(MadeTraces.Make("00000000000000bb", "/a"));
        Assert.Equal(MadeTraces.Dump(MadeTraces.Make("00000000000000bb", "/a")), MadeTraces.Dump(store));
    }

    [Fact]
    public async Task Several_writers_that_also_make_the_store_fill_it_as_one_does()
    {
        await Task.WhenAll(
            Enumerable
                .Range(0, 4)
                .Select(writer =>
                    Task.Run(
                        () =>
                        {
                            using var store = Open();
                            store.Prepare();
                            for (var i = 0; i < 20; i++)
                                store.Replace(MadeTraces.Make($"{writer:x8}{i:x8}", $"/{writer}/{i}"));
                        },
                        TestContext.Current.CancellationToken
                    )
                )
        );

        using var all = Open();
        var expected = Enumerable
            .Range(0, 4)
            .SelectMany(writer =>
                Enumerable.Range(0, 20).SelectMany(i => MadeTraces.Dump(MadeTraces.Make($"{writer:x8}{i:x8}", $"/{writer}/{i}")))
            );
        Assert.Equal(expected.Order(StringComparer.Ordinal), MadeTraces.Dump(all).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_reader_sees_the_rows_of_before_while_another_writes()
    {
        using var store = Open();
        store.Replace(MadeTraces.Make("00000000000000aa", "/a", rows: 50));
        using var reading = Open();
        using var rows = reading.Read(CauseTable.Table, null);
        rows.Next();

        store.Replace(MadeTraces.Make("00000000000000bb", "/a", rows: 1));

        var count = 1;
        while (rows.Next() is not null)
            count++;
        Assert.Equal(50, count);
    }

    [Fact]
    public void Queries_have_names_types_and_the_median()
    {
        using var store = Open();
        store.Replace(MadeTraces.Make("00000000000000aa", "/a", rows: 4));
        store.Replace(MadeTraces.Make("00000000000000bb", "/b", rows: 3));

        using var reader = store.Query(
            "SELECT trace, count(*) AS n, median(run) AS middle, median(NULL) AS none FROM cause GROUP BY trace ORDER BY trace;\n"
        );

        Assert.Equal(
            ["trace Text", "n Integer", "middle Real", "none Text"],
            reader.Columns.Select(column => $"{column.Name} {column.Type}")
        );
        Assert.Equal(["00000000000000aa", 4L, 2.5, null], reader.Next());
        Assert.Equal(["00000000000000bb", 3L, 2.0, null], reader.Next());
        Assert.Null(reader.Next());
    }

    [Theory]
    [InlineData("SELECT wall FROM cause", "no such column: wall", "columns of cause: trace, process, run, cause, cause_group, cpu_ms")]
    [InlineData("SELECT * FROM causes", "no such table: causes", "tables: trace, environment, process, run,")]
    [InlineData("SELEKT 1", "syntax error", "tables: ")]
    [InlineData("", "no statement", "tables: ")]
    [InlineData("DELETE FROM cause", "would write", "SELECT")]
    [InlineData("CREATE TABLE more (x)", "would write", "SELECT")]
    [InlineData("SELECT 1; DELETE FROM cause", "more than one statement", "one statement at a time")]
    [InlineData("PRAGMA query_only = 0; DELETE FROM cause", "more than one statement", "one statement at a time")]
    [InlineData("SELECT sum(1, 2) FROM run", "sum", "columns of run: ")]
    public void Queries_that_are_refused_say_what_there_is(string sql, string what, string fix)
    {
        using var store = Open();
        store.Replace(MadeTraces.Make("00000000000000aa", "/a"));

        var problem = Problem(() => store.Query(sql), isUsage: true);

        Assert.Contains(what, problem.What, StringComparison.Ordinal);
        Assert.Contains(fix, problem.Fix, StringComparison.Ordinal);
        Assert.Equal(3, MadeTraces.Dump(store).Count(line => line.StartsWith("cause:", StringComparison.Ordinal)));
    }

    [Fact]
    public void A_query_that_fails_midway_is_wrong_and_the_store_is_not()
    {
        using var store = Open();
        store.Replace(MadeTraces.Make("00000000000000aa", "/a"));
        using var reader = store.Query("SELECT run, abs(CASE WHEN run > 2 THEN -9223372036854775807 - 1 ELSE run END) FROM cause");

        Assert.NotNull(reader.Next());
        Assert.NotNull(reader.Next());
        Assert.Contains("integer overflow", Problem(reader.Next!, isUsage: true).What, StringComparison.Ordinal);
    }

    [Fact]
    public void A_query_cannot_reach_files_that_are_not_there()
    {
        using var store = Open();
        store.Replace(MadeTraces.Make("00000000000000aa", "/a"));

        Assert.Throws<StoreException>(() => store.Query($"ATTACH '{Path.Combine(_folder.Path, "more.db")}' AS more"));
        Assert.False(System.IO.File.Exists(Path.Combine(_folder.Path, "more.db")));
    }

    [Fact]
    public void A_store_that_is_not_there_is_not_made_by_reading()
    {
        using var store = Open();

        Assert.Contains("esp-analyze extract", Problem(() => store.Query("SELECT 1")).Fix, StringComparison.Ordinal);
        Assert.False(System.IO.File.Exists(File));
    }

    [Theory]
    [InlineData("this is a text, long enough to be no header of a database, whatever it says of itself .................")]
    [InlineData("short")]
    public void A_file_that_is_not_a_database(string text)
    {
        _folder.Write("all.db", text);
        using var store = Open();

        Assert.Contains("not an SQLite database", Problem(store.Prepare).What, StringComparison.Ordinal);
        Assert.Contains("not an SQLite database", Problem(() => store.Query("SELECT 1")).What, StringComparison.Ordinal);
        Assert.Equal(text, System.IO.File.ReadAllText(File));
    }

    [Fact]
    public void A_writer_that_does_not_end_is_waited_for_and_then_named()
    {
        using var first = Open();
        first.Prepare();
        using var other = new SqliteConnection($"Data Source={File};Pooling=False");
        other.Open();
        using var transaction = other.BeginTransaction(deferred: false);
        using var store = new SqliteStore(StoreAddress.Parse(File), SqliteSchema.Current, waitSeconds: 1);

        Assert.Contains(
            "another process",
            Problem(() => store.Replace(MadeTraces.Make("00000000000000aa", "/a"))).What,
            StringComparison.Ordinal
        );
        transaction.Rollback();
        store.Replace(MadeTraces.Make("00000000000000aa", "/a"));
        Assert.Single(store.Traces());
    }

    [Fact]
    public void A_folder_that_is_not_there()
    {
        using var store = new SqliteStore(StoreAddress.Parse(Path.Combine(_folder.Path, "no", "all.db")));

        Assert.Contains("the store does not exist and cannot be created", Problem(store.Prepare).What, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(13, "disk is full", "free disk space")]
    [InlineData(8, "is read-only", "permissions")]
    [InlineData(11, "damaged", "extract again")]
    [InlineData(10, "failed to read or write", "disk")]
    [InlineData(99, "SQLite failed: some words", "extract again")]
    public void Errors_of_the_system_say_what_to_do(int code, string what, string fix)
    {
        var problem = SqliteProblems.Of(new SqliteException($"SQLite Error {code}: 'some words'.", code), "all.db");

        Assert.Contains(what, problem.What, StringComparison.Ordinal);
        Assert.Equal("all.db", problem.Where);
        Assert.Contains(fix, problem.Fix, StringComparison.Ordinal);
    }

    /// <summary>A copy on a read-only medium, where no log can be created.</summary>
    [Fact]
    public void A_folder_that_may_not_be_written_can_be_read()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows() || Environment.UserName == "root", "root, and Windows, may write to all folders");
        using (var store = Open())
            store.Replace(MadeTraces.Make("00000000000000aa", "/a"));
        SetModes(UnixFileMode.UserRead, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        try
        {
            using var store = Open();
            Assert.Equal(MadeTraces.Dump(MadeTraces.Make("00000000000000aa", "/a")), MadeTraces.Dump(store));
            Assert.Contains(
                "is read-only",
                Problem(() => store.Replace(MadeTraces.Make("00000000000000bb", "/b"))).What,
                StringComparison.Ordinal
            );
        }
        finally
        {
            SetModes(
                UnixFileMode.UserRead | UnixFileMode.UserWrite,
                UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute
            );
        }

        void SetModes(UnixFileMode file, UnixFileMode folder)
        {
            if (OperatingSystem.IsWindows())
                return;
            System.IO.File.SetUnixFileMode(_folder.Path, folder | UnixFileMode.UserExecute);
            System.IO.File.SetUnixFileMode(File, file);
        }
    }

    /// <summary>When no process has it open, the store is one file.</summary>
    [Fact]
    public void Reading_and_writing_leave_one_file()
    {
        using (var store = Open())
        {
            store.Replace(MadeTraces.Make("00000000000000aa", "/a"));
            store.Traces();
        }

        using (var store = Open())
            store.Traces();

        Assert.Equal([File], Directory.GetFiles(_folder.Path));
    }

    private SqliteStore Open() => new(StoreAddress.Parse(File));

    private static Problem Problem(Action action, bool isUsage = false)
    {
        var exception = Assert.Throws<StoreException>(action);
        Assert.Equal(isUsage, exception.IsUsage);
        return exception.Problem;
    }

    private static Problem Problem(Func<object?> action, bool isUsage = false) =>
        Problem(
            () =>
            {
                action();
            },
            isUsage
        );
}
