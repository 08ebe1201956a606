using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Sqlite;
using Microsoft.Data.Sqlite;

namespace EtwSerializerProfiler.Stores.Tests.Sqlite;

/// <summary>Stores of every earlier version, of later ones, and files that are not stores.</summary>
public sealed class SqliteVersionTests : IDisposable
{
    private readonly TempFolder _folder = new();

    private string File => Path.Combine(_folder.Path, "all.db");

    public void Dispose() => _folder.Dispose();

    /// <summary>
    /// Remains of a process that was killed while creating the store: no file, an empty one, or one with only its mode set.
    /// </summary>
    [Theory]
    [InlineData("")]
    [InlineData("PRAGMA journal_mode = WAL")]
    [InlineData("PRAGMA application_id = 0x45535053; CREATE TABLE run (x); CREATE TABLE schema (version); CREATE VIEW v AS SELECT 1")]
    public void Version_0_an_unfinished_creation_is_made_anew(string left)
    {
        Execute(left);
        using var store = Open();

        store.Prepare();

        store.Replace(MadeTraces.Make("00000000000000aa", "/a"));
        Assert.Equal(MadeTraces.Dump(MadeTraces.Make("00000000000000aa", "/a")), MadeTraces.Dump(store));
        Assert.Equal(StoreSchema.Version, Number("PRAGMA user_version"));
        Assert.Equal(StoreSchema.Version, Number("SELECT version FROM schema"));
    }

    [Fact]
    public void An_older_store_is_brought_up_to_date_with_all_its_rows()
    {
        using (var old = Open())
            old.Replace(MadeTraces.Make("00000000000000aa", "/a"));
        using var store = Open(
            Next(
                "ALTER TABLE cause ADD COLUMN more TEXT",
                "UPDATE cause SET more = 'of ' || run",
                "CREATE INDEX cause_more ON cause (more)"
            )
        );

        using var reader = store.Query("SELECT run, more FROM cause ORDER BY run");

        Assert.Equal([1L, "of 1"], reader.Next());
        Assert.Equal(StoreSchema.Version + 1, Number("PRAGMA user_version"));
        Assert.Equal(StoreSchema.Version + 1, Number("SELECT version FROM schema"));
        Assert.Single(store.Traces());
    }

    public static TheoryData<int> Earlier => [.. Enumerable.Range(1, StoreSchema.Version - 1)];

    [Theory]
    [MemberData(nameof(Earlier))]
    public void An_earlier_version_gets_the_columns_that_came_after_it_and_keeps_its_rows(int version)
    {
        var later = StoreSchema
            .Tables.SelectMany(table =>
                table.Columns.Where(column => column.Since > version).Select(column => (Table: table.Name, Column: column.Name))
            )
            .ToList();
        using (var old = Open())
            old.Replace(MadeTraces.Make("00000000000000aa", "/a"));
        Execute(
            $"{string.Concat(later.Select(added => $"ALTER TABLE {added.Table} DROP COLUMN {added.Column}; "))}UPDATE schema SET version = {version}; PRAGMA user_version = {version}"
        );
        using var store = Open();

        store.Prepare();

        Assert.NotEmpty(later);
        Assert.All(
            later,
            added => Assert.Equal(1, Number($"SELECT count(*) FROM pragma_table_info('{added.Table}') WHERE name = '{added.Column}'"))
        );
        Assert.Equal(StoreSchema.Version, Number("PRAGMA user_version"));
        Assert.Equal(MadeTraces.Dump(MadeTraces.Make("00000000000000aa", "/a")), MadeTraces.Dump(store));
    }

    [Fact]
    public void Version_2_brought_lazy_reads() =>
        Assert.Equal(
            ["run.lazy_read_ms"],
            StoreSchema.Tables.SelectMany(table =>
                table.Columns.Where(column => column.Since == 2).Select(column => $"{table.Name}.{column.Name}")
            )
        );

