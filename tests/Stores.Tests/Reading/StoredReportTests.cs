using System.Text.Json.Nodes;
using EtwSerializerProfiler.Stores.Extraction;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Stores.Tests.Reading;

/// <summary>Reports on a store equal those on the traces, except for the lines that name the input.</summary>
public sealed class StoredReportTests(FilledStore filled) : IClassFixture<FilledStore>
{
    private static readonly string[] s_formats = ["table", "markdown", "csv", "json"];

    public static TheoryData<string, string, string> Reports
    {
        get
        {
            var data = new TheoryData<string, string, string>();
            foreach (var format in s_formats)
            {
                foreach (var trace in (string[])["net10", "unmarked", "classic"])
                {
                    foreach (
                        var command in (string[])["table", "table --detail", "runs --detail", "findings", "trend --metric alloc", "trend"]
                    )
                        data.Add(command, trace, format);
                }

                foreach (var command in (string[])["causes", "causes --detail --percent", "causes --by-run"])
                    data.Add(command, "classic", format);
            }

            return data;
        }
    }

    public static TheoryData<string, string, string> Comparisons
    {
        get
        {
            var data = new TheoryData<string, string, string>();
            foreach (var format in s_formats)
            {
                data.Add("diff --by all --top 5", "net10", format);
                data.Add("diff --factor-out Reflection --by method --top 50", "classic", format);
                data.Add("diff --by gc --serializer Json --all-runs", "net10", format);
                data.Add("gate --metric wall,cpu,gc,alloc,jit", "net10", format);
                data.Add("gate", "classic", format);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Reports))]
    public void Of_one_trace(string command, string trace, string format)
    {
        var (path, stored) = (PathOf(trace), $"{filled.Store}#trace={IdOf(trace)}");

        Same([.. command.Split(' '), path, "-f", format], [.. command.Split(' '), stored, "-f", format], format, path, stored);
    }

    [Theory]
    [MemberData(nameof(Comparisons))]
    public void Of_two(string command, string trace, string format)
    {
        var (path, stored) = (PathOf(trace), $"{filled.Store}#trace={IdOf(trace)}");

        Same(
            [.. command.Split(' '), path, path, "-f", format],
            [.. command.Split(' '), stored, stored, "-f", format],
            format,
            path,
            stored
        );
        Same([.. command.Split(' '), path, path, "-f", format], [.. command.Split(' '), stored, path, "-f", format], format, path, stored);
    }

    [Theory]
    [InlineData("table")]
    [InlineData("csv")]
    [InlineData("json")]
    public void Of_several_over_time(string format)
    {
        var (path, stored) = (filled.Recordings, $"{filled.Store}#branch=main");

        Same(["trend", path, "-f", format], ["trend", stored, "-f", format], format, path, stored);
        Same(["diff", path, TestFiles.Recording, "-f", format], ["diff", stored, TestFiles.Recording, "-f", format], format, path, stored);
    }

    /// <summary>Rows of several traces stand beside each other, as those of several recordings do.</summary>
    [Theory]
    [InlineData("table")]
    [InlineData("runs")]
    public void Of_several_beside_each_other(string command) =>
        Assert.Equal(
            Run(command, filled.First, filled.Second, "-f", "csv").Output,
            Run(command, $"{filled.Store}#branch=main", "-f", "csv").Output
        );

