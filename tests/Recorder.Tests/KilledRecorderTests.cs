using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>kill -9 of a really running esp-record: no process is left running, and the files can be read.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class KilledRecorderTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-kill-").FullName;

    private Process? _recorder;

    private string Folder => Path.Combine(_root, "r");

    public KilledRecorderTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "the supervisor is for Linux");

    public void Dispose()
    {
        if (_recorder is { HasExited: false })
            _recorder.Kill(entireProcessTree: true);
        _recorder?.Dispose();
        Directory.Delete(_root, recursive: true);
    }

    [Theory]
    [InlineData("clr,code,perf")]
    [InlineData("clr,code")]
    public async Task The_suite_ends_and_the_runs_until_then_can_be_read(string sessions)
    {
        var recorder = Start([
            "-serializer",
            "#SystemTextJson",
            "-n",
            "1000",
            "-runs",
            "10000",
            "-isolate",
            "off",
            "--sessions",
            sessions,
            "--out",
            Folder,
        ]);

        // Each session's file has runs: the recorder reads all rings before it writes, so that after two more writes the file has all
        // records from before the first.
        await Wait.UntilAsync(
            () => Tool.CountInTrace(Path.Combine(Folder, "clr.nettrace"), "SystemTextJson") > 200,
            "marks of runs in the file",
            () => recorder.HasExited
        );
        var perf = new FileInfo(Path.Combine(Folder, "perf.data"));
        for (var write = 0; write < 2 && perf.Exists; write++)
        {
            var length = perf.Length;
            await Wait.UntilAsync(() => new FileInfo(perf.FullName).Length > length, "records of the kernel", () => recorder.HasExited);
            perf.Refresh();
        }

        await KillAsync(recorder);

        var recording = JsonDocument
            .Parse(await File.ReadAllTextAsync(Path.Combine(Folder, "recording.json"), TestContext.Current.CancellationToken))
            .RootElement;
        Assert.False(recording.GetProperty("complete").GetBoolean());
        Assert.Equal(1, recording.GetProperty("processes").GetArrayLength());
        Assert.False(File.Exists(Path.Combine(Folder, ".reserve")));
        Assert.Empty(Directory.GetFiles(_root, "esp-*.sock"));

        var analyzed = await Tool.AnalyzeAsync("table", Folder);
        Assert.True(analyzed.ExitCode == 0, analyzed.Error);
        Assert.Contains("the recording is partial: the recorder did not finish", analyzed.Output, StringComparison.Ordinal);
        Assert.Matches(@"SystemTextJson \W+Serialize \W+1000", analyzed.Output);

        var runs = JsonDocument
            .Parse((await Tool.AnalyzeAsync("runs", Folder, "--format", "json")).Output)
            .RootElement.GetProperty("runs")
            .EnumerateArray()
            .ToList();
        Assert.Contains(
            runs,
            run =>
                run.GetProperty("delimiter").GetString() is not "SelfReported"
                && run.GetProperty("pauseTotalMs").ValueKind == JsonValueKind.Number
        );
        if (recording.GetProperty("kernel").ValueKind == JsonValueKind.Object)
            Assert.Contains(
                runs,
                run => run.GetProperty("cpuMs").ValueKind == JsonValueKind.Number && run.GetProperty("cpuMs").GetDouble() > 0
            );
    }

    [Fact]
    public async Task Grandchildren_end_and_standard_output_with_them()
    {
        var recorder = Start(["--out", Folder, "--", Tool.TestProgram, "spawn", "spawn", "sleep"]);
        Assert.Equal("sleeping", await recorder.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));

        await KillAsync(recorder);

        Assert.Equal(
            "",
            await recorder
                .StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken)
                .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken)
        );
        Assert.Equal(0, (await Tool.AnalyzeAsync("table", Folder)).ExitCode);
    }

    [Fact]
    public async Task What_ignores_the_request_and_what_cleared_its_environment_ends_too()
    {
        var recorder = Start([
            "--sessions",
            "clr",
            "--out",
            Folder,
            "--",
            "/bin/sh",
            "-c",
            "trap '' TERM; env -i /bin/sleep 86400 & \"$0\" sleep; wait",
            Tool.TestProgram,
        ]);
        Assert.Equal("sleeping", await recorder.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));

        var ended = await KillAsync(recorder);

        Assert.True(ended >= 4, $"{ended} processes: supervisor, shell, sleep, program");
    }

    [Fact]
    public async Task A_runtime_that_waits_for_the_killed_recorder_ends()
    {
        var recorder = Start(["--sessions", "clr,code", "--out", Folder, "--", Tool.TestProgram, "sleep"]);

        // As soon as the program exists; its runtime is then starting, waiting for its resumption, or running.
        await Wait.UntilAsync(
            () =>
                ProcessTable
                    .Below(recorder.Id)
                    .Any(process => ProcessTable.CommandLine(process).Contains("TestProgram", StringComparison.Ordinal)),
            "the program",
            () => recorder.HasExited
        );

        await KillAsync(recorder);
    }

    [Fact]
    public async Task A_program_that_outlives_an_orderly_recording_is_left_alone()
    {
        var recorded = await Tool.RecordAsync(
            "--sessions",
            "clr",
            "--out",
            Folder,
            "--no-analyze",
            "--",
            "/bin/sh",
            "-c",
            "sleep 86400 >/dev/null 2>&1 & echo $!; exec \"$0\" plain",
            Tool.TestProgram
        );

        Assert.True(recorded.ExitCode == 0, recorded.Error);
        using var left = Process.GetProcessById(int.Parse(recorded.Output.Trim(), CultureInfo.InvariantCulture));
        Assert.False(left.HasExited);
        left.Kill();
    }

    /// <summary>Starts a recorder with its temporary files in our folder.</summary>
    private Process Start(string[] arguments) =>
        _recorder = Tool.Start("RecorderDirectory", "esp-record.dll", arguments, ("TMPDIR", _root));

    /// <summary>Kills the recorder alone and waits until all processes that it started have ended.</summary>
    /// <returns>How many processes that were.</returns>
    private static async Task<int> KillAsync(Process recorder)
    {
        var tree = ProcessTable.Below(recorder.Id);
        Assert.NotEmpty(tree);
        recorder.Kill();
        await Wait.ForExitAsync(recorder);
        try
        {
            await Wait.UntilAsync(
                () => !tree.Any(ProcessTable.IsRunning),
                $"the end of {string.Join("; ", tree.Select(process => $"{process} {ProcessTable.CommandLine(process)}"))}"
            );
        }
        finally
        {
            foreach (var process in tree.Where(ProcessTable.IsRunning))
                Process.GetProcessById(process).Kill();
        }

        return tree.Count;
    }
}
