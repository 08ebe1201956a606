using System.CommandLine;
using EtwSerializerProfiler.Recorder.Commands;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Recorder.Tests;

public class CommandLineTests
{
    [Fact]
    public void Arguments_are_split_at_the_first_double_dash()
    {
        var (own, command) = EspRecord.Split(["--out", "r", "--", "dotnet", "run", "--", "x"]);

        Assert.Equal(["--out", "r"], own);
        Assert.Equal(["dotnet", "run", "--", "x"], command);
    }

    [Theory]
    [InlineData("", "record")]
    [InlineData("-n 10", "record -n 10")]
    [InlineData("record -n 10", "record -n 10")]
    [InlineData("list", "list")]
    [InlineData("--help", "--help")]
    public void Record_is_the_default_verb(string given, string expected)
    {
        var root = new RootCommand();
        var record = new Command("record");
        root.Subcommands.Add(record);
        root.Subcommands.Add(new Command("list"));

        Assert.Equal(
            expected,
            string.Join(' ', EspRecord.WithDefaultVerb(given.Split(' ', StringSplitOptions.RemoveEmptyEntries), root, record))
        );
    }

    [Theory]
    [InlineData(3, 20, 12, "recording: run 3 of 20, 12 s, 1.5 MB of trace, 0.1 MB/s, about 68 s left")]
    [InlineData(2, 20, 12, "recording: run 2 of 20, 12 s, 1.5 MB of trace, 0.1 MB/s")]
    [InlineData(21, 20, 12, "recording: run 21, 12 s, 1.5 MB of trace, 0.1 MB/s")]
    [InlineData(3, 0, 12, "recording: run 3, 12 s, 1.5 MB of trace, 0.1 MB/s")]
    [InlineData(0, 0, 12, "recording: 12 s, 1.5 MB of trace, 0.1 MB/s")]
    [InlineData(0, 0, 61, "recording: 61 s, 1.5 MB of trace, 0.0 MB/s (0.1 GB an hour)")]
    public void Progress_says_what_is_known(int done, int planned, int seconds, string expected) =>
        Assert.Equal(expected, ProgressLine.Format(new RecordingProgress(done, planned, TimeSpan.FromSeconds(seconds), 1_500_000, "")));

    [Fact]
    public void Progress_of_a_program_shows_its_load_on_a_terminal()
    {
        var progress = new RecordingProgress(0, 0, TimeSpan.FromSeconds(12), 1_500_000, "")
        {
            Load = new ProcessLoad(1.32, 210_000_000, 41, 0.034),
        };
        var output = new StringWriter();
        new ProgressLine(output, terminal: true).Report(progress);

        Assert.Equal(
            "\rrecording: 12 s, CPU 132 % of one processor, 210 MB of memory, 41 GCs (3 % paused), 1.5 MB of trace, 0.1 MB/s",
            output.ToString()
        );
        Assert.Equal("recording: 12 s, 1.5 MB of trace, 0.1 MB/s", ProgressLine.Format(progress));
    }

