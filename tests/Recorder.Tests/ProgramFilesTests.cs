using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Records a copy of a program and deletes the copy: what the recording keeps of it is enough for lines and source.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ProgramFilesTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-kept-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Theory]
    [InlineData("source", true)]
    [InlineData("none", false)]
    public async Task A_recording_has_lines_when_the_program_is_gone(string kept, bool hasLines)
    {
        var copy = Directory.CreateDirectory(Path.Combine(_root, "build")).FullName;
        foreach (var file in Directory.EnumerateFiles(AppContext.BaseDirectory, "TestProgram*").Append(Path.Combine(AppContext.BaseDirectory, "EtwSerializerProfiler.Marks.dll")))
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));
        var folder = Path.Combine(_root, "r");
        var recorded = await Tool.RecordInAsync(Tool.Sources, "--out", folder, "--program-files", kept, "--", Tool.Host, Path.Combine(copy, "TestProgram.dll"), "mapper", "1500");
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Directory.Delete(copy, recursive: true);

        var lines = await Tool.AnalyzeAsync("cpu", folder, "--by", "line", "--format", "json");
        using var rows = JsonDocument.Parse(lines.Output);
        Assert.Equal(hasLines, rows.RootElement.GetProperty("rows").EnumerateArray().Any(row => row.GetProperty("file").GetString()?.EndsWith("Mapper.cs", StringComparison.Ordinal) == true));
        var sources = Path.Combine(folder, "program", "source");
        Assert.Equal(hasLines, Directory.Exists(sources) && Directory.EnumerateFiles(sources).Any(file => File.ReadAllText(file).Contains("class Mapper", StringComparison.Ordinal)));
        Assert.Equal(hasLines, Directory.Exists(Path.Combine(folder, "program")));
    }
}