    [Fact]
    public void A_gate_against_the_last_traces_of_a_branch()
    {
        var (code, output, error) = Run("gate", filled.First, "--baseline", $"{filled.Store}#branch=main,last=1", "--no-config");

        Assert.True(code is 0 or 5, error);
        Assert.Contains("last=1, 2026-11-20 03:00:00 UTC", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("sqlite:")]
    public void A_baseline_of_a_configuration_file_is_found_beside_the_file(string kind)
    {
        var file = filled.In("esp.json");
        File.WriteAllText(file, $$"""{ "gate": { "baseline": "{{kind}}all.db#branch=main,last=1" } }""");

        var (code, output, error) = Run("gate", filled.First, "--config", file);

        Assert.True(code is 0 or 5, error);
        Assert.Contains("last=1, 2026-11-20 03:00:00 UTC", output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_page_has_no_parts_that_need_the_trace_and_says_so()
    {
        var page = filled.In("page.html");
        var (code, _, error) = Run("report", $"{filled.Store}#name=classic", "-o", page);

        Assert.Equal((0, ""), (code, error));
        var html = File.ReadAllText(page);
        Assert.Contains("Not stored: timeline and flame graphs", html, StringComparison.Ordinal);
        Assert.DoesNotContain("id=\"flames\"", html, StringComparison.Ordinal);
        Assert.DoesNotContain("id=\"timeline\"", html, StringComparison.Ordinal);
        Assert.Contains("id=\"matrix\"", html, StringComparison.Ordinal);
    }

    [Fact]
    public void What_was_left_out_is_not_said_to_be_missing_from_the_trace()
    {
        var store = filled.In("only.db");
        filled.Add(filled.WindowsTrace, TraceFormat.Etl, tables: "run", store: store);

        Assert.Contains(
            "Not stored: result, cause, method, gc, alloc, exception, lock, jit, finding (because of --only at extraction)",
            Run("table", store).Output,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "was extracted without its runs",
            ErrorLines.Check("esp-analyze", Run("table", OnlyGc()).Error).What,
            StringComparison.Ordinal
        );

        string OnlyGc()
        {
            var gc = filled.In("gc.db");
            filled.Add(filled.WindowsTrace, TraceFormat.Etl, tables: "gc", store: gc);
            return gc;
        }
    }

    [Theory]
    [InlineData("cpu", 2, "neither stacks")]
    [InlineData("alloc", 2, "neither stacks")]
    [InlineData("gc", 2, "neither stacks")]
    [InlineData("firstcalls", 2, "neither stacks")]
    [InlineData("causes --wpa", 2, "needs stacks")]
    [InlineData("causes", 3, "with CPU samples")]
    [InlineData("export --to speedscope", 2, "no stacks")]
    public void What_a_store_cannot_tell(string command, int code, string what)
    {
        var words = command.Split(' ');
        var result = Run([words[0], $"{filled.Store}#name=net10", .. words[1..]]);

        Assert.Equal((code, ""), (result.Code, result.Output));
        Assert.Contains(what, ErrorLines.Check("esp-analyze", result.Error).What, StringComparison.Ordinal);
    }

    [Fact]
    public void A_recording_and_a_store_do_not_make_one_table() =>
        Assert.Contains(
            "cannot be in one table",
            ErrorLines.Check("esp-analyze", Run("table", filled.Store, TestFiles.Recording).Error).What,
            StringComparison.Ordinal
        );

    private string PathOf(string trace) =>
        trace switch
        {
            "net10" => TestFiles.Recording,
            "unmarked" => TestFiles.Unmarked,
            _ => filled.WindowsTrace,
        };

    private string IdOf(string trace)
    {
        using var store = TraceStores.Open(StoreAddress.Parse(filled.Store));
        return store.Traces().Single(item => item.Name == Path.GetFullPath(PathOf(trace))).Trace;
    }

    private static void Same(string[] onTrace, string[] onStore, string format, string path, string stored)
    {
        var (expected, actual) = (Run(onTrace), Run(onStore));

        Assert.Equal(expected.Code, actual.Code);
        Assert.Equal(Plain(expected.Error, "", path, stored), Plain(actual.Error, "", path, stored));
        Assert.NotEqual("", actual.Output);
        Assert.Equal(Plain(expected.Output, format, path, stored), Plain(actual.Output, format, path, stored));
    }

    /// <summary>An output without the names of the input.</summary>
    private static string Plain(string output, string format, string path, string stored)
    {
        output = output.Replace(stored, "INPUT", StringComparison.Ordinal).Replace(path, "INPUT", StringComparison.Ordinal);
        if (format == "json")
        {
            var node = JsonNode.Parse(output)!.AsObject();
            node.Remove("filesRead");
            return node.ToJsonString();
        }

        return string.Join(
            '\n',
            output
                .ReplaceLineEndings("\n")
                .Split('\n')
                .Select(line => line.TrimStart('-', ' '))
                .Where(line =>
                    line.Length > 0
                    && !line.StartsWith("Read: ", StringComparison.Ordinal)
                    && !line.StartsWith("Not stored: ", StringComparison.Ordinal)
                )
        );
    }
}
