using System.Globalization;
using System.Text;
using System.Text.Json;
using EtwSerializerProfiler.Stores.Export;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Sqlite;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Stores.Tests.Export;

public sealed class StoreExportTests(FilledStore filled) : IClassFixture<FilledStore>, IDisposable
{
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("csv")]
    [InlineData("jsonl")]
    public void Files_have_every_value_of_every_table(string format)
    {
        var (code, output, error) = Run("export", filled.Store, "--to", format, _folder.Path);

        Assert.Equal((0, ""), (code, error));
        Assert.Equal(
            StoreSchema.Tables.Select(table => $"{table.Name}.{format}").Order(StringComparer.Ordinal),
            Directory.GetFiles(_folder.Path).Select(path => Path.GetFileName(path)!).Order(StringComparer.Ordinal)
        );
        using var store = new SqliteStore(StoreAddress.Parse(filled.Store));
        foreach (var table in StoreSchema.Tables)
        {
            var path = Path.Combine(_folder.Path, $"{table.Name}.{format}");
            var read = format == "csv" ? ReadCsv(path, table) : ReadJson(path, table);
            var expected = new List<object?[]>();
            using var rows = store.Read(table, null);
            while (rows.Next() is { } row)
                expected.Add(row);
            Assert.Equal(expected, read);
            Assert.Contains($"{path} ({expected.Count} rows)", output, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Traces_can_be_selected_in_the_name_of_the_store()
    {
        Assert.Equal(0, Run("export", $"{filled.Store}#branch=main,last=1", "--to", "jsonl", "-o", _folder.Path).Code);

        Assert.EndsWith(
            "second",
            Assert.Single(ReadJson(Path.Combine(_folder.Path, "trace.jsonl"), StoreSchema.Tables[0]))[2] as string,
            StringComparison.Ordinal
        );
        Assert.NotEmpty(File.ReadAllLines(Path.Combine(_folder.Path, "run.jsonl")));
    }

    [Fact]
    public void Files_that_are_there_are_replaced_when_that_is_asked_for()
    {
        var there = _folder.Write("run.csv", "mine");

        var refused = Run("export", filled.Store, "--to", "csv", _folder.Path);
        Assert.Equal("mine", File.ReadAllText(there));
        Assert.NotEqual(0, refused.Code);
        Assert.Contains("--force", ErrorLines.Check("esp-analyze", refused.Error).Fix, StringComparison.Ordinal);

        Assert.Equal(0, Run("export", filled.Store, "--to", "csv", _folder.Path, "--force").Code);
        Assert.StartsWith("trace,process,run,", File.ReadAllText(there), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("folder for the tables is missing", "STORE", "--to", "csv")]
    [InlineData("csv or jsonl", "STORE", "--to", "pprof", "out")]
    [InlineData("only one store can be exported", "STORE", "more", "out", "--to", "csv")]
    [InlineData("--by selects samples", "STORE", "out", "--to", "csv", "--by", "run")]
    [InlineData("this is a recording", "recordings/r1", "--to", "jsonl")]
    [InlineData("unknown selection key 'day'", "STORE#day=1", "out", "--to", "csv")]
    public void Wrong_command_lines(string what, params string[] words)
    {
        var (code, output, error) = Run(["export", .. words.Select(word => word.Replace("STORE", filled.Store, StringComparison.Ordinal))]);

        Assert.Equal((2, ""), (code, output));
        Assert.Contains(what, ErrorLines.Check("esp-analyze", error).What, StringComparison.Ordinal);
    }

    [Fact]
    public void Texts_that_look_like_syntax()
    {
        var rows = new List<object?[]>
        {
            new object?[] { "", null },
            new object?[] { "a\r\nb", 1.5 },
            new object?[] { " \"x\" ", double.NaN },
            new object?[] { "ü,漢", long.MinValue },
        };
        using var stream = new MemoryStream();
        StoreExport.WriteCsv(new ListReader(rows), stream, TestContext.Current.CancellationToken);

        Assert.Equal(
            "a,b\r\n\"\",\r\n\"a\r\nb\",1.5\r\n\" \"\"x\"\" \",\r\n\"ü,漢\",-9223372036854775808\r\n",
            Encoding.UTF8.GetString(stream.ToArray())
        );
    }

    /// <summary>CSV for readers of RFC 4180; an empty field without quotes is null.</summary>
    private static List<object?[]> ReadCsv(string path, StoreTable table)
    {
        var text = File.ReadAllText(path);
        var rows = new List<List<string?>> { new() };
        var field = new StringBuilder();
        var (quoted, wasQuoted) = (false, false);
        for (var i = 0; i < text.Length; i++)
        {
            if (quoted)
            {
                if (text[i] != '"')
                    field.Append(text[i]);
                else if (i + 1 < text.Length && text[i + 1] == '"')
                    field.Append(text[++i]);
                else
                    quoted = false;
                continue;
            }

            switch (text[i])
            {
                case '"':
                    (quoted, wasQuoted) = (true, true);
                    break;
                case ',':
                    End();
                    break;
                case '\r':
                    End();
                    i++;
                    rows.Add([]);
                    break;
                default:
                    field.Append(text[i]);
                    break;
            }
        }

        Assert.Equal(table.Columns.Select(column => column.Name), rows[0]!);
        return [.. rows.Skip(1).SkipLast(1).Select(row => row.Select((value, index) => Value(value, table.Columns[index].Type)).ToArray())];

        void End()
        {
            rows[^1].Add(field.Length == 0 && !wasQuoted ? null : field.ToString());
            field.Clear();
            wasQuoted = false;
        }

        static object? Value(string? text, ColumnType type) =>
            text is null
                ? null
                : type switch
                {
                    ColumnType.Integer => long.Parse(text, CultureInfo.InvariantCulture),
                    ColumnType.Real => double.Parse(text, CultureInfo.InvariantCulture),
                    _ => text,
                };
    }

    private static List<object?[]> ReadJson(string path, StoreTable table) =>
        [
            .. File.ReadAllLines(path)
                .Select(line =>
                {
                    using var document = JsonDocument.Parse(line);
                    Assert.Equal(
                        table.Columns.Select(column => column.Name),
                        document.RootElement.EnumerateObject().Select(property => property.Name)
                    );
                    return document
                        .RootElement.EnumerateObject()
                        .Select(
                            (property, index) =>
                                property.Value.ValueKind == JsonValueKind.Null
                                    ? null
                                    : table.Columns[index].Type switch
                                    {
                                        ColumnType.Integer => property.Value.GetInt64(),
                                        ColumnType.Real => property.Value.GetDouble(),
                                        _ => (object?)property.Value.GetString(),
                                    }
                        )
                        .ToArray();
                }),
        ];

    private sealed class ListReader(List<object?[]> rows) : IStoreReader
    {
        private int _next;

        public IReadOnlyList<StoreColumn> Columns { get; } =
        [new StoreColumn("a", ColumnType.Text, true, ""), new StoreColumn("b", ColumnType.Real, true, "")];

        public object?[]? Next() => _next < rows.Count ? rows[_next++] : null;

        public void Dispose() { }
    }
}
