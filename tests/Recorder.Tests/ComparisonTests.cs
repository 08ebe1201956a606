using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Two recordings of one program, the second slower by a known amount in a known method: the results of diff and gate.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ComparisonTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-diff-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task An_injected_slowdown_is_found_with_its_method_and_fails_the_gate()
    {
        string baseline = Path.Combine(_root, "base"),
            slower = Path.Combine(_root, "slower");
        await RecordAsync("", baseline, "-runs", "8", "-isolate", "off");
        using var recording = JsonDocument.Parse(
            await File.ReadAllTextAsync(Path.Combine(baseline, "recording.json"), TestContext.Current.CancellationToken)
        );
        Assert.SkipWhen(
            recording.RootElement.GetProperty("kernel").ValueKind != JsonValueKind.Object,
            "There is no kernel session here, and wall time alone is the other tests' as much as the program's."
        );

        // Eleven times the CPU time, by the thread's own clock, of graphs so large that JIT compilation on other threads is small in
        // comparison, so that the two sides do not overlap under any load. All runs count: it is possible that every run was disturbed.
        await RecordAsync("1000", slower, "-runs", "8", "-isolate", "off");

        var diff = await Tool.AnalyzeAsync("diff", baseline, slower, "--all-runs", "--by", "method", "--format", "json");
        Assert.True(diff.ExitCode == 0, diff.Error);
        using var document = JsonDocument.Parse(diff.Output);
        var cpu = document.RootElement.GetProperty("rows").EnumerateArray().Single(row => row.GetProperty("metric").GetString() == "cpu");
        output.WriteLine(cpu.ToString());
        Assert.Equal(
            ("slower", 8, 8),
            (cpu.GetProperty("verdict").GetString(), cpu.GetProperty("baselineRuns").GetInt32(), cpu.GetProperty("otherRuns").GetInt32())
        );
        Assert.EndsWith(
            "BusyWork",
            document.RootElement.GetProperty("methods").EnumerateArray().First().GetProperty("method").GetString(),
            StringComparison.Ordinal
        );

        var lines = await Tool.AnalyzeAsync("diff", baseline, slower, "--all-runs", "--by", "line", "--format", "json");
        using var byLine = JsonDocument.Parse(lines.Output);
        var worst = byLine.RootElement.GetProperty("lines").EnumerateArray().First();
        output.WriteLine(worst.ToString());
        Assert.Contains("BusyWork", worst.GetProperty("method").GetString(), StringComparison.Ordinal);
        Assert.Equal(
            ("None", worst.GetProperty("baselineLine").GetInt32()),
            (worst.GetProperty("change").GetString(), worst.GetProperty("otherLine").GetInt32())
        );
        Assert.True(worst.GetProperty("differenceMs").GetDouble() > 0);

        var gate = await Tool.AnalyzeAsync("gate", baseline, slower, "--all-runs", "--metric", "cpu");
        Assert.True(gate.ExitCode == 1, gate.Output + gate.Error);
        Assert.Contains("Gate failed: 1 of 1 check over the limit", gate.Output, StringComparison.Ordinal);

        // Compared with itself nothing is worse, however large the noise.
        var same = await Tool.AnalyzeAsync("gate", baseline, baseline, "--all-runs", "--metric", "cpu,alloc");
        Assert.True(same.ExitCode is 0 or 5, same.Output + same.Error);
    }

    [Fact]
    public async Task Each_launch_is_a_process_with_all_runs()
    {
        var folder = Path.Combine(_root, "launches");
        await RecordAsync("", folder, "-runs", "2", "-launches", "2", "-seed", "7");

        var runs = (await File.ReadAllLinesAsync(Path.Combine(folder, "runs.csv"), TestContext.Current.CancellationToken))
            .Skip(1)
            .Select(row => row.Split(','))
            .Where(row => row[7] == "Measured")
            .ToList();
        Assert.Equal(4, runs.Count);
        Assert.Equal([2, 2], runs.GroupBy(row => row[0]).Select(process => process.Count()));
    }

    private static async Task RecordAsync(string percent, string folder, params string[] options)
    {
        var plugin = Path.Combine(AppContext.BaseDirectory, "EtwSerializerProfiler.SamplePlugin.dll");
        var recorded = await Tool.RecordWithAsync(
            ("ESP_SAMPLE_BUSY_PERCENT", percent),
            [
                "record",
                "-plugin",
                plugin,
                "-serializer",
                "#Busy",
                "-test",
                "serialize",
                "-n",
                "100000",
                .. options,
                "--out",
                folder,
                "--no-analyze",
            ]
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        using var table = JsonDocument.Parse((await Tool.AnalyzeAsync("table", folder, "--format", "json")).Output);
        Assert.Equal(table.RootElement.GetProperty("runsExpected").GetInt32(), table.RootElement.GetProperty("runsFound").GetInt32());
        Assert.DoesNotContain(
            table.RootElement.GetProperty("findings").EnumerateArray(),
            finding => finding.GetProperty("code").GetString() is "runs-planned" or "unmarked-processes"
        );
    }
}
