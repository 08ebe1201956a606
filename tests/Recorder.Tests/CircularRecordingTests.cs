using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Circular recordings from the command line to the numbers.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class CircularRecordingTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-circular-").FullName;

    private string Folder => Path.Combine(_root, "r");

    private string Csv => Path.Combine(Folder, "runs.csv");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Theory]
    [InlineData("--mode", "circular:8MB", "circular:8MB")]
    [InlineData("--max-size", "16MB", "--max-size 16MB")]
    public async Task A_small_memory_keeps_the_last_runs_of_every_session_and_says_what_it_dropped(string option, string size, string mode)
    {
        const int Runs = 2000;
        var recorded = await Tool.RecordTableAsync(option, size, "--out", Folder, "--", Tool.TestProgram, "runs", $"{Runs}", Csv);
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        output.WriteLine(recorded.Error);

        var recording = Parse(await File.ReadAllTextAsync(Path.Combine(Folder, "recording.json"), TestContext.Current.CancellationToken));
        var kept = recording.GetProperty("kept");
        output.WriteLine(kept.ToString());
        Assert.Equal(mode, recording.GetProperty("mode").GetString());
        Assert.Equal([], Directory.GetFiles(Folder, ".*").Select(Path.GetFileName)); // the memory on disk is gone
        Assert.True(recording.GetProperty("complete").GetBoolean(), recording.ToString());

        // These runs write some 25 MB in a second (13 MB without the kernel's call chains), and memory holds the newest part: more than the
        // end of the program, which takes 0.2 to 0.3 s after them and writes 2 MB.
        var dropped = kept.GetProperty("droppedBytes").GetInt64();
        var hasKernel = recording.GetProperty("kernel").ValueKind == JsonValueKind.Object;
        var limit = kept.GetProperty("limitBytes").GetInt64();
        Assert.Equal(8 << 20, limit);
        if (hasKernel)
            Assert.True(dropped > limit / (Environment.IsPrivilegedProcess ? 1 : 4), $"{dropped} bytes dropped");
        Assert.Equal(dropped > 0, kept.GetProperty("droppedEvents").GetInt64() > 0);
        Assert.InRange(kept.GetProperty("keptBytes").GetInt64(), limit / 8, limit + (limit / 8)); // the rundown is not counted

        // The runs of the interval and no others, by the program's own clock.
        var start = kept.GetProperty("startTicks").GetInt64();
        var table = Parse(recorded.Output);
        var found = table.GetProperty("runsFound").GetInt32();
        Assert.InRange(found, 1, dropped > 0 ? Runs - 1 : Runs);
        AssertLossesAreSaid(recording, table);
        Assert.Equal(
            (found, Runs - found),
            (table.GetProperty("runsExpected").GetInt32(), table.GetProperty("runsBeforeInterval").GetInt32())
        );
        var runs = await RunsAsync(Folder);
        Assert.Equal(Enumerable.Range(Runs - found + 1, found), runs.Select(run => run.GetProperty("runId").GetInt32()));
        var starts = (await File.ReadAllLinesAsync(Csv, TestContext.Current.CancellationToken)).Skip(1).Select(Start).ToList();
        Assert.True(starts[Runs - found] > start, "the first run in the table began in the interval");
        Assert.InRange(starts.Count(time => time > start + 100_000_000), 0, found);

        // Every session is there for each of them: marks and GCs (clr), waits (code or kernel), CPU (kernel).
        Assert.All(runs, run => Assert.Equal(JsonValueKind.Number, run.GetProperty("pauseTotalMs").ValueKind));
        Assert.All(runs, run => Assert.True(run.GetProperty("allocatedBytes").GetDouble() >= 1_000_000));
        Assert.All(runs, run => Assert.Equal(run.GetProperty("ownGcsGen012").GetString(), run.GetProperty("gcsGen012").GetString()));
        if (hasKernel)
        {
            // The time of a thread before its first kept switch is unknown.
            var switched = runs.SkipWhile(run => run.GetProperty("voluntarySwitches").ValueKind == JsonValueKind.Null).ToList();
            Assert.InRange(switched.Count, runs.Count / 2, runs.Count);
            if (Lost(recording) == 0)
                RunAssertions.ContainThreadCpuTime(switched);

            // A method compiled long before the cut has its name, by the rundown. Not every recording has a sample in Main: the kept runs
            // are short, and the runtime's other threads and its end take samples, too.
            var cpu = Parse((await Tool.AnalyzeAsync("cpu", Folder, "--top", "10000", "--format", "json")).Output);
            var methods = cpu.GetProperty("rows").EnumerateArray().Select(row => row.GetProperty("method").GetString()!).ToList();
            if (methods.Contains("coreclr_execute_assembly"))
                Assert.Contains("Program.<Main>$", methods);
        }

        var text = (await Tool.AnalyzeAsync("table", Folder)).Output;
        Assert.Contains($"Kept interval ({mode}): ", text, StringComparison.Ordinal);
        if (found < Runs - 1)
            Assert.Contains($"{Runs - found} runs lie before the kept interval", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_trigger_writes_a_recording_of_its_own_while_recording_goes_on(bool bySignal)
    {
        Assert.SkipWhen(bySignal && OperatingSystem.IsWindows(), "there is no SIGUSR1");
        var trigger = Path.Combine(_root, "trigger");
        using var recorder = Tool.Start(
            "RecorderDirectory",
            "esp-record.dll",
            [
                "--mode",
                "circular:64MB",
                "--trigger-file",
                trigger,
                "--out",
                Folder,
                "--no-analyze",
                "--",
                Tool.TestProgram,
                "until",
                Path.Combine(_root, "stop"),
                Csv,
            ]
        );
        var finished = Tool.FinishAsync(recorder);
        await Wait.UntilAsync(() => Tool.LinesOf(Csv) > 20, "runs", () => recorder.HasExited);
        if (bySignal)
            await Tool.SignalAsync(recorder, "USR1");
        else
            await File.WriteAllTextAsync(trigger, "", TestContext.Current.CancellationToken);

        var snapshot = Path.Combine(Folder, "snapshot-1");
        await Wait.UntilAsync(() => File.Exists(Path.Combine(snapshot, "recording.json")), "the snapshot", () => recorder.HasExited);
        Assert.False(recorder.HasExited);
        Assert.False(File.Exists(trigger));
        await File.WriteAllTextAsync(Path.Combine(_root, "stop"), "", TestContext.Current.CancellationToken);
        var recorded = await finished;
        Assert.True(recorded.ExitCode == 0, recorded.Error);

        var recording = Parse(await File.ReadAllTextAsync(Path.Combine(snapshot, "recording.json"), TestContext.Current.CancellationToken));
        output.WriteLine(recording.GetProperty("kept").ToString());
        Assert.Equal(bySignal ? "SIGUSR1" : trigger, recording.GetProperty("kept").GetProperty("trigger").GetString());
        var stop = recording.GetProperty("kept").GetProperty("stopTicks").GetInt64();

        // Runs that ended before the trigger are in the snapshot, later ones only in the recording; both are read without losses.
        var table = await TableAsync(snapshot);
        var whole = await TableAsync(Folder);
        AssertLossesAreSaid(recording, table);
        AssertLossesAreSaid(
            Parse(await File.ReadAllTextAsync(Path.Combine(Folder, "recording.json"), TestContext.Current.CancellationToken)),
            whole
        );
        var stops = (await File.ReadAllLinesAsync(Csv, TestContext.Current.CancellationToken)).Skip(1).Select(Stop).ToList();

        // The trigger can come between the end of the run's clock and the event of that end.
        var ended = stops.Count(time => time < stop);
        Assert.InRange(table.GetProperty("runsFound").GetInt32(), ended - 1, ended);
        Assert.Equal(stops.Count, whole.GetProperty("runsFound").GetInt32());

        // The names of methods come from a session of their own.
        Assert.Contains("names.nettrace", Directory.GetFiles(snapshot).Select(Path.GetFileName));
        if (File.Exists(Path.Combine(snapshot, "perf.data")))
        {
            var cpu = Parse((await Tool.AnalyzeAsync("cpu", snapshot, "--format", "json")).Output);
            Assert.Contains(
                cpu.GetProperty("rows").EnumerateArray(),
                row => row.GetProperty("method").GetString()!.Contains("RunClock.Measure", StringComparison.Ordinal)
            );
        }
    }

    [Theory]
    [InlineData("'circular:2mb' is not a mode: write 'file', or 'circular:SIZE'", "--mode", "circular:2mb")]
    [InlineData("'circular:100KB': the size must be between 1MB and 64GB", "--mode", "circular:100KB")]
    [InlineData("--trigger-file: snapshots need --mode circular:SIZE", "--trigger-file", "x")]
    public async Task A_mode_that_makes_no_sense_is_refused(string expected, params string[] options)
    {
        var recorded = await Tool.RecordHereAsync([.. options, "--out", Folder, "--", Tool.TestProgram, "plain"]);

        Assert.Equal(2, recorded.ExitCode);
        Assert.Contains(expected, recorded.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Folder));
    }

    /// <summary>Records that the kernel dropped, as a reader of its rings that gets no processor for seconds cannot avoid.</summary>
    private static long Lost(JsonElement recording) =>
        recording.GetProperty("kernel") is { ValueKind: JsonValueKind.Object } kernel ? kernel.GetProperty("lostRecords").GetInt64() : 0;

    /// <summary>
    /// No run is missing and no file damaged; lost events are reported where the recording has some, and only there. A marker that was
    /// switched in late on a busy machine is not a loss.
    /// </summary>
    private static void AssertLossesAreSaid(JsonElement recording, JsonElement table)
    {
        string[] losses = ["input", "damaged-file", "runs-missing", "runs-planned", "gc-counts"];
        var codes = table.GetProperty("findings").EnumerateArray().Select(finding => finding.GetProperty("code").GetString()).ToList();
        Assert.DoesNotContain(codes, code => losses.Contains(code));
        Assert.Equal(
            (Lost(recording), 0),
            (table.GetProperty("lostEvents").GetInt64(), table.GetProperty("damagedFiles").GetArrayLength())
        );
        Assert.Equal(Lost(recording) > 0, codes.Contains("lost-events"));
    }

    private static async Task<JsonElement> TableAsync(string folder)
    {
        var analyzed = await Tool.AnalyzeAsync("table", folder, "--format", "json");
        Assert.True(analyzed.ExitCode == 0, analyzed.Error);
        return Parse(analyzed.Output);
    }

    private static async Task<List<JsonElement>> RunsAsync(string folder) =>
        [.. Parse((await Tool.AnalyzeAsync("runs", folder, "--format", "json")).Output).GetProperty("runs").EnumerateArray()];

    private static long Start(string row) => long.Parse(row.Split(',')[StartColumn]);

    private static long Stop(string row) => long.Parse(row.Split(',')[StartColumn + 1]);

    /// <summary>Number of the column start_ticks; stop_ticks follows.</summary>
    private const int StartColumn = 12;

    private static JsonElement Parse(string json) => JsonDocument.Parse(json).RootElement;
}
