using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Records a copy of a program and deletes the copy: the parts kept in the recording are enough for lines and source.</summary>
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
        foreach (
            var file in Directory
                .EnumerateFiles(AppContext.BaseDirectory, "TestProgram*")
                .Append(Path.Combine(AppContext.BaseDirectory, "EtwSerializerProfiler.Marks.dll"))
        )
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));
        var folder = Path.Combine(_root, "r");
        var recorded = await Tool.RecordInAsync(
            Tool.Sources,
            "--out",
            folder,
            "--program-files",
            kept,
            "--",
            Tool.Host,
            Path.Combine(copy, "TestProgram.dll"),
            "mapper",
            "1500"
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Directory.Delete(copy, recursive: true);

        var lines = await Tool.AnalyzeAsync("cpu", folder, "--by", "line", "--format", "json");
        using var rows = JsonDocument.Parse(lines.Output);
        Assert.Equal(
            hasLines,
            rows.RootElement.GetProperty("rows")
                .EnumerateArray()
                .Any(row => row.GetProperty("file").GetString()?.EndsWith("Mapper.cs", StringComparison.Ordinal) == true)
        );
        var sources = Path.Combine(folder, "program", "source");
        Assert.Equal(
            hasLines,
            Directory.Exists(sources)
                && Directory.EnumerateFiles(sources).Any(file => File.ReadAllText(file).Contains("class Mapper", StringComparison.Ordinal))
        );
        Assert.Equal(hasLines, Directory.Exists(Path.Combine(folder, "program")));
    }

    /// <summary>
    /// As on another machine: the runtime is not at its recorded path. Its names, inlined frames and callers come from the parts that the
    /// recording keeps.
    /// </summary>
    [Theory]
    [InlineData("symbols", true)]
    [InlineData("none", false)]
    public async Task A_recording_is_read_the_same_when_the_runtime_is_gone(string kept, bool isSame)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "symbols of libraries are those of ELF files");
        var runtime = CopyRuntime(Path.Combine(_root, "dotnet"));
        var folder = Path.Combine(_root, "r");
        var recorded = await Tool.RecordInAsync(
            Tool.Sources,
            "--out",
            folder,
            "--program-files",
            kept,
            "--",
            runtime,
            Path.Combine(AppContext.BaseDirectory, "TestProgram.dll"),
            "mapper",
            "1500"
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.SkipUnless(File.Exists(Path.Combine(folder, "perf.data")), "CPU samples with native frames need perf events or ptrace");

        var home = await TablesAsync(folder);
        Directory.Delete(Path.GetDirectoryName(runtime)!, recursive: true);
        var away = await TablesAsync(folder);

        Assert.Contains("libcoreclr.so", home, StringComparison.Ordinal);
        if (isSame)
            Assert.Equal(home, away);
        else
            Assert.NotEqual(home, away);
    }

    private static async Task<string> TablesAsync(string folder)
    {
        string[][] tables =
        [
            ["cpu", folder, "--top", "1000"],
            ["cpu", folder, "--tree", "--min-percent", "0", "--top", "100000"],
            ["alloc", folder],
            ["waits", folder],
        ];
        var texts = new List<string>();
        foreach (var table in tables)
        {
            var read = await Tool.AnalyzeAsync([.. table, "--format", "csv"]);
            Assert.True(read.ExitCode == 0, read.Error);
            texts.Add(read.Output);
        }

        return string.Join('\n', texts);
    }

    /// <summary>Copies the files that start a program on the runtime of this process.</summary>
    /// <returns>The muxer.</returns>
    private static string CopyRuntime(string to)
    {
        var runtime = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        var from = Path.GetFullPath(Path.Combine(runtime, "..", "..", ".."));
        foreach (
            var file in Directory
                .EnumerateFiles(runtime)
                .Concat(Directory.EnumerateFiles(Path.Combine(from, "host"), "*", SearchOption.AllDirectories))
                .Append(Path.Combine(from, "dotnet"))
        )
        {
            var copy = Path.Combine(to, Path.GetRelativePath(from, file));
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(file, copy);
        }

        return Path.Combine(to, "dotnet");
    }
}
