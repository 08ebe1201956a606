using System.Diagnostics;
using System.Text.Json;
using EtwSerializerProfiler.Traces.Packing;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Recordings that the user ends: by Ctrl+C, a signal or a duration. They are complete, and the program has ended.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class EndedByUserTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-end-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public EndedByUserTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "looks for processes in /proc");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    /// <summary>
    /// In a terminal Ctrl+C also reaches the program, and ends a .NET program at once: its files just end. All GCs until then are there.
    /// </summary>
    [Theory]
    [InlineData]
    [InlineData("--sampler", "ptrace")]
    public async Task Ctrl_C_that_kills_the_program_leaves_a_whole_recording(params string[] options)
    {
        Signals.SkipUnlessHeard("INT");
        using var recorder = Tool.Start(
            "RecorderDirectory",
            "esp-record.dll",
            [.. options, "--no-report", "--out", Folder, "--", Tool.TestProgram, "collect", "2", "1000000"]
        );
        var trace = Path.Combine(Folder, "clr.nettrace");
        await Wait.UntilAsync(
            () => File.Exists(trace) && new FileInfo(trace).Length > 1_000_000,
            "events of GCs",
            () => recorder.HasExited
        );
        var program = ProcessTable
            .Below(recorder.Id)
            .Single(process => ProcessTable.CommandLine(process).StartsWith(Tool.TestProgram, StringComparison.Ordinal));
        using (var kill = Process.Start("kill", ["-INT", $"{program}", $"{recorder.Id}"]))
            await Wait.ForExitAsync(kill);
        var recorded = await Tool.FinishAsync(recorder);

        AssertWhole(recorded);
        Assert.False(ProcessTable.IsRunning(program));
        var row = Assert.Single((await AnalyzeAsync("table")).GetProperty("rows").EnumerateArray().ToList());
        var gcs = (await AnalyzeAsync("gc", "--top", "1000000")).GetProperty("rows").EnumerateArray().ToList();
        Assert.NotEmpty(gcs);
        Assert.Equal(
            gcs.Count,
            row.GetProperty("gen0Gcs").GetInt32() + row.GetProperty("gen1Gcs").GetInt32() + row.GetProperty("gen2Gcs").GetInt32()
        );
        Assert.True(row.GetProperty("pauseTotalMs").GetDouble() > 0);
        Assert.True(row.GetProperty("cpuMs").GetDouble() > 0);
        Assert.InRange(row.GetProperty("wallMedianMs").GetDouble(), 1, Recording().GetProperty("durationMs").GetDouble());
    }

    /// <summary>A signal for the recorder alone: it asks the program to end, including the children of a shell between the two.</summary>
    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    [InlineData("HUP")] // sent by a terminal that closes
    public async Task A_signal_ends_the_recording_and_all_that_was_started(string signal)
    {
        Signals.SkipUnlessHeard(signal);
        using var recorder = Tool.Start(
            "RecorderDirectory",
            "esp-record.dll",
            ["--no-report", "--out", Folder, "--", "/bin/sh", "-c", "\"$0\" sleep & wait", Tool.TestProgram]
        );
        Assert.Equal("sleeping", await recorder.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));
        var started = ProcessTable.Below(recorder.Id);
        await Tool.SignalAsync(recorder, signal);

        AssertWhole(await Tool.FinishAsync(recorder));
        using (var code = PackedFile.OpenRead(Path.Combine(Folder, "code.nettrace.zst"), 0))
            Assert.True(code.Length > 100_000, "the rundown was taken");
        await Wait.UntilAsync(() => !started.Any(ProcessTable.IsRunning), "the end of the program and its shell");
        Assert.False(File.Exists(Path.Combine(Folder, ".reserve")));
    }

    [Fact]
    public async Task A_duration_ends_the_recording_and_the_program()
    {
        var recorded = await Tool.RecordAsync("--duration", "2", "--no-report", "--out", Folder, "--", Tool.TestProgram, "sleep");

        AssertWhole(recorded);
    }

    /// <summary>The first signal asks the program to end, and this shell goes on; the second one kills it.</summary>
    [Fact]
    public async Task A_second_signal_kills_a_program_that_does_not_end()
    {
        Signals.SkipUnlessHeard("INT");
        using var recorder = Tool.Start(
            "RecorderDirectory",
            "esp-record.dll",
            [
                "--no-report",
                "--out",
                Folder,
                "--",
                "/bin/sh",
                "-c",
                "trap : TERM INT; \"$0\" sleep & wait; echo on; while :; do sleep 1; done",
                Tool.TestProgram,
            ]
        );
        Assert.Equal("sleeping", await recorder.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));
        await Tool.SignalAsync(recorder, "INT");
        // The program has ended, the shell has not.
        Assert.Equal("on", await recorder.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));
        await Tool.SignalAsync(recorder, "INT");

        AssertWhole(await Tool.FinishAsync(recorder));
    }

    /// <summary>nohup starts a program with SIGHUP ignored.</summary>
    [Fact]
    public async Task SIGHUP_that_is_ignored_stays_ignored()
    {
        var recorded = await Tool.ShellAsync(
            "trap '' HUP; exec \"$@\"",
            [],
            "--sessions",
            "clr",
            "--no-analyze",
            "--out",
            Folder,
            "--",
            "/bin/sh",
            "-c",
            "kill -HUP $PPID; exec \"$0\" plain",
            Tool.TestProgram
        );

        Assert.True(recorded.ExitCode == 0, recorded.Error);
    }

    private void AssertWhole(ToolResult recorded)
    {
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.DoesNotContain("Warning", recorded.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("warning", recorded.Error, StringComparison.Ordinal);
        Assert.Contains(", nothing lost, stopped by the user", recorded.Output, StringComparison.Ordinal);
        var recording = Recording();
        Assert.Equal(
            ("", true, true),
            (
                recording.GetProperty("interruption").GetString(),
                recording.GetProperty("complete").GetBoolean(),
                recording.GetProperty("endedByUser").GetBoolean()
            )
        );
    }

    private JsonElement Recording() => JsonDocument.Parse(File.ReadAllText(Path.Combine(Folder, "recording.json"))).RootElement;

    private async Task<JsonElement> AnalyzeAsync(string report, params string[] options) =>
        JsonDocument.Parse((await Tool.AnalyzeAsync([report, Folder, .. options, "--format", "json"])).Output).RootElement;
}
