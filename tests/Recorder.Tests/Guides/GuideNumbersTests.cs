using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using EtwSerializerProfiler.Recorder.Commands.Guides;
using EtwSerializerProfiler.Reports.Guides;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Recorder.Tests.Guides;

/// <summary>
/// A guide of small real recordings: each number of a section equals the one that esp-analyze prints for the recording of that section.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed partial class GuideNumbersTests(GuideNumbersTests.SmallGuide guide) : IClassFixture<GuideNumbersTests.SmallGuide>
{
    private static readonly string[] s_directions = ["Deserialize", "Serialize"];

    [Fact]
    public void Throughput_and_sizes_are_those_of_the_table()
    {
        var printed = guide.Rows("table", GuideKeys.Throughput);
        foreach (var row in guide.Table("throughput", "throughput"))
        {
            var (from, to) = (printed[Key(row, "Deserialize", 1_000)], printed[Key(row, "Serialize", 1_000)]);
            Same(from, "wallMedianMs", row, "deserializeMs");
            Same(from, "spreadPercent", row, "deserializeSpreadPercent");
            Same(to, "wallMedianMs", row, "serializeMs");
            Same(to, "spreadPercent", row, "serializeSpreadPercent");
            Same(to, "dataBytes", row, "dataBytes");
            Assert.True(row.GetProperty("dataBytes").GetInt64() > 0);
        }

        foreach (var test in s_directions)
        {
            var rows = guide.Table("throughput", $"{test.ToLowerInvariant()}ByCount");
            Assert.Equal(2, rows.Count);
            foreach (var row in rows)
            {
                Same(printed[Key(row, test, 100)], "wallMedianMs", row, "n100Ms");
                Same(printed[Key(row, test, 300)], "wallMedianMs", row, "n300Ms");
                Same(printed[Key(row, test, 1_000)], "wallMedianMs", row, "n1000Ms");
            }
        }

        foreach (var row in guide.Table("which", "needs").Where(row => row.GetProperty("fastest").ValueKind == JsonValueKind.String))
        {
            var name = Text(row, "fastest").Split(' ')[0];
            Same(printed[$"{name} Deserialize 1000"], "wallMedianMs", row, "deserializeMs");
            Same(printed[$"{name} Serialize 1000"], "wallMedianMs", row, "serializeMs");
            Same(printed[$"{name} Serialize 1000"], "dataBytes", row, "dataBytes");
        }
    }

    [Fact]
    public void Growth_is_that_of_the_report()
    {
        var page = XDocument.Parse(
            guide.Read($"{GuideKeys.Throughput}/report.html").Replace("<!DOCTYPE html>", "", StringComparison.Ordinal)
        );
        foreach (var row in guide.Table("throughput", "throughput"))
        {
            foreach (var test in s_directions)
            {
                var summary = page.Descendants()
                    .Single(element =>
                        element.Name.LocalName == "summary" && element.Value.EndsWith("exponents of " + test, StringComparison.Ordinal)
                    );
                var cells = summary
                    .Parent!.Descendants()
                    .Where(element => element.Name.LocalName == "tr")
                    .Select(line => line.Elements().Select(cell => cell.Value).ToList())
                    .Single(line => line[0] == Text(row, "serializer"));
                var exponent = row.GetProperty(test.ToLowerInvariant() + "Growth").GetDouble();
                Assert.Equal(cells[1], exponent.ToString("0.00", CultureInfo.InvariantCulture));
            }
        }
    }

    [Fact]
    public void Threads_are_those_of_the_table()
    {
        var printed = guide.Rows("table", GuideKeys.Threads);
        var rows = guide.Table("throughput", "threads");
        Assert.Equal(2, rows.Count);
        foreach (var row in rows)
        {
            var test = Text(row, "operation");
            var (one, two) = (printed[Key(row, test, 1_000)], printed[Key(row, test + " x2", 1_000)]);
            Same(one, "wallMedianMs", row, "threads1Ms");
            Same(two, "wallMedianMs", row, "threads2Ms");
            var ratio = two.GetProperty("wallMedianMs").GetDouble() / one.GetProperty("wallMedianMs").GetDouble();
            Assert.Equal(ratio, row.GetProperty("threads2Ratio").GetDouble(), ratio * 0.01); // of rounded numbers
        }
    }

    [Fact]
    public void Causes_are_those_of_causes_and_memory_that_of_the_table()
    {
        var (causes, table) = (guide.Rows("causes", GuideKeys.Throughput), guide.Rows("table", GuideKeys.Throughput));
        foreach (var test in s_directions)
        {
            AllSame(guide.Table("why", $"{test.ToLowerInvariant()}Causes"), causes, 2);
            AllSame(guide.Table("why", $"{test.ToLowerInvariant()}Memory"), table, 2);
        }
    }

    [Fact]
    public void First_calls_are_those_of_firstcalls()
    {
        var printed = guide.Rows("firstcalls", GuideKeys.FirstCalls, "startup");
        AllSame(guide.Table("firstuse", "firstCalls"), printed, printed.Count, "startup");
        Assert.True(printed.Count >= 3); // construct, first serialize, first deserialize
    }

    [Fact]
    public void Runtimes_are_those_of_the_table_and_of_diff()
    {
        AllSame(guide.Table("runtimes", "runtimes"), guide.Rows("table", GuideKeys.Runtimes, "test", "runtime"), 16, "test", "runtime");
        var sides = new[] { "net10.0", "again" }.Select(side => Path.Combine(guide.Folder, GuideKeys.Runtimes, side)).ToArray();
        var diff = SmallGuide.Analyze(["diff", .. sides]);
        var walls = diff.GetProperty("rows").EnumerateArray().Where(row => Text(row, "metric") == "wall").ToList();
        Assert.NotEmpty(walls);
        AllSame(guide.Table("runtimes", "againWall"), walls.ToDictionary(row => KeyOf(row, ["test"])), walls.Count);
        if (!diff.TryGetProperty("without", out var without))
            return;
        var explained = without.EnumerateArray().ToDictionary(row => KeyOf(row, ["test"]));
        AllSame(guide.Table("runtimes", "againWithout"), explained, explained.Count);
    }

    [Fact]
    public void Features_are_those_of_the_table_of_features()
    {
        var lines = guide.Read(GuideKeys.Features).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var columns = lines[0].TrimEnd('\r').Split(',');
        var (key, seen) = (Array.IndexOf(columns, "key"), Array.IndexOf(columns, "seen"));
        var rows = guide.Table("features", "features");
        Assert.Equal(lines.Length - 1, rows.Count);
        foreach (var (line, row) in lines.Skip(1).Zip(rows))
        {
            var cells = Cell().Matches(line).Select(cell => cell.Groups[1].Value.Trim('"')).ToList();
            Assert.Equal((cells[key], cells[seen]), (Text(row, "key"), Text(row, "seen")));
        }
    }

    [Fact]
    public void Scenarios_have_the_conclusion_that_the_scenario_printed()
    {
        var row = Assert.Single(guide.Table("scenarios", "scenarios"));
        var found = guide.Read("scenario-exceptions.txt").Split('\n').Single(line => line.StartsWith("Found: ", StringComparison.Ordinal));
        Assert.Equal(found.TrimEnd(), $"Found: {Text(row, "verdict")} on this runtime ({Text(row, "runtime")}): {Text(row, "sentence")}");
        Assert.Equal(0, row.GetProperty("failedRows").GetInt32());
    }

    [Fact]
    public void Every_link_leads_to_a_file()
    {
        var links = guide
            .Json.GetProperty("parts")
            .EnumerateArray()
            .SelectMany(part => part.GetProperty("recordings").EnumerateArray())
            .Select(link => link.GetString()!)
            .ToList();
        Assert.Contains("runtimes/report.html", links);
        Assert.All(links, link => Assert.True(File.Exists(Path.Combine(guide.Folder, link)), link));
    }

    /// <summary>A cell of CSV, perhaps quoted, up to the next comma.</summary>
    [GeneratedRegex("""("[^"]*"|[^,]*)(?:,|$)""")]
    private static partial Regex Cell();

    /// <summary>Asserts that all fields of rows are those of the printed rows, and that each row has a number.</summary>
    private static void AllSame(IReadOnlyList<JsonElement> rows, Dictionary<string, JsonElement> printed, int count, params string[] names)
    {
        Assert.Equal(count, rows.Count);
        foreach (var row in rows)
        {
            var of = printed[KeyOf(row, names.Length > 0 ? names : ["test"])];
            Assert.All(row.EnumerateObject(), field => Same(of, field.Name, row, field.Name));
            Assert.Contains(row.EnumerateObject(), field => field.Value.ValueKind == JsonValueKind.Number);
        }
    }

    private static void Same(JsonElement printed, string name, JsonElement row, string ofRow) =>
        Assert.Equal(printed.GetProperty(name).GetRawText(), row.GetProperty(ofRow).GetRawText());

    private static string Text(JsonElement row, string name) => row.GetProperty(name).GetString()!;

    private static string Key(JsonElement row, string test, int objects) =>
        string.Create(CultureInfo.InvariantCulture, $"{Text(row, "serializer")} {test} {objects}");

    private static string KeyOf(JsonElement row, IEnumerable<string> names) =>
        $"{Text(row, "serializer")} {string.Join(' ', names.Select(name => Text(row, name)))} {row.GetProperty("objects")}";

    /// <summary>The guide, recorded once for all tests of the class.</summary>
    public sealed class SmallGuide : IAsyncLifetime
    {
        public string Folder { get; } = Directory.CreateTempSubdirectory("esp-guide-numbers-").FullName;

        public JsonElement Json { get; private set; }

        public async ValueTask InitializeAsync()
        {
            string[] record = ["record", "-serializer", "#SystemTextJson,#DataContract", "-runs", "2"];
            GuideStep[] steps =
            [
                new(GuideKeys.Throughput, "a", [.. record, "-n", "100,300,1000"]),
                new(GuideKeys.Threads, "b", ["record", "-serializer", "#SystemTextJson", "-runs", "2", "-n", "1000", "-threads", "1,2"]),
                new(GuideKeys.FirstCalls, "c", ["record", "-serializer", "#SystemTextJson", "-runs", "1", "-test", "firstcall"]),
                new("scenario-exceptions", "d", ["record", "-scenario", "exceptions", "-n", "200", "-runs", "1"]),
                new(GuideKeys.Features, "e", ["features", "-serializer", "#SystemTextJson", "--format", "csv"]),
                new("again", "f", [.. record, "-n", "1000"]),
            ];
            var made = new GuideSteps(GuideSteps.CurrentSchema, "1", steps);
            using var progress = new StringWriter();
            var code = await new GuideRunner(Folder, made, progress, RunAsync).RunAsync();
            Assert.True(code == 0, progress.ToString());
            MakeRuntimes();
            var runtimes = Path.Combine(Folder, GuideKeys.Runtimes);
            var page = await Tool.AnalyzeAsync("report", runtimes, "--out", Path.Combine(runtimes, "report.html"));
            Assert.True(page.ExitCode == 0, page.Error);
            GuideBuilder.Write(GuideBuilder.Build(Folder), Folder);
            Json = JsonDocument.Parse(Read("guide.json")).RootElement;
        }

        public ValueTask DisposeAsync()
        {
            Directory.Delete(Folder, recursive: true);
            return ValueTask.CompletedTask;
        }

        public string Read(string file) => File.ReadAllText(Path.Combine(Folder, file));

        public IReadOnlyList<JsonElement> Table(string part, string table) =>
            [
                .. Json.GetProperty("parts")
                    .EnumerateArray()
                    .Single(item => Text(item, "id") == part)
                    .GetProperty("tables")
                    .GetProperty(table)
                    .EnumerateArray(),
            ];

        public static JsonElement Analyze(params string[] arguments)
        {
            var result = Tool.AnalyzeAsync([.. arguments, "--format", "json"]).GetAwaiter().GetResult();
            Assert.True(result.ExitCode == 0, result.Error);
            return JsonDocument.Parse(result.Output).RootElement;
        }

        /// <summary>Rows that a command of esp-analyze prints for a step, by serializer, the named fields and objects.</summary>
        public Dictionary<string, JsonElement> Rows(string command, string step, params string[] names)
        {
            var printed = Analyze(command, Path.Combine(Folder, step)).GetProperty("rows").EnumerateArray();
            return printed.ToDictionary(row => KeyOf(row, names.Length > 0 ? names : ["test"]));
        }

        private static async Task<int> RunAsync(string[] arguments, TextWriter output, TextWriter error)
        {
            var result = await Tool.RecordAsync(arguments);
            await output.WriteAsync(result.Output);
            await error.WriteAsync(result.Error);
            return result.ExitCode;
        }

        /// <summary>
        /// Makes the step "runtimes" from two recordings of one runtime, because publishing for another one would take minutes. The numbers
        /// have the same source.
        /// </summary>
        private void MakeRuntimes()
        {
            var folder = Directory.CreateDirectory(Path.Combine(Folder, GuideKeys.Runtimes)).FullName;
            Directory.Move(Path.Combine(Folder, "again"), Path.Combine(folder, "again"));
            CopyFolder(Path.Combine(Folder, GuideKeys.Throughput), Path.Combine(folder, "net10.0"));
            IndexedRecording[] recordings = [new("net10.0", "net10.0"), new("again", "again")];
            RecordingIndexFile.Write(folder, new RecordingIndex(RecordingIndex.CurrentSchema, "1", DateTime.UnixEpoch, recordings, []));
            var steps = GuideSteps.Read(Folder)!;
            var runtimes = new GuideStep(GuideKeys.Runtimes, "g", ["record"]) { State = GuideStepState.Done };
            (steps with { Steps = [.. steps.Steps.Where(step => step.Key != "again"), runtimes] }).Write(Folder);
        }

        private static void CopyFolder(string from, string to)
        {
            Directory.CreateDirectory(to);
            foreach (var file in Directory.EnumerateFiles(from))
                File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
            foreach (var folder in Directory.EnumerateDirectories(from))
                CopyFolder(folder, Path.Combine(to, Path.GetFileName(folder)));
        }
    }
}
