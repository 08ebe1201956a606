using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Sessions.Etw.Ownership;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Running;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Sessions.Etw.Tools;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>The folder of a recording by ETW: the content of recording.json, and that the analysis opens it.</summary>
[Collection(FakeTools.Name)]
public sealed class EtwRecorderTests : IDisposable
{
    private readonly FakeTools _tools = new();
    private readonly TempFolder _folder = new();

    public EtwRecorderTests() => Assert.SkipWhen(OperatingSystem.IsWindows(), "the fake tools are shell scripts");

    public void Dispose()
    {
        _tools.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public async Task A_recording_says_how_it_was_made_and_is_analysed()
    {
        var folder = Path.Combine(_folder.Path, "r1");

        var result = await RecordAsync(folder, "exit 0");

        Assert.True(result.Recording.Complete, result.Recording.Interruption);
        Assert.Equal(
            ["clr.etl", "code.etl", "kernel.etl", "merged.etl", "recording.json", "rundown.etl"],
            Directory.EnumerateFiles(folder).Select(Path.GetFileName).Order(StringComparer.Ordinal)
        );
        var etw = RecordingFile.Read(folder).Etw!;
        Assert.Equal(("xperf", "runs", "merged.etl", 1L), (etw.Tool, etw.Preset, etw.File, etw.Runs));
        Assert.Equal(["NT Kernel Logger", "esp-1-clr", "esp-1-code", "esp-1-rundown"], etw.Sessions.Select(session => session.Name));
        Assert.Contains("CSWITCH with stacks", etw.Sessions[0].Content);
        Assert.Contains("Microsoft-Windows-DotNETRuntime:0x9C001:Informational, stacks in:80,81,35", etw.Sessions[1].Content);
        Assert.Contains(etw.Steps, step => step.Command.StartsWith("xperf -merge ", StringComparison.Ordinal) && step.Error.Length == 0);
        Assert.NotEmpty(etw.NotPossible);

        var input = TraceInputReader.Open([folder]);
        var process = Assert.Single(input.Processes);
        Assert.Equal((100, "app"), (process.ProcessId, Path.GetFileNameWithoutExtension(process.Program)));
        Assert.Single(process.Sources);
        Assert.NotEmpty(RunAnalysis.Run(input.Processes, []).Rows);
    }

    [Theory]
    [InlineData("xperf -start esp-1-clr")]
    [InlineData("xperf -on PROC")] // files of the other sessions are there by then
    public async Task When_nothing_was_recorded_nothing_is_left(string failing)
    {
        var folder = Path.Combine(_folder.Path, "r1");
        _tools.FailAt(failing, 170, "busy");

        var exception = await Assert.ThrowsAsync<EtwStepException>(() => RecordAsync(folder, "exit 0"));

        Assert.Contains("0x800700AA (ERROR_BUSY)", exception.Message, StringComparison.Ordinal);
        Assert.False(Directory.Exists(folder));
    }

    [Fact]
    public async Task What_was_recorded_stays_when_merging_fails()
    {
        var folder = Path.Combine(_folder.Path, "r1");
        _tools.FailAt("xperf -merge", 112, "0x80070070");

        var result = await RecordAsync(folder, "exit 0");

        Assert.False(result.Recording.Complete);
        Assert.Contains("0x80070070 (ERROR_DISK_FULL)", Assert.Single(result.Recording.Losses), StringComparison.Ordinal);
        Assert.Equal("", result.Recording.Etw!.File);
        Assert.Null(result.Recording.Etw.Runs);
        Assert.True(File.Exists(Path.Combine(folder, "kernel.etl")));
    }

    private async Task<RecordingResult> RecordAsync(string folder, string script)
    {
        var plan = EtwPresets.Create(
            new EtwPlanOptions { SessionPrefix = "esp-1-", RundownWait = TimeSpan.FromMilliseconds(1) },
            EtwMachine.Typical
        );
        var options = new RecordOptions
        {
            Command = ["/bin/sh", "-c", script],
            Folder = folder,
            Sessions = [],
            ToolVersion = "1",
        };
        var steps = EtwStepFactory.Create(EtwTool.Xperf, plan, new EtwTarget(folder, options.Command) { Separator = '/' });
        var run = new EtwRunOptions
        {
            Executor = new ToolStepExecutor(),
            Ledger = new EtwLedger(Path.Combine(_folder.Path, "ledger")),
            IsElevated = () => true,
        };
        return await EtwRecorder.RunAsync(steps, run, options, TestContext.Current.CancellationToken);
    }
}
