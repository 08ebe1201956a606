using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Sessions of ETW on the command line, on a system that has none.</summary>
public class EtwCommandTests
{
    /// <summary>A process id that no process of Linux or Windows has.</summary>
    private const string NoProcess = "2147483647";

    [Theory]
    [InlineData("xperf")]
    [InlineData("tracelog")]
    [InlineData("wpr")]
    [InlineData("traceevent")]
    public async Task A_dry_run_prints_every_step_on_any_system(string tool)
    {
        var folder = $"esp-dry-run-{Guid.NewGuid():N}";
        var result = await Tool.RecordHereAsync(
            "record",
            "--sessions",
            tool,
            "--dry-run",
            "--out",
            $"{folder}/r1",
            "--mode",
            "circular:128MB",
            "--",
            "app.exe",
            "a b"
        );

        Assert.Equal(0, result.ExitCode);
        Assert.Contains($"tool:    {tool} (Windows only; untested on Windows so far)", result.Output, StringComparison.Ordinal);
        Assert.Contains("mode:    circular:128MB", result.Output, StringComparison.Ordinal);
        Assert.Contains("> app.exe \"a b\"", result.Output, StringComparison.Ordinal);
        Assert.Contains("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", result.Output, StringComparison.Ordinal);
        foreach (
            var step in new[]
            {
                "check administrator rights",
                "check the running sessions",
                "write a session ledger entry",
                "run the program, not elevated",
                "check the recording",
                "remove the session ledger entry",
            }
        )
            Assert.Contains(step, result.Output, StringComparison.Ordinal);
        foreach (
            var part in tool switch
            {
                "wpr" => new[]
                {
                    $@"wpr -start ""{folder}\r1\sessions.wprp!SerializerRuns.Verbose"" -instancename esp-",
                    $@"wpr -stop {folder}\r1\merged.etl",
                    "undo: wpr -cancel",
                },
                "traceevent" => ["new TraceEventSession(", "SetFileName(", "TraceEventSession.Merge("],
                _ => [$"> {tool} -start esp-", "> xperf -flush ", "> xperf -stop ", "> xperf -merge ", "undo: "],
            }
        )
            Assert.Contains(part, result.Output, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Path.Combine(Path.GetTempPath(), folder)));
    }

    [Fact]
    public async Task Json_holds_the_plan_that_was_chosen()
    {
        var result = await Tool.RecordHereAsync(
            "record",
            "--sessions",
            "tracelog",
            "--dry-run",
            "--format",
            "json",
            "--preset",
            "exceptions",
            "--stack-filter",
            "in:80,81",
            "--event-filter",
            "out:250",
            "--kernel-events",
            "disk_io,HARD_FAULTS",
            "--sample-interval",
            "0.125",
            "--rundown-wait",
            "0",
            "--compress",
            "--nt-kernel-logger",
            "--",
            "app.exe"
        );

        Assert.Equal(0, result.ExitCode);
        using var json = JsonDocument.Parse(result.Output);
        var root = json.RootElement;
        Assert.Equal(("tracelog", "Exceptions"), (root.GetProperty("tool").GetString(), root.GetProperty("purpose").GetString()));
        Assert.Equal("NT Kernel Logger", root.GetProperty("kernel").GetProperty("name").GetString());
        Assert.Equal(1250, root.GetProperty("kernel").GetProperty("sampleInterval").GetInt32());
        Assert.Equal("ProcessThread, Loader, DiskIo, HardFaults", root.GetProperty("kernel").GetProperty("events").GetString());
        var runtime = root.GetProperty("userSessions")[0].GetProperty("providers")[0];
        Assert.Equal(
            ("in:80,81", "out:250"),
            (runtime.GetProperty("stackFilter").GetString(), runtime.GetProperty("eventFilter").GetString())
        );
        Assert.Equal(
            ["clr", "code"],
            root.GetProperty("userSessions").EnumerateArray().Select(session => session.GetProperty("role").GetString())
        );
        Assert.Contains(
            root.GetProperty("steps").EnumerateArray(),
            step =>
                step.GetProperty("kind").GetString() == "Merge"
                && step.GetProperty("commandLine").GetString()!.EndsWith(" -compress", StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task Recording_is_for_windows_and_says_so()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "there it records");

        var result = await Tool.RecordHereAsync(
            "record",
            "--sessions",
            "xperf",
            "--out",
            Path.Combine(Path.GetTempPath(), "esp-never"),
            "--",
            "app.exe"
        );

        Assert.Equal(4, result.ExitCode);
        Assert.Contains("fix: print the plan with --dry-run", result.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Path.Combine(Path.GetTempPath(), "esp-never")));
    }

    [Theory]
    [InlineData("--sessions xperf,clr", "'xperf' cannot be combined with other sessions")]
    [InlineData("--preset allocation", "--preset applies to ETW sessions")]
    [InlineData("--sessions xperf --preset nonsense", "--preset")]
    [InlineData("--sessions xperf --sample-interval 0.1", "choose from 0.1221 to 1000")]
    [InlineData("--sessions xperf --sample-interval NaN", "choose from 0.1221 to 1000")]
    [InlineData("--sessions xperf --stack-filter in:x", "'in:x' is not a filter")]
    [InlineData("--sessions xperf --kernel-events NONSENSE", "unknown kernel event 'NONSENSE'")]
    [InlineData("--sessions xperf --rundown-wait -1", "choose from 0 to 600")]
    [InlineData("--sessions wpr --sample-rate 100", "--sample-rate does not apply to ETW sessions")]
    [InlineData("--sessions wpr --runtime net8.0", "--runtime and --precompile does not apply to ETW sessions")]
    public async Task Wrong_options_are_named(string options, string expected)
    {
        var result = await Tool.RecordHereAsync(["record", "--dry-run", .. options.Split(' ')]);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(expected, result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Attach_takes_no_tool()
    {
        var result = await Tool.RecordHereAsync("attach", "1", "--sessions", "xperf");

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("use it with 'record'", result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Sessions_left_behind_are_distinguished_from_those_of_others()
    {
        var folder = Directory.CreateTempSubdirectory("esp-listing-");
        var listing = Path.Combine(folder.FullName, "loggers.txt");
        await File.WriteAllTextAsync(
            listing,
            $"""
            Logger Name           : NT Kernel Logger
            Log Filename          : C:\kernel.etl

            Logger Name           : esp-{NoProcess}-clr
            Events Lost           : 5
            Log Filename          : D:\r\clr.etl

            Logger Name           : esp-{Environment.ProcessId}-code

            Logger Name           : esp-code

            Logger Name           : EventLog-System
            """,
            TestContext.Current.CancellationToken
        );

        var ours = await Tool.RecordHereAsync("sessions", "--from", listing, "--ledger", folder.FullName);
        var all = await Tool.RecordHereAsync("sessions", "--from", listing, "--ledger", folder.FullName, "--all");
        var stop = await Tool.RecordHereAsync("stop", "--dry-run", "--from", listing, "--ledger", folder.FullName);
        var named = await Tool.RecordHereAsync(
            "stop",
            "--dry-run",
            "--from",
            listing,
            "--ledger",
            folder.FullName,
            "--pid",
            Environment.ProcessId.ToString(System.Globalization.CultureInfo.InvariantCulture)
        );

        Assert.Equal((0, 0, 0, 0), (ours.ExitCode, all.ExitCode, stop.ExitCode, named.ExitCode));
        Assert.Contains(
            $@"left behind  esp-{NoProcess}-clr: process {NoProcess} has ended; file D:\r\clr.etl; 5 events lost",
            ours.Output,
            StringComparison.Ordinal
        );
        Assert.Contains($"in use       esp-{Environment.ProcessId}-code", ours.Output, StringComparison.Ordinal);
        Assert.Contains("unknown      esp-code: started by our scripts", ours.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("EventLog-System", ours.Output, StringComparison.Ordinal);
        Assert.Contains(
            "not ours     NT Kernel Logger: not started by esp-record: it writes to C:\\kernel.etl; check whether another",
            all.Output,
            StringComparison.Ordinal
        );
        Assert.Contains("not ours     EventLog-System", all.Output, StringComparison.Ordinal);
        Assert.Equal(
            [$"would stop esp-{NoProcess}-clr: process {NoProcess} has ended"],
            stop.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
        );
        Assert.Contains("note: esp-code was not stopped", stop.Error, StringComparison.Ordinal);
        Assert.Contains($"would stop esp-{Environment.ProcessId}-code", named.Output, StringComparison.Ordinal);
        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Nothing_is_stopped_by_a_listing()
    {
        var result = await Tool.RecordHereAsync("stop", "--from", "x.txt");

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("add --dry-run", result.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("sessions")]
    [InlineData("stop")]
    public async Task Without_windows_there_are_no_sessions(string command)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "there are");

        var result = await Tool.RecordHereAsync(command);

        Assert.Equal(4, result.ExitCode);
        Assert.Contains("fix: read the listing of a tool with --from FILE", result.Error, StringComparison.Ordinal);
    }
}