    [Fact]
    public void Progress_elsewhere_than_on_a_terminal_is_a_line_every_ten_seconds()
    {
        var output = new StringWriter();
        var line = new ProgressLine(output, terminal: false);
        for (var second = 1; second <= 25; second++)
            line.Report(new RecordingProgress(second, 30, TimeSpan.FromSeconds(second), 0, second == 3 ? "look" : ""));

        Assert.Equal(
            [
                "esp-record: note: look",
                "recording: run 10 of 30, 10 s, 0.0 MB of trace, 0.0 MB/s, about 20 s left",
                "recording: run 20 of 30, 20 s, 0.0 MB of trace, 0.0 MB/s, about 10 s left",
            ],
            output.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries)
        );
    }

    [Theory]
    [InlineData("--no-such-option", "--no-such-option")]
    [InlineData("nonsense", "nonsense")]
    [InlineData("-runs 0", "-runs")]
    [InlineData("-n 10,abc", "-n")]
    [InlineData("--sessions clr,kernel", "kernel")]
    [InlineData("--sample-rate 0", "--sample-rate")]
    [InlineData("--format yaml", "yaml")]
    [InlineData("--alloc some", "some")]
    [InlineData("-n 10 -- dotnet --version", "after --")]
    [InlineData("list -- dotnet", "takes no command")]
    public async Task A_wrong_command_line_is_a_usage_error_that_names_what_is_wrong(string arguments, string named)
    {
        var result = await Tool.RecordHereAsync(arguments.Split(' '));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(named, result.Error, StringComparison.Ordinal);
        Assert.Equal("", result.Output);
    }

    [Fact]
    public async Task Dry_run_prints_the_plan_and_records_nothing()
    {
        var folder = Path.Combine(Path.GetTempPath(), $"esp-dry-{Guid.NewGuid():N}");

        var result = await Tool.RecordHereAsync(
            "--dry-run",
            "--out",
            folder,
            "--sessions",
            "clr,code",
            "--alloc",
            "ticks",
            "--",
            "dotnet",
            "app.dll"
        );

        Assert.Equal(0, result.ExitCode);
        Assert.False(Directory.Exists(folder));
        Assert.Equal(
            $"""
            command: dotnet app.dll
            folder:  {folder}
            set:     DOTNET_RichDebugInfo=1 (inlined methods are recorded)
            set:     DOTNET_TrackDynamicMethodDebugInfo=1 (methods inlined into dynamic methods are recorded)
            session clr: GCs and their pauses, exceptions, run marks, iterations of BenchmarkDotNet, HTTP requests (256 MB buffer)
              Microsoft-Windows-DotNETRuntime:0x200000001:Informational
              EtwSerializerProfiler-Runs:0xFFFFFFFFFFFFFFFF:Informational
              BenchmarkDotNet.EngineEventSource:0xFFFFFFFFFFFFFFFF:Informational
              Microsoft-Diagnostics-DiagnosticSource:0x2:Informational
            session code: JIT compilation, waits, lock contention, names of methods, inlined methods (256 MB buffer, rundown)
              Microsoft-Windows-DotNETRuntime:0x44000004038:Verbose
              Microsoft-Windows-DotNETRuntimePrivate:0x40000:Verbose
            session alloc: allocation ticks, separate from the GCs because Verbose GC events can lengthen pauses (256 MB buffer)
              Microsoft-Windows-DotNETRuntime:0x1:Verbose

            """,
            result.Output,
            ignoreLineEndingDifferences: true
        );
    }

    [Theory]
    [InlineData("--sessions clr -- dotnet app.dll", true, true)]
    [InlineData("--sessions clr --alloc -- dotnet app.dll", true, true)]
    [InlineData("--alloc --sessions clr -- dotnet app.dll", true, true)]
    [InlineData("--sessions clr --alloc none -- dotnet app.dll", false, false)]
    [InlineData("--sessions clr --alloc ticks -- dotnet app.dll", false, true)]
    [InlineData("--sessions clr", false, false)]
    [InlineData("--sessions clr --alloc", true, true)]
    public async Task Allocations_are_sampled_by_default_in_programs_of_the_users_own(string arguments, bool sampled, bool ticks)
    {
        var result = await Tool.RecordAsync(["--dry-run", .. arguments.Split(' ')]);

        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assert.Contains(
            $"  Microsoft-Windows-DotNETRuntime:{(sampled ? "0x80200004001" : "0x200004001")}:Informational",
            result.Output,
            StringComparison.Ordinal
        );
        Assert.Equal(ticks, result.Output.Contains("session alloc: ", StringComparison.Ordinal));
        Assert.Equal(sampled, result.Output.Contains("runtimes before .NET 10 only", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Dry_run_says_what_is_set_for_the_program_and_what_the_user_has_set()
    {
        string[] arguments = ["--dry-run", "--sessions", "code", "--jit-all", "--", "dotnet", "app.dll"];
        var own = await Tool.FinishAsync(Tool.Start("RecorderDirectory", "esp-record.dll", arguments, ("DOTNET_RichDebugInfo", "0")));
        Assert.Contains("set:     DOTNET_RichDebugInfo=0 by you, left as it is", own.Output, StringComparison.Ordinal);
        Assert.Contains("set:     DOTNET_ReadyToRun=0 (", own.Output, StringComparison.Ordinal);

        var without = await Tool.RecordHereAsync("--dry-run", "--sessions", "code", "--no-inline-info", "--", "dotnet", "app.dll");
        Assert.DoesNotContain("set:", without.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("DotNETRuntimePrivate", without.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Dry_run_prints_the_kernel_events_or_why_there_are_none()
    {
        var result = await Tool.RecordHereAsync("--dry-run", "--sessions", "perf", "--sample-rate", "500", "--", "dotnet", "app.dll");

        Assert.Equal(0, result.ExitCode);
        if (result.Error.Contains("no kernel session", StringComparison.Ordinal))
            Assert.DoesNotContain("session perf", result.Output, StringComparison.Ordinal);
        else
            Assert.Matches(@"session perf: .* 500 samples/s\)\r?\n  cpu-clock(:u)?: CPU samples with call chains", result.Output);
    }

    [Fact]
    public async Task List_names_every_serializer()
    {
        var result = await Tool.RecordAsync("list");

        Assert.Equal(0, result.ExitCode);
        foreach (
            var name in (string[])
                [
                    "XmlSerializer",
                    "DataContract",
                    "DataContractJson",
                    "BinaryFormatter",
                    "Newtonsoft.Json",
                    "SystemTextJson",
                    "ServiceStack.Text",
                    "Google.Protobuf",
                ]
        )
            Assert.Contains(name, result.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--format", "yaml", "'yaml'")]
    [InlineData("--out", "/does/not/exist/table.md", "/does/not/exist/table.md")]
    public async Task Features_with_a_bad_option_try_nothing(string option, string value, string named)
    {
        var result = await Tool.RecordAsync("features", option, value);

        Assert.Equal(2, result.ExitCode);
        Assert.Empty(result.Output);
        Assert.StartsWith("esp-record: error: ", result.Error, StringComparison.Ordinal);
        Assert.Contains(named, result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Features_go_to_a_file_as_Markdown_and_to_the_screen_as_a_grid()
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "features.md");

        // Its types are generated, so that little is tried.
        var written = await Tool.RecordAsync("features", "-serializer", "#Google.Protobuf", "--format", "markdown", "--out", file);
        var shown = await Tool.RecordAsync("features", "-serializer", "#Google.Protobuf");

        Assert.Equal((0, 0, ""), (written.ExitCode, shown.ExitCode, written.Output));
        Assert.Contains(
            "| Google.Protobuf | binary |",
            await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
        Assert.Matches(@"(?m)^public fields +\.\r?$", shown.Output);
        Assert.Matches(@"(?m)^closes the stream +-\r?$", shown.Output);
    }

    [Fact]
    public async Task Doctor_says_what_can_be_recorded()
    {
        var result = await Tool.RecordAsync("doctor");

        Assert.Equal(0, result.ExitCode);
        Assert.Contains("built-in suite", result.Output, StringComparison.Ordinal);
        Assert.Contains("runtime events (EventPipe)", result.Output, StringComparison.Ordinal);
    }
}
