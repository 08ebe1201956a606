using System.Text.Json;
using System.Xml.Linq;
using EtwSerializerProfiler.Reports.Guides;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Tests.Guides;

/// <summary>Guides of recordings that consist of a run CSV with known times, and of a feature table.</summary>
public sealed class GuideTests : IDisposable
{
    private static readonly int[] s_counts = GuideFolder.Counts;

    private readonly GuideFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_guide_without_recordings_says_how_to_make_each_part()
    {
        Steps(GuideStepState.Planned);

        var guide = Write();

        string[] ids = ["which", "throughput", "why", "firstuse", "runtimes", "features", "scenarios", "method"];
        Assert.Equal(ids, guide.Parts.Select(part => part.Id));
        Assert.All(
            guide.Parts,
            part => Assert.EndsWith($"not recorded yet: esp-record guide --out {_folder.Path}", part.Missing, StringComparison.Ordinal)
        );
        Assert.Contains("Not recorded: not recorded yet: esp-record guide", Read("guide.md"), StringComparison.Ordinal);
    }

    [Fact]
    public void Every_number_is_the_one_that_the_analyzer_prints_for_the_recording()
    {
        Record(GuideKeys.Throughput, ("Fast", 1, 10), ("Slow", 3, 20));
        Steps(GuideStepState.Done, GuideKeys.Throughput);
        Write();

        var table = AnalyzeTool.Run("table", Path.Combine(_folder.Path, GuideKeys.Throughput), "--format", "json").Output;
        var printed = Json(table)
            .GetProperty("rows")
            .EnumerateArray()
            .ToDictionary(row =>
                (
                    row.GetProperty("serializer").GetString()!,
                    row.GetProperty("operation").GetString()!,
                    row.GetProperty("objects").GetInt32()
                )
            );
        var tables = Part("throughput").GetProperty("tables");
        var rows = tables.GetProperty("throughput").EnumerateArray().ToList();
        Assert.Equal(["Fast", "Slow"], rows.Select(row => row.GetProperty("serializer").GetString()));
        foreach (var row in rows)
        {
            var name = row.GetProperty("serializer").GetString()!;
            var (deserialize, serialize) = (printed[(name, "Deserialize", 10_000)], printed[(name, "Serialize", 10_000)]);
            Assert.Equal(deserialize.GetProperty("wallMedianMs").GetDouble(), row.GetProperty("deserializeMs").GetDouble());
            Assert.Equal(deserialize.GetProperty("spreadPercent").GetDouble(), row.GetProperty("deserializeSpreadPercent").GetDouble());
            Assert.Equal(serialize.GetProperty("wallMedianMs").GetDouble(), row.GetProperty("serializeMs").GetDouble());
            Assert.Equal(serialize.GetProperty("spreadPercent").GetDouble(), row.GetProperty("serializeSpreadPercent").GetDouble());
            Assert.Equal(serialize.GetProperty("dataBytes").GetInt64(), row.GetProperty("dataBytes").GetInt64());
        }

        foreach (var operation in (string[])["Deserialize", "Serialize"])
        {
            foreach (var row in tables.GetProperty($"{operation.ToLowerInvariant()}ByCount").EnumerateArray())
            {
                foreach (var count in s_counts)
                {
                    var of = printed[(row.GetProperty("serializer").GetString()!, operation, count)];
                    Assert.Equal(of.GetProperty("wallMedianMs").GetDouble(), row.GetProperty($"n{count}Ms").GetDouble());
                }
            }

            foreach (var row in Part("why").GetProperty("tables").GetProperty($"{operation.ToLowerInvariant()}Memory").EnumerateArray())
            {
                var of = printed[(row.GetProperty("serializer").GetString()!, operation, 10_000)];
                Assert.Equal(of.GetProperty("peakWorkingSetBytes").GetInt64(), row.GetProperty("peakWorkingSetBytes").GetInt64());
                Assert.Equal(of.GetProperty("allocatedBytesPerObject").GetDouble(), row.GetProperty("allocatedBytesPerObject").GetDouble());
            }
        }
    }

