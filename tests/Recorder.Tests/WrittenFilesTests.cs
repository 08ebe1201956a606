namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>The commands that write profiles and scripts for Windows' own tools.</summary>
public sealed class WrittenFilesTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-files-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Theory]
    [InlineData("profiles", "SerializerRuns.wprp")]
    [InlineData("scripts", "xperf/start.cmd")]
    public async Task They_are_written_or_the_error_says_what_to_do(string command, string file)
    {
        var result = await Tool.RecordHereAsync(command, "-o", _root);

        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assert.Contains($"Written: {Path.Combine(_root, file)}", result.Output, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(_root, file)));

        var inTheWay = Path.Combine(_root, "file");
        await File.WriteAllTextAsync(inTheWay, "", TestContext.Current.CancellationToken);
        result = await Tool.RecordHereAsync(command, "--out", Path.Combine(inTheWay, "below"));
        Assert.Equal(4, result.ExitCode);
        Assert.Contains("choose another folder with --out", result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Scripts_for_another_size_of_memory_keep_that_much()
    {
        Assert.Equal(0, (await Tool.RecordHereAsync("scripts", "-o", _root, "--memory", "2GB")).ExitCode);
        Assert.Contains(
            "the newest 2048 MB",
            await File.ReadAllTextAsync(Path.Combine(_root, "xperf", "parameters.cmd"), TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );

        var wrong = await Tool.RecordHereAsync("scripts", "-o", _root, "--memory", "much");
        Assert.Equal(2, wrong.ExitCode);
        Assert.Contains("--memory", wrong.Error, StringComparison.Ordinal);
    }
}
