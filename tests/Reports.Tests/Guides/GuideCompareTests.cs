using System.Text.Json;
using System.Text.Json.Nodes;
using EtwSerializerProfiler.Reports.Guides;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Tests.Guides;

/// <summary>Guides compared with earlier ones.</summary>
public sealed class GuideCompareTests : IDisposable
{
    private readonly GuideFolder _older = new();
    private readonly GuideFolder _newer = new();

    public GuideCompareTests()
    {
        Fill(_older, "present", "yes", ("Worse", 2, 10), ("Better", 3, 20), ("Alike", 4, 30), ("Gone", 5, 40));
        _older.Build();
        Fill(_newer, "not present", "no", ("Worse", 3, 10), ("Better", 2, 25), ("Alike", 4, 30), ("New", 5, 40));
    }

    private string OlderFile => Path.Combine(_older.Path, "guide.json");

    public void Dispose()
    {
        _older.Dispose();
        _newer.Dispose();
    }

    [Fact]
    public void Times_are_judged_as_diff_judges_the_recordings()
    {
        _newer.Build(OlderFile);

        var recordings = new[] { _older, _newer }.Select(folder => Path.Combine(folder.Path, GuideKeys.Throughput)).ToArray();
        var diff = Json(AnalyzeTool.Run(["diff", .. recordings, "--format", "json"]).Output)
            .GetProperty("rows")
            .EnumerateArray()
            .Where(row => Text(row, "metric") == "wall")
            .ToDictionary(KeyOf);
        var rows = Compared().GetProperty("tables").GetProperty("rows").EnumerateArray().ToList();
        Assert.Equal(3 * 2 * 3, rows.Count); // serializers in both, directions, object counts
        Assert.Equal(diff.Keys.Order(), rows.Select(KeyOf).Order());
        foreach (var row in rows)
        {
            var of = diff[KeyOf(row)];
            Assert.Equal(of.GetProperty("ratio").GetDouble(), row.GetProperty("ratio").GetDouble(), 1e-6);
            Assert.Equal(of.GetProperty("baselineMedian").GetDouble(), row.GetProperty("olderMs").GetDouble(), 1e-6);
            Assert.Equal(of.GetProperty("otherMedian").GetDouble(), row.GetProperty("newerMs").GetDouble(), 1e-6);
            var verdict = Text(row, "verdict");
            Assert.Equal(
                Text(row, "serializer") switch
                {
                    "Worse" => "slower",
                    "Better" => "faster",
                    _ => "too few runs", // four runs of one process
                },
                verdict
            );
            Assert.StartsWith(verdict!, Text(of, "verdict"), StringComparison.Ordinal);
        }

        static string KeyOf(JsonElement row) => $"{Text(row, "serializer")} {Text(row, "operation")} {row.GetProperty("objects")}";
    }