    [Fact]
    public void Growth_is_the_power_of_the_object_count()
    {
        Record(GuideKeys.Throughput, ("Linear", 1, 10));
        Steps(GuideStepState.Done, GuideKeys.Throughput);
        Write();

        var row = Assert.Single(Part("throughput").GetProperty("tables").GetProperty("throughput").EnumerateArray());
        Assert.Equal(1, row.GetProperty("deserializeGrowth").GetDouble(), 0.01);
    }

    [Fact]
    public void A_need_names_the_fastest_that_was_seen_to_fit_and_formats_with_type_names_only_for_trusted_data()
    {
        Record(GuideKeys.Throughput, ("Fast", 1, 30), ("Middle", 2, 10), ("BinaryFormatter", 3, 20));
        _folder.Write(
            GuideKeys.Features,
            GuideFolder.Features(
                ("Fast", "cycle", "no"),
                ("Fast", "object-class", "no"),
                ("Fast", "format", "binary"),
                ("Middle", "cycle", "opt-in"),
                ("Middle", "object-class", "opt-in"),
                ("Middle", "format", "text"),
                ("BinaryFormatter", "cycle", "yes"),
                ("BinaryFormatter", "object-class", "yes"),
                ("BinaryFormatter", "format", "binary")
            )
        );
        Steps(GuideStepState.Done, GuideKeys.Throughput, GuideKeys.Features);
        Write();

        var part = Part("which");
        var needs = part.GetProperty("tables").GetProperty("needs").EnumerateArray().ToDictionary(row => Text(row, "need")!);
        Assert.Equal(("Fast", "Middle", "BinaryFormatter"), Of("no special need"));
        Assert.Equal(("Middle (opt-in)", null, "BinaryFormatter"), Of("cycles"));
        Assert.Equal(("Middle", null, null), Of("readable text"));
        Assert.Equal(("Fast", "Middle", null), Of("untrusted data (it names no types)"));
        Assert.Equal(("Middle", "Fast", "BinaryFormatter"), Of("smallest data"));
        Assert.DoesNotContain("NativeAOT", needs.Keys); // it was not tried
        var notes = part.GetProperty("notes").EnumerateArray().Select(note => note.GetString()!).ToList();
        Assert.Contains(notes, note => note.Contains("binaryformatter-security-guide", StringComparison.Ordinal));
        Assert.Contains(notes, note => note.StartsWith("Untrusted data: the trials only show", StringComparison.Ordinal));
        const string Row = "| cycles | Middle (opt-in) | 20.050 | 10.025 | 100000 | BinaryFormatter | - |";
        Assert.Contains(Row, Read("guide.md"), StringComparison.Ordinal);

        (string?, string?, string?) Of(string need) =>
            (Text(needs[need], "fastest"), Text(needs[need], "next"), Text(needs[need], "trustedOnly"));
    }

    [Fact]
    public void Scenarios_have_the_verdict_that_the_suite_wrote_beside_the_runs()
    {
        Scenario("a", "not present", "1.2 times (rule: 5)", failedRows: 2);
        WriteSteps([
            new("scenario-a", "A case.", ["record"]) { State = GuideStepState.Done },
            new("scenario-b", "B case.", ["record"]) { State = GuideStepState.Failed, Outcome = "error: no memory" },
            new("scenario-c", "C case.", ["record"]) { State = GuideStepState.Done },
        ]);
        Write();

        var rows = Part("scenarios").GetProperty("tables").GetProperty("scenarios").EnumerateArray().ToList();
        Assert.Equal(["a", "not present", "1.2 times (rule: 5)"], Texts(rows[0]));
        Assert.Equal(2, rows[0].GetProperty("failedRows").GetInt32());
        Assert.Equal(["b", null, null], Texts(rows[1]));
        Assert.Equal(["c", null, null], Texts(rows[2]));
        var page = Read("guide.md");
        Assert.Contains("| b | not recorded | error: no memory; try again: esp-record guide --out", page, StringComparison.Ordinal);
        Assert.Contains("expected the conclusion of a scenario in JSON", page, StringComparison.Ordinal);

        static IEnumerable<string?> Texts(JsonElement row) => [Text(row, "scenario"), Text(row, "verdict"), Text(row, "sentence")];
    }