    [Fact]
    public void Version_3_brought_memory_and_size() =>
        Assert.Equal(
            ["run.peak_working_set_bytes", "run.program_bytes", "result.peak_working_set_bytes", "result.program_bytes"],
            StoreSchema.Tables.SelectMany(table =>
                table.Columns.Where(column => column.Since == 3).Select(column => $"{table.Name}.{column.Name}")
            )
        );

    [Fact]
    public void Version_4_brought_settling() =>
        Assert.Equal(
            ["run.unsettled_methods", "result.unsettled_methods"],
            StoreSchema.Tables.SelectMany(table =>
                table.Columns.Where(column => column.Since == 4).Select(column => $"{table.Name}.{column.Name}")
            )
        );

    [Fact]
    public void A_migration_that_fails_leaves_the_store_as_it_was()
    {
        using (var old = Open())
            old.Replace(MadeTraces.Make("00000000000000aa", "/a"));
        using (var store = Open(Next("ALTER TABLE cause ADD COLUMN more TEXT", "UPDATE nothing SET x = 1")))
            Assert.Throws<StoreException>(store.Prepare);

        using var again = Open();
        Assert.Equal(MadeTraces.Dump(MadeTraces.Make("00000000000000aa", "/a")), MadeTraces.Dump(again));
        Assert.Equal(StoreSchema.Version, Number("PRAGMA user_version"));
    }

    [Fact]
    public void Every_earlier_version_has_a_step_to_the_next()
    {
        for (var version = 1; version < StoreSchema.Version; version++)
            Assert.True(SqliteSchema.Current.HasStepFrom(version), $"there is no migration from version {version}");
    }

    [Fact]
    public void A_store_of_a_later_version_is_refused_and_says_why()
    {
        using (var store = Open())
            store.Replace(MadeTraces.Make("00000000000000aa", "/a"));
        Execute($"PRAGMA user_version = {StoreSchema.Version + 1}");
        using var older = Open();

        foreach (
            var action in (Action[])
                [
                    older.Prepare,
                    () => older.Query("SELECT 1"),
                    () => older.Traces(),
                    () => older.Replace(MadeTraces.Make("00000000000000bb", "/b")),
                ]
        )
        {
            var problem = Assert.Throws<StoreException>(action).Problem;
            Assert.Contains(
                $"schema version {StoreSchema.Version + 1}, but this program supports {StoreSchema.Version}",
                problem.What,
                StringComparison.Ordinal
            );
            Assert.Contains("install", problem.Fix, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("CREATE TABLE bookmarks (x)")]
    [InlineData("CREATE TABLE run (x)")]
    [InlineData("PRAGMA user_version = 1")]
    [InlineData("PRAGMA application_id = 7; CREATE TABLE run (x)")]
    public void A_database_of_another_program_is_left_alone(string made)
    {
        Execute(made);
        var before = System.IO.File.ReadAllBytes(File);
        using var store = Open();

        Assert.Contains("another program", Assert.Throws<StoreException>(store.Prepare).Problem.What, StringComparison.Ordinal);
        Assert.Contains(
            "another program",
            Assert.Throws<StoreException>(() => store.Query("SELECT 1")).Problem.What,
            StringComparison.Ordinal
        );

        Assert.Equal(before, System.IO.File.ReadAllBytes(File));
    }

    private SqliteStore Open(SqliteSchema? schema = null) => new(StoreAddress.Parse(File), schema ?? SqliteSchema.Current);

    /// <summary>A schema of the next version, as a later program would have it.</summary>
    private static SqliteSchema Next(params string[] statements) =>
        new(StoreSchema.Version + 1, StoreSchema.Tables, SqliteIndexes.All, [new SqliteMigration(StoreSchema.Version, statements)]);

    private void Execute(string statements)
    {
        using var connection = new SqliteConnection($"Data Source={File};Pooling=False");
        connection.Open();
        using var command = connection.CreateCommand();
        command.CommandText = statements.Length > 0 ? statements : "SELECT 1";
        command.ExecuteNonQuery();
    }

    private long Number(string statement)
    {
        using var connection = new SqliteConnection($"Data Source={File};Pooling=False");
        connection.Open();
        return SqliteFile.Number(connection, statement);
    }
}