    [Fact]
    public void Changes_are_marked_in_all_three_files_with_a_summary_on_top()
    {
        _newer.Build(OlderFile);

        const string Summary =
            "6 rows slower, 6 faster, 0 equal within noise, 6 with too few runs to decide, of these settings: esp-record record -n 100.";
        Assert.Equal(Summary, Compared().GetProperty("texts")[0].GetString());
        var markdown = _newer.Read("guide.md");
        Assert.True(markdown.IndexOf(Summary, StringComparison.Ordinal) < markdown.IndexOf("## 1.", StringComparison.Ordinal));
        Assert.Contains("In one guide only: 6 rows of this one, 6 of the earlier one.", markdown, StringComparison.Ordinal);
        var page = _newer.Read("guide.html");
        Assert.Contains(Summary, page, StringComparison.Ordinal);
        Assert.Contains("slower +50.0 %", page, StringComparison.Ordinal);

        var throughput = Table("throughput", "throughput").ToDictionary(row => Text(row, "serializer")!);
        Assert.Equal("slower +50.0 %", Text(throughput["Worse"], "deserializeChange"));
        Assert.Equal("faster -33.3 %", Text(throughput["Better"], "serializeChange"));
        Assert.Equal("larger +25.0 %", Text(throughput["Better"], "dataChange"));
        Assert.Equal("equal", Text(throughput["Alike"], "dataChange"));
        Assert.Null(Text(throughput["New"], "deserializeChange"));
        var byCount = Table("throughput", "deserializeByCount").ToDictionary(row => Text(row, "serializer")!);
        Assert.Equal("N=100 slower +50.0 %, N=1000 slower +50.0 %, N=10000 slower +50.0 %", Text(byCount["Worse"], "changed"));

        var feature = Assert.Single(Compared().GetProperty("tables").GetProperty("features").EnumerateArray());
        Assert.Equal(("yes", "no", "worked then, fails now"), (Text(feature, "olderSeen"), Text(feature, "seen"), Text(feature, "change")));
        Assert.Contains("no (was yes)", markdown, StringComparison.Ordinal);
        Assert.Equal("yes", Text(Table("features", "features").Single(row => Text(row, "key") == "cycle"), "olderSeen"));
        var scenario = Assert.Single(Compared().GetProperty("tables").GetProperty("scenarios").EnumerateArray());
        Assert.Equal(("present", "not present"), (Text(scenario, "olderVerdict"), Text(scenario, "verdict")));
        Assert.Contains("1 changed, 1 of them no longer works; scenarios: 1 with another verdict", markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void Numbers_of_another_machine_are_not_called_changes()
    {
        Change(file => file["environment"]!["facts"]!["machine"] = "elsewhere");

        _newer.Build(OlderFile);

        var texts = Compared().GetProperty("texts").EnumerateArray().Select(text => text.GetString()!).ToList();
        Assert.StartsWith("18 rows in both guides, none compared", texts[0], StringComparison.Ordinal);
        Assert.Contains(
            texts,
            text => text.StartsWith("Another machine, so no number is called a change: machine: elsewhere then", StringComparison.Ordinal)
        );
        Assert.All(
            Compared().GetProperty("tables").GetProperty("rows").EnumerateArray(),
            row => Assert.Equal("not compared", Text(row, "verdict"))
        );
        Assert.DoesNotContain("slower", _newer.Read("guide.md"), StringComparison.Ordinal);
        Assert.DoesNotContain("larger", _newer.Read("guide.md"), StringComparison.Ordinal);
        Assert.Contains("worked then, fails now", _newer.Read("guide.md"), StringComparison.Ordinal);
    }

    [Fact]
    public void Another_runtime_is_said_and_steps_with_other_data_are_not_compared()
    {
        Change(file =>
        {
            file["environment"]!["runtimes"]![GuideKeys.Throughput]![0] = ".NET 9.0.1";
            var steps = file["parts"]!.AsArray().Single(part => (string?)part!["id"] == "method")!["tables"]!["steps"]!.AsArray();
            steps.Single(step => (string?)step!["step"] == GuideKeys.Throughput)!["command"] = "esp-record record -data My.dll -n 100";
        });

        _newer.Build(OlderFile);

        var page = _newer.Read("guide.md");
        Assert.Contains("Other system, runtime or settings: runtime: .NET 9.0.1 then, .NET 10.0.12 now.", page, StringComparison.Ordinal);
        Assert.Contains(
            "Other options, so the rows of these steps are not compared: throughput: esp-record record -n 100 against",
            page,
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("slower", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Runs_in_several_processes_show_that_a_row_is_equal_within_noise()
    {
        var (older, newer) = (Row([10, 10.1, 10.2, 10.3, 9.9, 9.8]), Row([10.05, 10.1, 10.15, 10.3, 9.95, 9.8]));

        var change = RowChange.Of(older, newer, isComparable: true);

        Assert.Equal("equal within noise", change.Verdict);
        Assert.Equal("equal within noise", change.TimeText);

        static GuideMeasurement Row(double[] times) =>
            new("throughput", "A", "1", "", "Serialize", "Measured", 10, 0, 1, 100, [.. times.Select(time => (double[])[time])]);
    }

    [Theory]
    [InlineData("{ broken", "line 1 is not that of a guide")]
    [InlineData("[]", "line 1 is not that of a guide")]
    [InlineData("{}", "it is JSON of something else")]
    [InlineData("""{"schema":1,"report":"table","rows":[]}""", "it is JSON of something else")]
    [InlineData("""{"schema":99,"parts":[]}""", "it has schema 99")]
    [InlineData("""{"schema":1,"parts":[]}""", "it has none to compare with")]
    [InlineData("""{"schema":1,"parts":[null]}""", "it is JSON of something else")]
    [InlineData("""{"schema":1,"parts":[],"environment":{"facts":{}},"measurements":[null]}""", "it has none to compare with")]
    public void A_file_that_is_not_a_guide_is_an_error_that_says_what_to_name(string text, string found)
    {
        var path = _older.Write("other.json", text);

        var problem = Assert.Throws<TraceFormatException>(() => OlderGuide.Read(path)).Problem.ToString();

        Assert.Contains(found, problem, StringComparison.Ordinal);
        Assert.Contains(path, problem, StringComparison.Ordinal);
    }

    [Fact]
    public void A_missing_file_and_a_folder_are_errors()
    {
        Assert.Contains("the file does not exist", Message(Path.Combine(_older.Path, "none.json")), StringComparison.Ordinal);
        Assert.Contains("it is a folder", Message(_older.Path), StringComparison.Ordinal);

        static string Message(string path) => Assert.Throws<TraceFormatException>(() => OlderGuide.Read(path)).Problem.ToString();
    }

    private static void Fill(
        GuideFolder folder,
        string verdict,
        string cycle,
        params ReadOnlySpan<(string Serializer, double Ms, long BytesPerObject)> serializers
    )
    {
        folder.Record(GuideKeys.Throughput, serializers);
        folder.Scenario("graph", verdict, "3 of 7", failedRows: 0);
        folder.Write(GuideKeys.Features, GuideFolder.Features(("Worse", "cycle", cycle), ("Worse", "format", "binary")));
        folder.WriteSteps([
            new(GuideKeys.Throughput, "a", ["record", "-n", "100"]) { State = GuideStepState.Done },
            new("scenario-graph", "b", ["record"]) { State = GuideStepState.Done },
            new(GuideKeys.Features, "c", ["features"]) { State = GuideStepState.Done },
        ]);
    }

    private static JsonElement Json(string text) => JsonDocument.Parse(text).RootElement;

    private static string? Text(JsonElement row, string name) => row.GetProperty(name).GetString();

    private void Change(Action<JsonNode> change)
    {
        var file = JsonNode.Parse(File.ReadAllText(OlderFile))!;
        change(file);
        File.WriteAllText(OlderFile, file.ToJsonString());
    }

    private JsonElement Compared() => Json(_newer.Read("guide.json")).GetProperty("compared");

    private JsonElement.ArrayEnumerator Table(string part, string table) =>
        Json(_newer.Read("guide.json"))
            .GetProperty("parts")
            .EnumerateArray()
            .Single(item => Text(item, "id") == part)
            .GetProperty("tables")
            .GetProperty(table)
            .EnumerateArray();
}
