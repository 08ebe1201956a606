using System.Text.Json.Nodes;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>
/// Windows gives the id of a process that has ended to one of the next. A recording with its process twice, and the rows of its runs twice,
/// is read as two processes.
/// </summary>
public sealed class ReusedProcessIdTests : IDisposable
{
    private static readonly string s_once = TestFiles.Data("net10");

    private readonly TempFolder _folder = new();

    public ReusedProcessIdTests()
    {
        foreach (var file in Directory.GetFiles(s_once))
            File.Copy(file, Path.Combine(_folder.Path, Path.GetFileName(file)));
        var json = Path.Combine(_folder.Path, Recording.FileName);
        var recording = JsonNode.Parse(File.ReadAllText(json))!;
        recording["processes"]!.AsArray().Add(recording["processes"]![0]!.DeepClone());
        File.WriteAllText(json, recording.ToJsonString());
        var csv = Path.Combine(_folder.Path, Recording.RunsFileName);
        File.AppendAllLines(csv, File.ReadAllLines(csv).Skip(1));
    }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Each_process_has_its_own_runs()
    {
        var once = Runs(s_once);
        var twice = Runs(_folder.Path);

        Assert.NotEmpty(once);
        Assert.Equal(once.Concat(once).Select(Text).Order(), twice.Select(Text).Order());

        static string Text(JsonNode? run) => run!.ToJsonString();
    }

    [Theory]
    [InlineData("table")]
    [InlineData("gc")]
    [InlineData("alloc")]
    [InlineData("locks")]
    [InlineData("exceptions")]
    [InlineData("jit")]
    [InlineData("findings")]
    [InlineData("summary")]
    public void Each_report_can_be_made(string report)
    {
        var (code, output, error) = AnalyzeTool.Run(report, _folder.Path);

        Assert.True(code == 0, error);
        Assert.NotEqual("", output);
    }

    private static JsonArray Runs(string recording)
    {
        var (code, output, error) = AnalyzeTool.Run("runs", recording, "--format", "json");
        Assert.True(code == 0, error);
        return JsonNode.Parse(output)!["runs"]!.AsArray();
    }
}
