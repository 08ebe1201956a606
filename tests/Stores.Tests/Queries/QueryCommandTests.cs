using System.Text.Json;
using EtwSerializerProfiler.Stores.Queries;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Stores.Tests.Queries;

public sealed class QueryCommandTests(FilledStore filled) : IClassFixture<FilledStore>
{
    private const string Numbers = "SELECT 1e-9 AS small, 0.1 + 0.2 AS sum, 5 AS whole, NULL AS none, 'a,\"b' AS text, 7 AS whole";

    [Fact]
    public void Answers_for_people() =>
        Assert.Contains(
            "│ sum │ whole │ none │ text │ whole_2",
            Run("query", filled.Store, Numbers).Output.Replace("  ", " ", StringComparison.Ordinal),
            StringComparison.Ordinal
        );

    [Fact]
    public void Answers_for_programs_have_all_digits()
    {
        Assert.Equal(
            "small,sum,whole,none,text,whole_2\n1E-09,0.30000000000000004,5,,\"a,\"\"b\",7\n",
            Run("query", filled.Store, Numbers, "-f", "csv").Output.ReplaceLineEndings("\n")
        );

        using var json = JsonDocument.Parse(Run("query", filled.Store, Numbers, "-f", "json").Output);
        var row = json.RootElement.GetProperty("rows")[0];
        Assert.Equal(
            (1e-9, 0.1 + 0.2, 5, JsonValueKind.Null, 7),
            (
                row.GetProperty("small").GetDouble(),
                row.GetProperty("sum").GetDouble(),
                row.GetProperty("whole").GetInt64(),
                row.GetProperty("none").ValueKind,
                row.GetProperty("whole_2").GetInt32()
            )
        );
        Assert.Equal(1, json.RootElement.GetProperty("summary").GetProperty("rowCount").GetInt32());
    }

    [Theory]
    [InlineData("SELECT 1 AS one; -- a comment")]
    [InlineData("SELECT 1 AS one; /* a comment */ ;\n-- another")]
    [InlineData("/* before */ SELECT 1 AS one -- after")]
    public void Comments_are_not_statements(string sql) =>
        Assert.Equal("one\n1\n", Run("query", filled.Store, sql, "-f", "csv").Output.ReplaceLineEndings("\n"));

    [Fact]
    public void Texts_that_spreadsheets_would_compute_are_quoted_and_numbers_are_not() =>
        Assert.Equal(
            "'=1,b,'@x,-5,-1.5,-7\n'=1+1,'-a,'@SUM(A1),-5,-1.5,-7\n",
            Run(
                "query",
                filled.Store,
                "SELECT '=1+1' AS '=1', '-a' AS b, '@SUM(A1)' AS '@x', -5 AS '-5', -1.5 AS '-1.5', '-7' AS '-7'",
                "-f",
                "csv"
            )
                .Output.ReplaceLineEndings("\n")
        );

    [Fact]
    public void A_named_query()
    {
        var (code, output, error) = Run("query", "sqlite:" + filled.Store, "--named", "machines");

        Assert.Equal((0, ""), (code, error));
        Assert.Contains("testhost", output, StringComparison.Ordinal);
        Assert.Contains("machines: Machines and their classes", output, StringComparison.Ordinal);
    }

    [Fact]
    public void Under_an_answer_stands_what_the_store_lacks()
    {
        Assert.Matches(
            @"\nTraces: [1-9]\d*; \d+ could not be read( \(--named failed\))?; runs missing \d+, events lost \d+",
            Run("query", filled.Store, "SELECT 1 AS one").Output
        );

        using var json = JsonDocument.Parse(Run("query", filled.Store, "SELECT count(*) AS traces FROM trace", "-f", "json").Output);
        Assert.Equal(
            json.RootElement.GetProperty("rows")[0].GetProperty("traces").GetInt64(),
            json.RootElement.GetProperty("summary").GetProperty("traces").GetInt64()
        );
    }

    [Fact]
    public void The_list_has_all_names()
    {
        var output = Run("query", "--list", "-f", "csv").Output;

        Assert.All(NamedQueries.All, query => Assert.Contains($"{query.Name},", output, StringComparison.Ordinal));
        Assert.Equal(output, Run("query", filled.Store, "--list", "-f", "csv").Output);
    }

    [Theory]
    [InlineData(2, "the store is missing", "--named gc-pauses")]
    [InlineData(2, "the query is missing", "--list", "STORE")]
    [InlineData(2, "both a query and --named", "SELECT", "STORE", "SELECT 1", "--named", "machines")]
    [InlineData(2, "--list lists the named queries and runs none", "leave out", "STORE", "SELECT 1", "--list")]
    [InlineData(2, "unknown query 'slowst'", "did you mean slowest-", "STORE", "--named", "slowst")]
    [InlineData(2, "no such column: wall", "columns of run: trace, process, run, serializer", "STORE", "SELECT wall FROM run")]
    [InlineData(2, "would write", "SELECT", "STORE", "DELETE FROM run")]
    [InlineData(2, "more than one statement", "one statement at a time", "STORE", "SELECT 1; -- c\nSELECT 2")]
    [InlineData(2, "more than one statement", "one statement at a time", "STORE", "SELECT 1; nonsense")]
    [InlineData(2, "'#' is not allowed", "WHERE", "STORE#branch=main", "SELECT 1")]
    [InlineData(3, "the store does not exist", "extract PATH --store sqlite:/no/such.db", "/no/such.db", "SELECT 1")]
    [InlineData(2, "the text is not an address of a store", "sqlite:FILE", "recordings/r1", "SELECT 1")]
    [InlineData(2, "unknown option '--nmaed'", "--named", "STORE", "--nmaed", "machines")]
    public void Wrong_command_lines(int expected, string what, string fix, params string[] words)
    {
        var (code, output, error) = Run(["query", .. words.Select(word => word.Replace("STORE", filled.Store, StringComparison.Ordinal))]);

        Assert.Equal((expected, ""), (code, output));
        var problem = ErrorLines.Check("esp-analyze", error);
        Assert.Contains(what, problem.What, StringComparison.Ordinal);
        Assert.Contains(fix, problem.Fix, StringComparison.Ordinal);
    }
}
