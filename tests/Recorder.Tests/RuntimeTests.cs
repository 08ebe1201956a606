using System.Globalization;
using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary><c>--runtime</c> and <c>--precompile</c>, from the command line to the table. What has to be published here is used again by the next run of the tests.</summary>
public sealed class RuntimeTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-runtime-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Theory]
    [InlineData("--runtime net7.0", "there is no runtime 'net7.0'; choose from net10.0, net9.0, net8.0, net472, mono")]
    [InlineData("--runtime net8.0,", "there is no runtime ''")]
    [InlineData("--precompile maybe", "maybe")]
    [InlineData("--runtime net8.0 -- dotnet app.dll", "options of the built-in suite")]
    [InlineData("list --precompile on", "--precompile")]
    public async Task A_wrong_runtime_is_a_usage_error(string arguments, string named)
    {
        var result = await Tool.RecordAsync(arguments.Split(' '));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(named, result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Dry_run_prints_what_would_be_published_and_nothing_is()
    {
        var result = await Tool.RecordAsync("--dry-run", "--runtime", "net10.0", "--precompile", "both", "--out", Folder, "--sessions", "clr");

        Assert.Equal(0, result.ExitCode);
        Assert.False(Directory.Exists(Folder));
        Assert.Contains("runtime: net10.0 (the build beside esp-record: nothing to publish)", result.Output, StringComparison.Ordinal);
        Assert.Matches(@"runtime: net10\.0 R2R \(framework-dependent: \.NET 10\.[0-9.]+ is installed; precompiled \(ReadyToRun\)\)\r?\npublish: .*dotnet.* publish .*-p:PublishReadyToRun=true", result.Output);
        Assert.Contains($"folder:  {Path.Combine(Folder, "net10.0-r2r")}", result.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Doctor_says_which_runtimes_can_be_recorded()
    {
        var result = await Tool.RecordAsync("doctor");

        foreach (var runtime in (string[])["net9.0", "net8.0", "net472", "mono"])
            Assert.Matches($@"--runtime {runtime}\s+(yes|partly|no)\s+\S", result.Output);
    }

    [Fact]
    public async Task Two_runtimes_are_recorded_into_one_index_and_one_table()
    {
        var recorded = await Tool.RecordAsync("--runtime", "net10.0,net8.0", "-serializer", "#SystemTextJson", "-test", "serialize", "-n", "1000", "-runs", "2", "--out", Folder, "--format", "json");
        output.WriteLine(recorded.Error);
        SkipUnlessPublished(recorded);
        Assert.True(recorded.ExitCode == 0, recorded.Error);

        var table = JsonDocument.Parse(recorded.Output).RootElement;
        var rows = table.GetProperty("rows").EnumerateArray().ToList();
        Assert.Equal(["net10.0", "net8.0"], rows.Select(row => row.GetProperty("runtime").GetString()).Order());
        Assert.All(rows, row => Assert.True(row.GetProperty("wallMedianMs").GetDouble() > 0));
        Assert.Equal(["net10.0", "net8.0"], JsonDocument.Parse(File.ReadAllText(Path.Combine(Folder, "index.json"))).RootElement.GetProperty("recordings").EnumerateArray().Select(item => item.GetProperty("label").GetString()));

        // What was really run: by the runtime's own word, and by the files.
        var (own, older) = (Recording("net10.0"), Recording("net8.0"));
        Assert.StartsWith(".NET 10.", own.GetProperty("processes")[0].GetProperty("runtime").GetString(), StringComparison.Ordinal);
        Assert.StartsWith(".NET 8.", older.GetProperty("processes")[0].GetProperty("runtime").GetString(), StringComparison.Ordinal);
        var workload = older.GetProperty("workload");
        Assert.Equal(("net8.0", false), (workload.GetProperty("targetFramework").GetString(), workload.GetProperty("readyToRun").GetBoolean()));
        Assert.Contains("esp-workload", workload.GetProperty("jitOnlyAssemblies").EnumerateArray().Select(name => name.GetString()));
        Assert.Contains("TieredCompilation", workload.GetProperty("knobs").EnumerateArray().Select(knob => knob.GetProperty("name").GetString()));
    }

    [Fact]
    public async Task Mono_runs_the_suite_and_every_run_is_found()
    {
        var recorded = await Tool.RecordAsync("--runtime", "mono", "-serializer", "#SystemTextJson,#DataContract,#Google.Protobuf", "-test", "serialize", "-n", "1000", "-runs", "2", "-verify", "--out", Folder, "--format", "json");
        output.WriteLine(recorded.Error);
        Assert.SkipWhen(recorded.ExitCode == 4 && recorded.Error.Contains("mono is not on the path", StringComparison.Ordinal), "mono is not installed");
        Assert.SkipWhen(recorded.ExitCode == 4 && recorded.Error.Contains("apt-get install", StringComparison.Ordinal), $"Mono lacks assemblies: {recorded.Error}");
        SkipUnlessPublished(recorded);
        Assert.True(recorded.ExitCode == 0, recorded.Error);

        var table = JsonDocument.Parse(recorded.Output).RootElement;
        Assert.Equal(table.GetProperty("runsExpected").GetInt32(), table.GetProperty("runsFound").GetInt32());
        var rows = table.GetProperty("rows").EnumerateArray().ToList();
        Assert.Equal(["DataContract", "Google.Protobuf", "SystemTextJson"], rows.Select(row => row.GetProperty("serializer").GetString()).Order());
        Assert.All(rows, row => Assert.Equal((2, JsonValueKind.Null), (row.GetProperty("runs").GetInt32(), row.GetProperty("jitMs").ValueKind)));
        Assert.StartsWith("Mono ", JsonDocument.Parse(File.ReadAllText(Path.Combine(Folder, "recording.json"))).RootElement.GetProperty("workload").GetProperty("runtime").GetString(), StringComparison.Ordinal);
        Assert.False(File.Exists(Path.Combine(Folder, "index.json")), "one recording needs no index");
    }

    /// <summary>
    /// The published case: reading by BinaryFormatter takes time with the square of the objects on Mono, and is linear on .NET. There the graphs are larger ones: below 100,000 objects the
    /// first collections look like growth.
    /// </summary>
    [Theory]
    [InlineData("mono", "50000", "100000", "200000")]
    [InlineData("net10.0", "100000", "200000", "400000")]
    public async Task Reading_by_BinaryFormatter_is_found_to_be_quadratic_on_Mono_only(string runtime, params string[] objects)
    {
        var recorded = await Tool.RecordAsync("--runtime", runtime, "-serializer", "#BinaryFormatter", "-test", "deserialize", "-n", string.Join(',', objects), "-runs", "4", "--out", Folder);
        output.WriteLine(recorded.Error);
        Assert.SkipWhen(recorded.ExitCode == 4 && recorded.Error.Contains("mono is not on the path", StringComparison.Ordinal), "mono is not installed");
        Assert.SkipWhen(recorded.ExitCode == 4 && recorded.Error.Contains("apt-get install", StringComparison.Ordinal), $"Mono lacks assemblies: {recorded.Error}");
        SkipUnlessPublished(recorded);
        Assert.True(recorded.ExitCode == 0, recorded.Error);

        // What the measuring thread's own clock says of the smallest and the largest graph.
        var runs = File.ReadAllLines(Path.Combine(Folder, "runs.csv")).Select(line => line.Split(',')).ToList();
        int Column(string name) => Array.IndexOf(runs[0], name);
        var times = objects.ToDictionary(count => count, count => runs.Where(run => run[Column("objects")] == count && run[Column("kind")] == "Measured").Select(run => double.Parse(run[Column("thread_cpu_ns")], CultureInfo.InvariantCulture)).ToList());
        var exponent = Math.Log(times[objects[^1]].Min() / times[objects[0]].Min()) / Math.Log(double.Parse(objects[^1], CultureInfo.InvariantCulture) / double.Parse(objects[0], CultureInfo.InvariantCulture));
        output.WriteLine(FormattableString.Invariant($"exponent by the shortest runs: {exponent:0.00}"));

        var analyzed = await Tool.AnalyzeAsync("findings", Folder, "--format", "json");
        Assert.True(analyzed.ExitCode == 0, analyzed.Error);
        var growth = JsonDocument.Parse(analyzed.Output).RootElement.GetProperty("findings").EnumerateArray().Where(finding => finding.GetProperty("code").GetString() == "growth").ToList();
        if (runtime != "mono")
        {
            Assert.SkipWhen(exponent > 1.4, "the machine was so busy that the largest graph took far longer than it should");
            Assert.Empty(growth);
            return;
        }

        Assert.SkipWhen(exponent < 1.75, "the machine was so busy that the smallest graph took far longer than it should");
        Assert.SkipWhen(times.Values.Any(own => own.Max() > 1.6 * own.Min()), "the machine was so busy that runs of one graph took up to 1.6 times as long as others");
        var evidence = Assert.Single(growth).GetProperty("evidence")[0];
        Assert.Contains("BinaryFormatter Deserialize", growth[0].GetProperty("text").GetString(), StringComparison.Ordinal);
        Assert.True(evidence.GetProperty("low").GetDouble() > 1.5 && evidence.GetProperty("high").GetDouble() >= evidence.GetProperty("value").GetDouble(), evidence.ToString());
    }

    private JsonElement Recording(string label) => JsonDocument.Parse(File.ReadAllText(Path.Combine(Folder, label, "recording.json"))).RootElement;

    /// <summary>Without the packages of a runtime the rest of the tests is as good as ever.</summary>
    private static void SkipUnlessPublished(ToolResult recorded) =>
        Assert.SkipWhen(recorded.Error.Contains("a package cannot be restored", StringComparison.Ordinal) || recorded.Error.Contains(".NET SDK, which is not installed", StringComparison.Ordinal), recorded.Error);
}
