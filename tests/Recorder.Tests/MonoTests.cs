using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// <c>--runtime mono</c>, where the runs come from the kernel session and the run CSV. Its own class, so that its build runs in parallel
/// with that of another runtime.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
[NeedsMono]
public sealed class MonoTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-mono-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Mono_runs_the_suite_and_every_run_is_found()
    {
        var recorded = await Tool.RecordWithAsync(
            RuntimeTests.WithoutAdapters,
            "--runtime",
            "mono",
            "-serializer",
            "#SystemTextJson,#DataContract,#Google.Protobuf",
            "-test",
            "serialize",
            "-n",
            "1000",
            "-runs",
            "2",
            "-verify",
            "--out",
            Folder,
            "--format",
            "json"
        );
        output.WriteLine(recorded.Error);
        Assert.SkipWhen(
            recorded.ExitCode != 0 && recorded.Error.Contains("is missing: apt-get install libmono-", StringComparison.Ordinal),
            "mono's libraries are not all installed (Debian: apt-get install libmono-system-runtime-serialization4.0-cil)"
        );
        Assert.SkipWhen(
            recorded.ExitCode == 4 && recorded.Error.Contains("apt-get install", StringComparison.Ordinal),
            $"Mono lacks assemblies: {recorded.Error}"
        );
        RuntimeTests.SkipUnlessPublished(recorded);
        Assert.True(recorded.ExitCode == 0, recorded.Error);

        var table = JsonDocument.Parse(recorded.Output).RootElement;
        Assert.Equal(table.GetProperty("runsExpected").GetInt32(), table.GetProperty("runsFound").GetInt32());
        var rows = table.GetProperty("rows").EnumerateArray().ToList();
        Assert.Equal(
            ["DataContract", "Google.Protobuf", "SystemTextJson"],
            rows.Select(row => row.GetProperty("serializer").GetString()).Order()
        );
        Assert.All(
            rows,
            row => Assert.Equal((2, JsonValueKind.Null), (row.GetProperty("runs").GetInt32(), row.GetProperty("jitMs").ValueKind))
        );
        Assert.StartsWith(
            "Mono ",
            JsonDocument
                .Parse(File.ReadAllText(Path.Combine(Folder, "recording.json")))
                .RootElement.GetProperty("workload")
                .GetProperty("runtime")
                .GetString(),
            StringComparison.Ordinal
        );
        Assert.False(File.Exists(Path.Combine(Folder, "index.json")), "one recording needs no index");
    }

    [Fact]
    public async Task Two_runtimes_are_compared_and_reflection_explains_a_part_of_the_difference()
    {
        var recorded = await Tool.RecordWithAsync(
            RuntimeTests.WithoutAdapters,
            "--runtime",
            "net10.0,mono",
            "-serializer",
            "#DataContract",
            "-test",
            "serialize",
            "-n",
            "20000",
            "-runs",
            "5",
            "-isolate",
            "off",
            "--out",
            Folder,
            "--format",
            "json"
        );
        output.WriteLine(recorded.Error);
        Assert.SkipWhen(
            recorded.ExitCode != 0 && recorded.Error.Contains("is missing: apt-get install libmono-", StringComparison.Ordinal),
            "mono's libraries are not all installed (Debian: apt-get install libmono-system-runtime-serialization4.0-cil)"
        );
        Assert.SkipWhen(
            recorded.ExitCode == 4 && recorded.Error.Contains("apt-get install", StringComparison.Ordinal),
            $"Mono lacks assemblies: {recorded.Error}"
        );
        RuntimeTests.SkipUnlessPublished(recorded);
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.SkipUnless(
            JsonDocument
                .Parse(recorded.Output)
                .RootElement.GetProperty("rows")
                .EnumerateArray()
                .All(row => row.GetProperty("samples").ValueKind == JsonValueKind.Number),
            "no CPU samples here"
        );

        var (text, json) = ((await Tool.AnalyzeAsync("diff", Folder)).Output, await Tool.AnalyzeAsync("diff", Folder, "--format", "json"));

        Assert.Contains("slower on Mono ", text, StringComparison.Ordinal);
        Assert.Contains("Without Reflection and Activator ", text, StringComparison.Ordinal);
        var compared = JsonDocument.Parse(json.Output).RootElement;
        var row = Assert.Single(compared.GetProperty("without").EnumerateArray());
        double Of(string field) => row.GetProperty(field).GetDouble();
        var causes = compared
            .GetProperty("causes")
            .EnumerateArray()
            .Where(part => part.GetProperty("cause").GetString() is "Reflection" or "Activator")
            .ToList();
        Assert.Equal(
            Of("otherMeanMs") - Of("baselineMeanMs"),
            causes.Sum(part => part.GetProperty("differenceMs").GetDouble()) + Of("otherWithout") - Of("baselineWithout"),
            6
        );
        Assert.Equal(100, Of("explainedPercent") + Of("remainingPercent"), 6);
        // The size of the difference depends on the machine's load.
        Assert.True(Of("explainedPercent") > 0, "reflection takes longer on Mono");
    }
}
