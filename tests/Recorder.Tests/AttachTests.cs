using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Recording of processes that run, by really attaching to them.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class AttachTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-attach-").FullName;

    private readonly List<Process> _processes = [];

    private string Folder => Path.Combine(_root, "r");

    public void Dispose()
    {
        foreach (var process in _processes)
        {
            if (!process.HasExited)
                process.Kill(entireProcessTree: true);
            process.Dispose();
        }

        Directory.Delete(_root, recursive: true);
    }

    [Fact]
    public async Task A_running_program_is_recorded_its_methods_are_named_and_it_goes_on()
    {
        var program = await StartAsync("spinning", "spin", "600000", "1");

        var recorded = await Tool.RecordTableAsync("attach", Id(program), "--duration", "2", "--out", Folder);

        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.False(program.HasExited);
        var row = Assert.Single(Parse(recorded.Output).GetProperty("rows").EnumerateArray().ToList());
        Assert.Equal(
            ("TestProgram", "Run", 1),
            (row.GetProperty("serializer").GetString(), row.GetProperty("operation").GetString(), row.GetProperty("runs").GetInt32())
        );

        // It is one run, as long as the recording, which has the requested duration.
        var recording = await RecordingAsync();
        var span = recording.GetProperty("span");
        var wall =
            (span.GetProperty("stopTicks").GetInt64() - span.GetProperty("startTicks").GetInt64())
            * 1e3
            / span.GetProperty("ticksPerSecond").GetInt64();
        Assert.True(wall >= 2000, $"{wall} ms");
        Assert.Equal(wall, row.GetProperty("wallMedianMs").GetDouble(), 0.001);
        Assert.True(recording.GetProperty("complete").GetBoolean());
        Assert.True(recording.GetProperty("attached").GetBoolean());
        Assert.Equal("spin", recording.GetProperty("command")[1].GetString());
        var process = Assert.Single(recording.GetProperty("processes").EnumerateArray().ToList());
        Assert.Equal(("Measured", program.Id), (process.GetProperty("role").GetString(), process.GetProperty("processId").GetInt32()));
        Assert.StartsWith(".NET 10.", process.GetProperty("runtime").GetString(), StringComparison.Ordinal);
        Assert.DoesNotContain(process.GetProperty("sessions").EnumerateArray(), session => session.GetProperty("error").GetString() != "");

        if (recording.GetProperty("kernel").ValueKind != JsonValueKind.Object || !File.Exists(Path.Combine(Folder, "perf.data")))
            Assert.Skip($"no kernel session here: {recorded.Error}");
        var cpu = Parse((await Tool.AnalyzeAsync("cpu", Folder, "--by", "method", "--format", "json")).Output);
        var rows = cpu.GetProperty("rows").EnumerateArray().ToList();
        Assert.Contains("ThreadClock.Spin", rows[0].GetProperty("method").GetString(), StringComparison.Ordinal);

        var (switches, samples) = (row.GetProperty("cpuMs").GetDouble(), rows.Sum(method => method.GetProperty("cpuMs").GetDouble()));
        output.WriteLine($"CPU time by switches {switches} ms, by samples {samples} ms");
        Assert.Equal(row.GetProperty("sampledCpuMs").GetDouble(), samples, 0.001);
        RunAssertions.SamplesAreWithinCpuTime(samples, switches);
    }

    [Fact]
    public async Task Runs_that_are_complete_within_the_recording_are_found_and_the_end_of_the_program_ends_it()
    {
        var (stop, csv) = (Path.Combine(_root, "stop"), Path.Combine(_root, "runs.csv"));
        var program = await StartAsync("running", "until", stop, csv);
        var recorder = StartRecorder(program);
        await UntilRecordingAsync(recorder);
        var lines = Tool.LinesOf(csv);
        await Wait.UntilAsync(() => Tool.LinesOf(csv) > lines + 5, "runs while it records", () => program.HasExited);
        await File.WriteAllTextAsync(stop, "", TestContext.Current.CancellationToken);
        var recorded = await Tool.FinishAsync(recorder);
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        await Wait.ForExitAsync(program);
        Assert.Equal(0, program.ExitCode);
        Assert.True((await RecordingAsync()).GetProperty("complete").GetBoolean(), recorded.Error);

        var analyzed = Parse((await Tool.AnalyzeAsync("runs", Folder, "--format", "json")).Output);
        var runs = analyzed.GetProperty("runs").EnumerateArray().ToList();
        output.WriteLine(
            $"{runs.Count} runs; {string.Join(' ', analyzed.GetProperty("findings").EnumerateArray().Select(finding => finding.GetProperty("text").GetString()))}"
        );
        Assert.Equal(
            (runs.Count, runs.Count),
            (analyzed.GetProperty("runsFound").GetInt32(), analyzed.GetProperty("runsExpected").GetInt32())
        );
        Assert.All(runs, run => Assert.NotEqual("SelfReported", run.GetProperty("delimiter").GetString()));
        Assert.All(runs, run => Assert.True(run.GetProperty("wallMs").GetDouble() > 0));

        // From the first one on, none is left out.
        var made = Tool.LinesOf(csv) - 1;
        Assert.True(runs.Count >= 5, $"{runs.Count} runs");
        Assert.Equal(Enumerable.Range(made - runs.Count + 1, runs.Count), runs.Select(run => run.GetProperty("runId").GetInt32()));
    }

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    public async Task A_signal_ends_the_recording_in_order_and_not_the_program(string signal)
    {
        Signals.SkipUnlessHeard(signal);
        var program = await StartAsync("sleeping", "sleep");
        var recorder = StartRecorder(program);
        await UntilRecordingAsync(recorder);

        await Tool.SignalAsync(recorder, signal);
        var recorded = await Tool.FinishAsync(recorder);

        Assert.True(recorded.ExitCode == 0, $"exit code {recorded.ExitCode}: {recorded.Error}");
        Assert.Contains("TestProgram", recorded.Output, StringComparison.Ordinal);
        Assert.True((await RecordingAsync()).GetProperty("complete").GetBoolean());
        Assert.False(program.HasExited);
    }

    [Fact]
    public async Task A_killed_recorder_leaves_the_program_running_and_a_recording_that_can_be_read()
    {
        var program = await StartAsync("napping", "naps", "50");
        var recorder = StartRecorder(program);
        await Wait.UntilAsync(
            () => Tool.CountInTrace(Path.Combine(Folder, "clr.nettrace"), "Naps") > 10,
            "marks of runs in the file",
            () => recorder.HasExited
        );

        recorder.Kill();
        await Wait.ForExitAsync(recorder);

        var analyzed = await Tool.AnalyzeAsync(Folder);
        Assert.True(analyzed.ExitCode == 0, analyzed.Error);
        Assert.Contains("the recording is partial: the recorder did not finish", analyzed.Output, StringComparison.Ordinal);
        Assert.Contains("Naps", analyzed.Output, StringComparison.Ordinal);
        Assert.False(program.HasExited);

        // What it left in the program does not disturb the next one.
        var again = await Tool.RecordAsync("attach", Id(program), "--duration", "1", "--out", Path.Combine(_root, "again"), "--no-analyze");
        Assert.True(again.ExitCode == 0, again.Error);
    }

    [Fact]
    public async Task A_program_without_NET_is_recorded_by_the_kernel_session_alone()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux");
        var program = Process.Start(new ProcessStartInfo("/bin/sh", ["-c", "while :; do :; done"]))!;
        _processes.Add(program);

        var recorded = await Tool.RecordAsync("attach", Id(program), "--duration", "1", "--out", Folder);

        Assert.Contains("it is not a .NET process: no runtime events are recorded", recorded.Error, StringComparison.Ordinal);
        if (recorded.Error.Contains("no kernel session", StringComparison.Ordinal))
            Assert.Equal(4, recorded.ExitCode);
        else
            Assert.Matches(@"\nsh: [0-9.]+ s, CPU time [0-9]+ ms", recorded.Output);
        Assert.False(program.HasExited);
    }

    [Fact]
    public async Task A_runtime_without_diagnostics_is_said_to_have_none()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux");
        var program = await StartAsync("sleeping", ["sleep"], ("DOTNET_EnableDiagnostics", "0"));

        var recorded = await Tool.RecordAsync("attach", Id(program), "--duration", "1", "--out", Folder, "--no-analyze");

        Assert.Contains("it was started with DOTNET_EnableDiagnostics=0", recorded.Error, StringComparison.Ordinal);
        Assert.Equal(recorded.Error.Contains("no kernel session", StringComparison.Ordinal) ? 4 : 0, recorded.ExitCode);
        Assert.False(program.HasExited);
    }

    [Fact]
    public async Task Whether_inlined_frames_can_be_recorded_is_said()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux");
        var (program, prepared) = (
            await StartAsync("sleeping", "sleep"),
            await StartAsync("sleeping", ["sleep"], ("DOTNET_RichDebugInfo", "1"))
        );

        var recorded = await Tool.RecordHereAsync("attach", Id(program), "--dry-run");
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.Contains(
            $"no inlined frames: process {program.Id} was not started with DOTNET_RichDebugInfo=1",
            recorded.Error,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "only for methods that are compiled from now on",
            (await Tool.RecordHereAsync("attach", Id(prepared), "--dry-run")).Error,
            StringComparison.Ordinal
        );
        Assert.DoesNotContain(
            "inlined",
            (await Tool.RecordHereAsync("attach", Id(program), "--dry-run", "--no-inline-info")).Error,
            StringComparison.Ordinal
        );
    }

    /// <summary>The client library takes the newest socket with the process id in its name, whoever created it.</summary>
    [Fact]
    public async Task A_newer_file_with_the_name_of_a_port_is_not_taken_for_it()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux");
        var program = await StartAsync("spinning", ["spin", "600000", "1"], ("TMPDIR", _root));
        var planted = Path.Combine(_root, $"dotnet-diagnostic-{program.Id}-1-socket");
        await File.WriteAllTextAsync(planted, "", TestContext.Current.CancellationToken);
        File.SetLastWriteTimeUtc(planted, DateTime.UtcNow.AddHours(1));

        var recorded = await Tool.RecordWithAsync(
            ("TMPDIR", _root),
            "attach",
            Id(program),
            "--sessions",
            "clr",
            "--duration",
            "1",
            "--no-analyze",
            "--out",
            Folder
        );

        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.True((await RecordingAsync()).GetProperty("complete").GetBoolean());
    }

    /// <summary>Also with the right name: another user may have created it before the runtime did.</summary>
    [Fact]
    public async Task A_port_that_others_may_write_to_is_refused()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux");
        var program = await StartAsync("spinning", ["spin", "600000", "1"], ("TMPDIR", _root));
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(
                Directory.GetFiles(_root, $"dotnet-diagnostic-{program.Id}-*-socket").Single(),
                (UnixFileMode)Convert.ToInt32("666", 8)
            );

        var recorded = await Tool.RecordWithAsync(
            ("TMPDIR", _root),
            "attach",
            Id(program),
            "--sessions",
            "clr",
            "--duration",
            "1",
            "--no-analyze",
            "--out",
            Folder
        );

        Assert.Equal(4, recorded.ExitCode);
        Assert.Contains(
            "is not the process's diagnostic port: others may write to it (mode 666)",
            recorded.Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task What_cannot_be_recorded_is_an_error_with_a_fix()
    {
        using var ended = Process.Start(Tool.TestProgram, "exit 0");
        await Wait.ForExitAsync(ended);
        var missing = await Tool.RecordHereAsync("attach", Id(ended), "--out", Folder);
        Assert.Equal(4, missing.ExitCode);
        Assert.Contains($"process {ended.Id} does not exist", missing.Error, StringComparison.Ordinal);

        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux");
        var thread = Directory
            .GetDirectories("/proc/self/task")
            .Select(Path.GetFileName)
            .First(id => id != Environment.ProcessId.ToString(CultureInfo.InvariantCulture))!;
        var part = await Tool.RecordHereAsync("attach", thread, "--out", Folder);
        Assert.Equal(4, part.ExitCode);
        Assert.Contains($"where: thread {thread} of process {Environment.ProcessId}", part.Error, StringComparison.Ordinal);

        Assert.Equal(2, (await Tool.RecordHereAsync("attach", "0")).ExitCode);
        Assert.Equal(2, (await Tool.RecordHereAsync("attach", "1", "--duration", "0")).ExitCode);
        Assert.Equal(2, (await Tool.RecordHereAsync("attach")).ExitCode);
        Assert.False(Directory.Exists(Folder));
    }

    [Fact]
    public async Task An_ordinary_user_may_not_record_the_process_of_another_nor_all_processes()
    {
        Nobody.SkipUnlessPossible();

        var other = await Tool.RecordAsNobodyAsync("attach", "1", "--out", Folder);
        Assert.Equal(4, other.ExitCode);
        Assert.Contains("it belongs to another user (uid 0)", other.Error, StringComparison.Ordinal);

        var all = await Tool.RecordAsNobodyAsync("--system-wide", "--dry-run", "--", "/bin/true");
        Assert.Equal(4, all.ExitCode);
        Assert.Contains("run as root or with CAP_PERFMON", all.Error, StringComparison.Ordinal);
    }

    /// <summary>
    /// Each event takes a file for each thread and processor. The limit permits those of the first event, with up to 20 threads of the
    /// runtime and 200 other files, but not those of a second one.
    /// </summary>
    [Fact]
    public async Task Stacks_of_switches_that_need_more_open_files_than_permitted_are_left_out_and_named()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "stacks of context switches need root");
        const int Threads = 300;
        var program = await StartAsync("sleeping", "sleep", $"{Threads}");

        var recorded = await Tool.ShellAsync(
            $"ulimit -n {(Environment.ProcessorCount * (Threads + 20)) + 232} && exec \"$@\"",
            [],
            ["attach", Id(program), "--duration", "1", "--no-analyze", "--out", Folder]
        );

        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var kernel = (await RecordingAsync()).GetProperty("kernel");
        Assert.SkipUnless(
            kernel.ValueKind == JsonValueKind.Object && kernel.GetProperty("sampler").GetString() == "perf",
            "no perf events"
        );
        Assert.Equal("", kernel.GetProperty("error").GetString());
        Assert.Equal("cpu-clock", kernel.GetProperty("events")[0].GetString());
        var note = Assert.Single(
            kernel.GetProperty("notes").EnumerateArray().Select(item => item.GetString()!),
            item => item.Contains("open files", StringComparison.Ordinal)
        );
        Assert.Matches("^no (context-switches|sched:sched_switch): it needs [0-9]+ open files \\(3[0-9]{2} threads on ", note);
        Assert.Contains(note, recorded.Output + recorded.Error, StringComparison.Ordinal);
    }

    private static string Id(Process process) => process.Id.ToString(CultureInfo.InvariantCulture);

    private static JsonElement Parse(string json) => JsonDocument.Parse(json).RootElement;

    /// <summary>Waits until all sessions of a started recorder are recording.</summary>
    private Task UntilRecordingAsync(Process recorder) =>
        Wait.UntilAsync(
            () => Tool.ReadShared(Path.Combine(Folder, "recording.json")).Contains("code.nettrace", StringComparison.Ordinal),
            "the recording",
            () => recorder.HasExited
        );

    /// <summary>Starts recording a process, without a time limit.</summary>
    private Process StartRecorder(Process program)
    {
        var recorder = Tool.Start("RecorderDirectory", "esp-record.dll", ["attach", Id(program), "--out", Folder]);
        _processes.Add(recorder);
        return recorder;
    }

    private Task<Process> StartAsync(string line, params string[] arguments) => StartAsync(line, arguments, []);

    /// <summary>Starts TestProgram and waits until it says <paramref name="line"/>.</summary>
    private async Task<Process> StartAsync(string line, string[] arguments, params (string Name, string Value)[] environment)
    {
        var start = new ProcessStartInfo(Tool.TestProgram, arguments) { RedirectStandardOutput = true };
        start.Environment["DOTNET_ROOT"] = Tool.DotNetRoot;
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        var process = Process.Start(start)!;
        _processes.Add(process);
        Assert.Equal(line, await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));
        return process;
    }

    private async Task<JsonElement> RecordingAsync() =>
        Parse(await File.ReadAllTextAsync(Path.Combine(Folder, "recording.json"), TestContext.Current.CancellationToken));
}
