using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary><c>--runtime mono</c>, where the runs come from the kernel session and the run CSV. Its own class, so that its build goes on beside that of another runtime.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class MonoTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-mono-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Mono_runs_the_suite_and_every_run_is_found()
    {
        var recorded = await Tool.RecordWithAsync(RuntimeTests.WithoutAdapters, "--runtime", "mono", "-serializer", "#SystemTextJson,#DataContract,#Google.Protobuf", "-test", "serialize", "-n", "1000", "-runs", "2", "-verify", "--out", Folder, "--format", "json");
        output.WriteLine(recorded.Error);
        Assert.SkipWhen(recorded.ExitCode == 4 && recorded.Error.Contains("mono is not on the path", StringComparison.Ordinal), "mono is not installed");
        Assert.SkipWhen(recorded.ExitCode == 4 && recorded.Error.Contains("apt-get install", StringComparison.Ordinal), $"Mono lacks assemblies: {recorded.Error}");
        RuntimeTests.SkipUnlessPublished(recorded);
        Assert.True(recorded.ExitCode == 0, recorded.Error);

        var table = JsonDocument.Parse(recorded.Output).RootElement;
        Assert.Equal(table.GetProperty("runsExpected").GetInt32(), table.GetProperty("runsFound").GetInt32());
        var rows = table.GetProperty("rows").EnumerateArray().ToList();
        Assert.Equal(["DataContract", "Google.Protobuf", "SystemTextJson"], rows.Select(row => row.GetProperty("serializer").GetString()).Order());
        Assert.All(rows, row => Assert.Equal((2, JsonValueKind.Null), (row.GetProperty("runs").GetInt32(), row.GetProperty("jitMs").ValueKind)));
        Assert.StartsWith("Mono ", JsonDocument.Parse(File.ReadAllText(Path.Combine(Folder, "recording.json"))).RootElement.GetProperty("workload").GetProperty("runtime").GetString(), StringComparison.Ordinal);
        Assert.False(File.Exists(Path.Combine(Folder, "index.json")), "one recording needs no index");
    }
}
