using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// <c>--runtime</c> and <c>--precompile</c>, from the command line to the table. The next run of the tests reuses what was published.
/// </summary>
public sealed class RuntimeTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-runtime-").FullName;

    /// <summary>The adapters take most of the time of a build, and none of them is run here.</summary>
    internal static readonly (string, string) WithoutAdapters = ("EspSkipAdapters", "true");

    private string Folder => Path.Combine(_root, "r");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Theory]
    [InlineData("--runtime net7.0", "unknown runtime 'net7.0'")]
    [InlineData("--runtime net8.0,", "unknown runtime ''")]
    [InlineData("--precompile maybe", "maybe")]
    [InlineData("--runtime net8.0 -- dotnet app.dll", "options of the built-in suite")]
    [InlineData("list --precompile on", "--precompile")]
    public async Task A_wrong_runtime_is_a_usage_error(string arguments, string named)
    {
        var result = await Tool.RecordHereAsync(arguments.Split(' '));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(named, result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Dry_run_prints_what_would_be_published_and_nothing_is()
    {
        var result = await Tool.RecordAsync(
            "--dry-run",
            "--runtime",
            "net10.0",
            "--precompile",
            "both",
            "--out",
            Folder,
            "--sessions",
            "clr"
        );

        Assert.Equal(0, result.ExitCode);
        Assert.False(Directory.Exists(Folder));
        Assert.Contains("runtime: net10.0 (the build beside esp-record: nothing to publish)", result.Output, StringComparison.Ordinal);
        Assert.Matches(
            @"runtime: net10\.0 R2R \(framework-dependent: \.NET 10\.[0-9.]+ is installed; precompiled \(ReadyToRun\)\)\r?\npublish: .*dotnet.* publish .*-p:PublishReadyToRun=true",
            result.Output
        );
        Assert.Contains($"folder:  {Path.Combine(Folder, "net10.0-r2r")}", result.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_build_without_adapters_is_not_taken_for_one_with_them()
    {
        string[] plan = ["--dry-run", "--runtime", "net10.0", "--precompile", "on", "--sessions", "clr"];
        var (with, without) = (
            await Tool.RecordWithAsync(("EspSkipAdapters", ""), plan),
            await Tool.RecordWithAsync(WithoutAdapters, plan)
        );

        Assert.Matches(@"--artifacts-path \S*runtimes[/\\]net10\.0-r2r ", with.Output);
        Assert.Matches(@"--artifacts-path \S*runtimes[/\\]without-adapters[/\\]net10\.0-r2r ", without.Output);
    }

    [Fact]
    public async Task Doctor_says_which_runtimes_can_be_recorded()
    {
        var result = await Tool.RecordAsync("doctor");

        foreach (var runtime in (string[])["net9.0", "net8.0", "net10.0-aot", "net472", "mono"])
            Assert.Matches($@"--runtime {runtime}\s+│ (yes|partly|no)\s+│ \S", result.Output);
    }

    [Fact]
    [Trait(TestKind.Trait, TestKind.Records)]
    public async Task Two_runtimes_are_recorded_into_one_index_and_one_table()
    {
        var recorded = await Tool.RecordWithAsync(
            WithoutAdapters,
            "--runtime",
            "net10.0,net8.0",
            "-serializer",
            "#SystemTextJson",
            "-test",
            "serialize",
            "-n",
            "1000",
            "-runs",
            "1",
            "--out",
            Folder,
            "--format",
            "json"
        );
        output.WriteLine(recorded.Error);
        SkipUnlessPublished(recorded);
        Assert.True(recorded.ExitCode == 0, recorded.Error);

        var table = JsonDocument.Parse(recorded.Output).RootElement;
        var rows = table.GetProperty("rows").EnumerateArray().ToList();
        Assert.Equal(["net10.0", "net8.0"], rows.Select(row => row.GetProperty("runtime").GetString()).Order());
        Assert.All(rows, row => Assert.True(row.GetProperty("wallMedianMs").GetDouble() > 0));
        Assert.Equal(
            ["net10.0", "net8.0"],
            JsonDocument
                .Parse(File.ReadAllText(Path.Combine(Folder, "index.json")))
                .RootElement.GetProperty("recordings")
                .EnumerateArray()
                .Select(item => item.GetProperty("label").GetString())
        );

        // The runtime that really ran: by its own report, and by the files.
        var (own, older) = (Recording("net10.0"), Recording("net8.0"));
        Assert.StartsWith(".NET 10.", own.GetProperty("processes")[0].GetProperty("runtime").GetString(), StringComparison.Ordinal);
        Assert.StartsWith(".NET 8.", older.GetProperty("processes")[0].GetProperty("runtime").GetString(), StringComparison.Ordinal);
        var workload = older.GetProperty("workload");
        Assert.Equal(
            ("net8.0", false),
            (workload.GetProperty("targetFramework").GetString(), workload.GetProperty("readyToRun").GetBoolean())
        );
        Assert.Contains("esp-workload", workload.GetProperty("jitOnlyAssemblies").EnumerateArray().Select(name => name.GetString()));
        Assert.Contains(
            "TieredCompilation",
            workload.GetProperty("knobs").EnumerateArray().Select(knob => knob.GetProperty("name").GetString())
        );
    }

    [Fact]
    [Trait(TestKind.Trait, TestKind.Records)]
    public async Task A_runtime_on_which_nothing_of_the_selection_runs_is_skipped_and_the_table_says_why()
    {
        var plugin = Path.Combine(AppContext.BaseDirectory, "EtwSerializerProfiler.SamplePlugin.dll"); // of .NET 10
        var recorded = await Tool.RecordWithAsync(
            WithoutAdapters,
            "--runtime",
            "net10.0,net8.0",
            "-plugin",
            plugin,
            "-serializer",
            "#Busy",
            "-test",
            "serialize",
            "-n",
            "1000",
            "-runs",
            "1",
            "--sessions",
            "clr",
            "--out",
            Folder,
            "--format",
            "json"
        );
        output.WriteLine(recorded.Error);
        SkipUnlessPublished(recorded);

        Assert.Equal(4, recorded.ExitCode);
        Assert.Contains("  where: net8.0", recorded.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Path.Combine(Folder, "net8.0")));
        var table = JsonDocument.Parse(recorded.Output).RootElement;
        Assert.All(table.GetProperty("rows").EnumerateArray(), row => Assert.Equal("Busy", row.GetProperty("serializer").GetString()));
        Assert.Contains(
            table.GetProperty("findings").EnumerateArray(),
            finding => finding.GetProperty("text").GetString()!.StartsWith($"net8.0: {plugin}: ", StringComparison.Ordinal)
        );
    }

    private JsonElement Recording(string label) =>
        JsonDocument.Parse(File.ReadAllText(Path.Combine(Folder, label, "recording.json"))).RootElement;

    /// <summary>Skips the test if the packages of a runtime are unavailable.</summary>
    internal static void SkipUnlessPublished(ToolResult recorded) =>
        Assert.SkipWhen(
            recorded.Error.Contains("a package cannot be restored", StringComparison.Ordinal)
                || recorded.Error.Contains(".NET SDK, which is not installed", StringComparison.Ordinal),
            recorded.Error
        );
}
