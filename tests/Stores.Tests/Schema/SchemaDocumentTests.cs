using System.Globalization;
using System.Text;
using EtwSerializerProfiler.Stores.Queries;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Sqlite;

namespace EtwSerializerProfiler.Stores.Tests.Schema;

/// <summary>docs/schema.md is generated from the tables; UPDATE_SNAPSHOTS=1 regenerates it.</summary>
public sealed class SchemaDocumentTests
{
    private static readonly string s_path = Path.Combine(TestFiles.Root, "docs", "schema.md");

    [Fact]
    public void The_document_is_that_of_the_tables()
    {
        var document = Document();
        if (Environment.GetEnvironmentVariable("UPDATE_SNAPSHOTS") == "1")
            File.WriteAllText(s_path, document);

        Assert.Equal(document, File.ReadAllText(s_path).ReplaceLineEndings("\n"));
    }

    [Fact]
    public void Names_are_those_of_sql_in_lower_case()
    {
        Assert.All(StoreSchema.Tables, table => Assert.Matches("^[a-z]+$", table.Name));
        Assert.All(StoreSchema.Tables.SelectMany(table => table.Columns), column => Assert.Matches("^[a-z][a-z0-9_]*$", column.Name));
        Assert.All(
            StoreSchema.Tables,
            table => Assert.Equal(table.Columns.Count, table.Columns.Select(column => column.Name).Distinct().Count())
        );
    }

    [Fact]
    public void Indexes_are_of_columns_that_are_there() =>
        Assert.All(
            SqliteIndexes.All,
            index => Assert.All(index.Columns.Split(", "), column => Assert.True(StoreSchema.Find(index.Table)!.IndexOf(column) >= 0))
        );

    private static string Document()
    {
        var text = new StringBuilder();
        Line("# Tables of a store");
        Line("");
        Line(
            string.Create(
                CultureInfo.InvariantCulture,
                $"Schema version {StoreSchema.Version}. This file is written from the tables by a test (`UPDATE_SNAPSHOTS=1`); [stores.md](stores.md) says how stores are filled and asked."
            )
        );
        Line("");
        Line("- Every table begins with `trace`: 16 hexadecimal digits, the same in all tables for one trace.");
        Line("- Null means \"not recorded\" or \"does not apply\", never 0. Columns that can be null say so.");
        Line("- A name ends with the unit: `_ms`, `_us`, `_ns`, `_bytes`. A time without one is UTC, as `2026-11-21 03:00:00`.");
        Line(
            "- Types: text is UTF-8, integer has 64 bits, real is a double. In SQLite they are TEXT, INTEGER, REAL; in ClickHouse String, Int64, Float64, Nullable where a column can be null."
        );
        Line("- What a measure is, and how exact, is in [metrics.md](metrics.md) and [attribution.md](attribution.md).");
        foreach (var table in StoreSchema.Tables)
        {
            Line("");
            Line($"## {table.Name}");
            Line("");
            Line($"{table.Meaning}.{(StoreSchema.Always.Contains(table) ? " Also there when `extract --only` does not name it." : "")}");
            Line("");
            Line("| column | type | meaning |");
            Line("|---|---|---|");
            foreach (var column in table.Columns)
                Line(
                    $"| {column.Name} | {column.Type.ToString().ToLowerInvariant()}{(column.IsNullable ? ", null" : "")} | {column.Meaning.Replace("|", "\\|", StringComparison.Ordinal)} |"
                );
        }

        Line("");
        Line("## Named queries");
        Line("");
        Line("`esp-analyze query STORE --named NAME`; `--list -f json` has their SQL, to be changed.");
        Line("");
        Line("| name | answers |");
        Line("|---|---|");
        foreach (var query in NamedQueries.All)
            Line($"| {query.Name} | {query.Description} |");
        return text.ToString();

        void Line(string line) => text.Append(line).Append('\n');
    }
}
