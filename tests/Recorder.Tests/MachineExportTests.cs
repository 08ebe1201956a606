using EtwSerializerProfiler.Traces.TraceEventFeed;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>A recording of the whole machine as an .etl.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class MachineExportTests : IClassFixture<MachineLock>, IDisposable
{
    private readonly TempFolder _root = new();

    public void Dispose() => _root.Dispose();

    [Fact]
    public async Task All_processes_of_the_machine_are_exported()
    {
        var (folder, etl) = (_root.PathOf("all"), _root.PathOf("all.etl"));
        var recorded = await Tool.RecordAsync("--system-wide", "--no-analyze", "--out", folder, "--", Tool.TestProgram, "shares", "300");
        Assert.SkipWhen(recorded.ExitCode == 4, recorded.Error);
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var exported = await Tool.AnalyzeAsync("export", folder, "--to", "etl", "-o", etl);
        Assert.True(exported.ExitCode == 0, exported.Error);
        Assert.DoesNotContain("only the recorded processes", exported.Output, StringComparison.Ordinal);

        foreach (var command in (string[])["runs", "cpu", "causes --by-run"])
        {
            var words = command.Split(' ');
            var (ofRecording, ofExport) = (
                await Tool.AnalyzeAsync([words[0], folder, .. words[1..], "--format", "csv"]),
                await Tool.AnalyzeAsync([words[0], etl, .. words[1..], "--format", "csv"])
            );
            Assert.True(ofRecording.ExitCode == 0, ofRecording.Error);
            Assert.Equal(ofRecording.Output, ofExport.Output);
        }

        // The test itself is among the processes: it was there when the recording began.
        var listed = new HashSet<int>();
        var owners = new Dictionary<int, int>();
        var switched = new HashSet<int>();
        using var source = EtlTraceEventSource.Open(etl);
        source.Kernel.ProcessDCStart += data => listed.Add(data.ProcessID);
        source.Kernel.ThreadStartGroup += data => owners[data.ThreadID] = data.ProcessID;
        source.Kernel.ThreadCSwitch += data => switched.Add(data.NewThreadID);
        source.Process();
        Assert.Contains(Environment.ProcessId, listed);
        Assert.True(
            switched.Select(thread => owners.GetValueOrDefault(thread)).Distinct().Count() > 2,
            "only the program's threads were switched"
        );
    }
}
