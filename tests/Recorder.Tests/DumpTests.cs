using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Dumps as a user requests them and sees them reported.</summary>
public sealed class DumpTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-dump-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Trait(TestKind.Trait, TestKind.Records)]
    [Fact]
    public async Task A_dump_is_in_the_report_and_its_run_in_no_number()
    {
        var recorded = await Tool.RecordTableAsync(
            "--sessions",
            "clr,code",
            "--dump-on",
            "FormatException~value 3",
            "--dump-on",
            "gc-pause>99999",
            "--out",
            Folder,
            "--",
            Tool.TestProgram,
            "throwing",
            "4"
        );

        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var report = JsonDocument.Parse(recorded.Output).RootElement;
        if (!report.TryGetProperty("dumps", out var dumps))
            Assert.Skip($"no dumps here: {recorded.Error}");
        var dump = Assert.Single(dumps.EnumerateArray().ToList());
        Assert.Equal(
            ("FormatException~value 3", "held", "System.FormatException", "value 3 is no number"),
            (Text(dump, "trigger"), Text(dump, "threadHeld"), Text(dump, "exceptionType"), Text(dump, "message"))
        );
        Assert.Equal("3: Thrower Deserialize N=1", Text(dump, "inRun"));
        Assert.Equal(new FileInfo(Path.Combine(Folder, Text(dump, "file")!)).Length, dump.GetProperty("dumpBytes").GetInt64());
        Assert.Equal(3, Assert.Single(report.GetProperty("rows").EnumerateArray().ToList()).GetProperty("runs").GetInt32());

        var table = await Tool.AnalyzeAsync("table", Folder);
        Assert.Contains("a dump was written in run 3 of process", table.Output, StringComparison.Ordinal);
        Assert.Matches(@"dumps/\d+-1\.dmp \W+ FormatException~value 3", table.Output);
        Assert.Contains("no dump at gc-pause>99999: no GC paused the program for that long", table.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("'a b' is not a dump trigger", "--dump-on", "a b")]
    [InlineData("after > write a number greater than 0", "--dump-on", "memory>none")]
    [InlineData("--dump-limit applies to dumps", "--dump-limit", "2")]
    [InlineData("fix: choose from 1 to 1000", "--dump-on", "A", "--dump-limit", "0")]
    [InlineData("fix: choose from 1 to 3600", "--dump-on", "A", "--dump-time", "0.5")]
    public async Task Wrong_options_are_errors_that_list_what_is_accepted(string expected, params string[] options)
    {
        var result = await Tool.RecordHereAsync([.. options, "--dry-run"]);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(expected, result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_dry_run_says_what_would_be_waited_for()
    {
        var launched = await Tool.RecordWithAsync(
            ("DOTNET_STARTUP_HOOKS", ""),
            "--sessions",
            "clr",
            "--dump-on",
            "A.B~text:2",
            "--dump-on",
            "hang>5",
            "--dry-run",
            "--",
            "program"
        );
        Assert.Contains("DOTNET_STARTUP_HOOKS=", launched.Output, StringComparison.Ordinal);
        Assert.Contains(
            "dump at A.B~text:2: throw 2 of A.B whose message contains \"text\"; the thread is held until the dump is written",
            launched.Output,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "dumps: heap, at most 3 and 2000 MB in total; 1000 MB of the disk stay free; at most 60 s each",
            launched.Output,
            StringComparison.Ordinal
        );

        var byEtw = await Tool.RecordHereAsync("--sessions", "xperf", "--dump-on", "A.B~text", "--dry-run", "--out", "x", "--", "program");
        Assert.Contains("-e 1 -f A.B*text -w program.exe", byEtw.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("DOTNET_STARTUP_HOOKS", byEtw.Output, StringComparison.Ordinal);
    }

    private static string? Text(JsonElement element, string name) => element.GetProperty(name).GetString();
}
