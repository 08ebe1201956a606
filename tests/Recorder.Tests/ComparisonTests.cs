using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Two recordings of one program, the second slower by a known amount in a known method: what diff and gate make of it.</summary>
public sealed class ComparisonTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-diff-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task An_injected_slowdown_is_found_with_its_method_and_fails_the_gate()
    {
        string baseline = Path.Combine(_root, "base"), slower = Path.Combine(_root, "slower");
        await RecordAsync("", baseline);

        // Seven times as long: other tests want the processors, too, and runs of 20 % more would be lost in that.
        await RecordAsync("600", slower);

        // For the same reason all runs count: there may be none that nothing disturbed.
        var diff = await Tool.AnalyzeAsync("diff", baseline, slower, "--all-runs", "--by", "method", "--format", "json");
        Assert.True(diff.ExitCode == 0, diff.Error);
        using var document = JsonDocument.Parse(diff.Output);
        var wall = document.RootElement.GetProperty("rows").EnumerateArray().Single(row => row.GetProperty("metric").GetString() == "wall");
        output.WriteLine(wall.ToString());
        Assert.Equal(("slower", 6, 6), (wall.GetProperty("verdict").GetString(), wall.GetProperty("baselineRuns").GetInt32(), wall.GetProperty("otherRuns").GetInt32()));
        Assert.Equal(2, wall.GetProperty("baselineProcesses").GetInt32());
        Assert.InRange(wall.GetProperty("ratio").GetDouble(), 3, 20);
        var recording = JsonDocument.Parse(await File.ReadAllTextAsync(Path.Combine(slower, "recording.json"), TestContext.Current.CancellationToken)).RootElement;
        if (recording.GetProperty("kernel").ValueKind == JsonValueKind.Object)
            Assert.EndsWith("BusyWork", document.RootElement.GetProperty("methods").EnumerateArray().First().GetProperty("method").GetString(), StringComparison.Ordinal);

        var gate = await Tool.AnalyzeAsync("gate", baseline, slower, "--all-runs", "--metric", "wall");
        Assert.True(gate.ExitCode == 1, gate.Output + gate.Error);
        Assert.Contains("Gate failed: 1 of 1 checks over their limit", gate.Output, StringComparison.Ordinal);

        // With itself nothing is worse, whatever the noise lets it say.
        var same = await Tool.AnalyzeAsync("gate", baseline, baseline, "--all-runs", "--metric", "wall,alloc");
        Assert.True(same.ExitCode is 0 or 5, same.Output + same.Error);
    }

    /// <summary>Records 3 runs in each of 2 processes.</summary>
    private static async Task RecordAsync(string percent, string folder)
    {
        var plugin = Path.Combine(AppContext.BaseDirectory, "EtwSerializerProfiler.SamplePlugin.dll");
        var recorded = await Tool.RecordWithAsync(
            ("ESP_SAMPLE_BUSY_PERCENT", percent), "record", "-plugin", plugin, "-serializer", "#Busy", "-test", "serialize", "-n", "20000", "-runs", "3", "-launches", "2", "--out", folder, "--format", "json");
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        using var table = JsonDocument.Parse(recorded.Output);
        Assert.Equal(table.RootElement.GetProperty("runsExpected").GetInt32(), table.RootElement.GetProperty("runsFound").GetInt32());
        Assert.DoesNotContain(table.RootElement.GetProperty("findings").EnumerateArray(), finding => finding.GetProperty("code").GetString() is "runs-planned" or "unmarked-processes");
    }
}