    [Fact]
    public void A_part_that_the_plan_left_out_says_why_and_how_to_get_it()
    {
        string[] keys = [GuideKeys.Threads, GuideKeys.Runtimes, GuideKeys.ScenarioPrefix + "quadratic"];
        Record(GuideKeys.Throughput, ("Fast", 1, 10));
        Scenario("graph", "present", "3 of 7", failedRows: 0);
        new GuideSteps(
            GuideSteps.CurrentSchema,
            "1",
            [
                new(GuideKeys.Throughput, "a", ["record"]) { State = GuideStepState.Done },
                new("scenario-graph", "b", ["record"]) { State = GuideStepState.Done },
            ]
        )
        {
            LeftOut = [.. keys.Select(key => new GuideLeftOut(key, $"no {key}", $"get {key}"))],
        }.Write(_folder.Path);
        var guide = Write();

        Assert.Equal("no runtimes; get runtimes", guide.Parts.Single(part => part.Id == "runtimes").Missing);
        Assert.Contains("Thread scaling: no threads; get threads.", guide.Parts.Single(part => part.Id == "throughput").Notes);
        Assert.Contains(
            "quadratic: no scenario-quadratic; get scenario-quadratic",
            guide.Parts.Single(part => part.Id == "scenarios").Notes
        );
        var leftOut = Part("method").GetProperty("tables").GetProperty("leftOutSteps").EnumerateArray();
        Assert.Equal(keys, leftOut.Select(row => Text(row, "step")));
    }

    [Fact]
    public void The_page_is_well_formed_and_links_to_the_recordings()
    {
        Record(GuideKeys.Throughput, ("A<b>", 1, 10));
        Steps(GuideStepState.Done, GuideKeys.Throughput);
        Write();

        var page = XDocument.Parse(Read("guide.html").Replace("<!DOCTYPE html>", "", StringComparison.Ordinal));
        Assert.Contains(page.Descendants().Attributes("href"), href => href.Value == "throughput/report.html");
        Assert.Contains(page.Descendants(), element => element.Name.LocalName == "th" && element.Value == "A<b>");
    }

    [Theory]
    [InlineData("{ broken", "is not JSON")]
    [InlineData("{}", "it has none")]
    [InlineData("""{"schema":99,"toolVersion":"1","steps":[]}""", "it has schema 99")]
    [InlineData("""{"schema":1,"toolVersion":"1","steps":[null]}""", "it has none")]
    public void A_damaged_list_of_steps_is_an_error_with_its_file(string text, string found)
    {
        var path = _folder.Write(GuideSteps.FileName, text);

        var problem = Assert.Throws<TraceFormatException>(() => GuideBuilder.Build(_folder.Path)).Problem;

        Assert.Contains(found, problem.ToString(), StringComparison.Ordinal);
        Assert.Contains(path, problem.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("a,b\n1,2\n", "there is no column 'serializer'")]
    [InlineData("serializer,group,key,feature,seen,detail,runtime\n", "it has no rows")]
    public void An_unreadable_feature_table_is_a_missing_part(string text, string found)
    {
        _folder.Write(GuideKeys.Features, text);
        Steps(GuideStepState.Done, GuideKeys.Features);

        var part = Write().Parts.Single(part => part.Id == "features");

        Assert.Contains(found, part.Missing, StringComparison.Ordinal);
        Assert.Contains("esp-record guide --out", part.Missing, StringComparison.Ordinal);
    }

    private static JsonElement Json(string text) => JsonDocument.Parse(text).RootElement;

    private static string? Text(JsonElement row, string name) => row.GetProperty(name).GetString();

    private JsonElement Part(string id) =>
        Json(Read("guide.json")).GetProperty("parts").EnumerateArray().Single(part => Text(part, "id") == id);

    private string Read(string file) => _folder.Read(file);

    private Guide Write() => _folder.Build();

    private void Steps(GuideStepState state, params IReadOnlyList<string> keys) => _folder.Steps(state, keys);

    private void WriteSteps(IReadOnlyList<GuideStep> steps) => _folder.WriteSteps(steps);

    private void Scenario(string name, string verdict, string sentence, int failedRows) =>
        _folder.Scenario(name, verdict, sentence, failedRows);

    private void Record(string key, params ReadOnlySpan<(string Serializer, double Ms, long BytesPerObject)> serializers) =>
        _folder.Record(key, serializers);
}
