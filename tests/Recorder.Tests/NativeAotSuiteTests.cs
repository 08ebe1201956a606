using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// <c>--runtime net10.0-aot</c>: the suite compiled ahead of time with its adapters. Its own class, so that it is published beside other
/// tests; later runs use that build again.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class NativeAotSuiteTests(ITestOutputHelper output) : IDisposable
{
    private const string Runtime = "net10.0-aot";

    private readonly string _root = Directory.CreateTempSubdirectory("esp-aot-suite-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Both_runtimes_are_recorded_into_one_table_and_their_difference_is_explained()
    {
        var recorded = await Tool.RecordAsync(
            "--runtime",
            $"net10.0,{Runtime}",
            "-serializer",
            "#SystemTextJson,#SystemTextJsonSourceGen,#MemoryPack,#Google.Protobuf,#Newtonsoft.Json,#BinaryFormatter",
            "-test",
            "serialize",
            "-n",
            "5000",
            "-runs",
            "2",
            "--out",
            Folder
        );
        output.WriteLine(recorded.Output + recorded.Error);
        SkipUnlessPublished(recorded);
        Assert.True(recorded.ExitCode == 0, recorded.Error);

        // Both runtimes have the rows of all serializers but the one that NativeAOT cannot run; an adapter's package may be missing here
        // for both.
        var table = JsonDocument.Parse((await Tool.AnalyzeAsync("table", Folder, "--format", "json")).Output).RootElement;
        var rows = table
            .GetProperty("rows")
            .EnumerateArray()
            .ToLookup(row => row.GetProperty("runtime").GetString()!, row => row.GetProperty("serializer").GetString()!);
        Assert.Superset(
            new HashSet<string> { "SystemTextJson", "SystemTextJsonSourceGen", "Google.Protobuf", "Newtonsoft.Json" },
            rows[Runtime].ToHashSet()
        );
        Assert.Equal(rows["net10.0"].Except(["BinaryFormatter"]).Order(), rows[Runtime].Order());
        Assert.Contains(
            table.GetProperty("findings").EnumerateArray(),
            finding =>
                finding
                    .GetProperty("text")
                    .GetString()!
                    .StartsWith($"{Runtime}: skipped serializers: BinaryFormatter (", StringComparison.Ordinal)
        );
        Assert.Equal(table.GetProperty("runsExpected").GetInt32(), table.GetProperty("runsFound").GetInt32());

        // Each row has the memory of its serializer's process and the size of its program, for NativeAOT little more than the executable.
        var described = await File.ReadAllTextAsync(Path.Combine(Folder, Runtime, "recording.json"), TestContext.Current.CancellationToken);
        var executable = new FileInfo(JsonDocument.Parse(described).RootElement.GetProperty("command")[0].GetString()!).Length;
        var all = table.GetProperty("rows").EnumerateArray().ToList();
        Assert.All(all, row => Assert.InRange(row.GetProperty("peakWorkingSetBytes").GetInt64(), 5_000_000, 5_000_000_000));
        Assert.All(
            all.Where(row => row.GetProperty("runtime").GetString() == Runtime),
            row => Assert.InRange(row.GetProperty("programBytes").GetInt64(), executable, executable + 1_000_000)
        );
        Assert.Matches(
            @"(?m)^Program: size [0-9.]+ MB against [0-9.]+ MB; peak working set [0-9.]+ MB against [0-9.]+ MB \(medians of [0-9]+ rows\)$",
            recorded.Output.ReplaceLineEndings("\n")
        );
        Assert.DoesNotContain("runs.csv", recorded.Output, StringComparison.Ordinal); // 'esp-analyze diff' lists the files

        var workload = JsonDocument
            .Parse(await File.ReadAllTextAsync(Path.Combine(Folder, Runtime, "recording.json"), TestContext.Current.CancellationToken))
            .RootElement.GetProperty("workload");
        Assert.Equal(".NET NativeAOT 10", workload.GetProperty("runtime").GetString());
        Assert.Contains(
            "Differs: compilation: by the JIT against ahead of time (NativeAOT), without tiers and dynamic PGO",
            recorded.Output,
            StringComparison.Ordinal
        );

        // The program keeps its debug file, so that its samples have the names of the source.
        var cpu = await Tool.AnalyzeAsync("cpu", Path.Combine(Folder, Runtime), "--inclusive", "--top", "100000", "--format", "json");
        Assert.SkipWhen(cpu.ExitCode != 0, "no CPU samples here");
        Assert.Contains(
            JsonDocument.Parse(cpu.Output).RootElement.GetProperty("rows").EnumerateArray(),
            row =>
                row.GetProperty("method").GetString()!.StartsWith("EtwSerializerProfiler.Workload.", StringComparison.Ordinal)
                && row.GetProperty("module").GetString() == "esp-workload.dll"
        ); // all of a few samples are below it
        Assert.DoesNotContain("its debug file", cpu.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task List_and_features_try_each_serializer_in_the_published_program()
    {
        var list = await Tool.RecordAsync("list", "--runtime", Runtime);
        output.WriteLine(list.Output + list.Error);
        SkipUnlessPublished(list);
        Assert.Matches(@"(?m)^\s*SystemTextJsonSourceGen\s.*\syes$", list.Output);
        Assert.Matches(@"(?m)^\s*BinaryFormatter\s.*\sno: \S", list.Output);

        // Its types are generated, so that little else is tried.
        var features = await Tool.RecordAsync("features", "--runtime", Runtime, "-serializer", "#Google.Protobuf", "--format", "csv");
        Assert.Contains(
            features.Output.Split('\n'),
            line => line.Contains(",native-aot,NativeAOT,yes,,.NET NativeAOT 10.", StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task Serializers_of_one_s_own_are_refused_with_the_reason()
    {
        var plugin = Path.Combine(AppContext.BaseDirectory, "EtwSerializerProfiler.SamplePlugin.dll");
        var recorded = await Tool.RecordAsync(
            "--runtime",
            Runtime,
            "-plugin",
            plugin,
            "-serializer",
            "#Busy",
            "-test",
            "serialize",
            "-n",
            "10",
            "-runs",
            "1",
            "--out",
            Folder
        );
        SkipUnlessPublished(recorded);

        Assert.Equal(2, recorded.ExitCode);
        Assert.Contains("a suite compiled by NativeAOT loads no assemblies", recorded.Error, StringComparison.Ordinal);
    }

    private static void SkipUnlessPublished(ToolResult recorded)
    {
        RuntimeTests.SkipUnlessPublished(recorded);
        Assert.SkipWhen(
            recorded.Error.Contains("neither clang nor gcc is on the path", StringComparison.Ordinal),
            "no linker: apt-get install gcc or clang"
        );
    }
}
