using System.Diagnostics;
using System.Text;
using System.Text.Json;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>Recordings of all processes, and of a chosen sampler.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class ScopeAndSamplerTests(ITestOutputHelper output) : IClassFixture<MachineLock>, IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-all-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Other_processes_are_recorded_too_and_the_columns_are_the_programs_own()
    {
        using var other = Process.Start(new ProcessStartInfo("/bin/sh", ["-c", "while :; do :; done"]))!;
        try
        {
            var recorded = await Tool.RecordTableAsync("--system-wide", "--out", Folder, "--", Tool.TestProgram, "shares", "1000");
            Assert.SkipWhen(recorded.ExitCode == 4, recorded.Error);
            Assert.True(recorded.ExitCode == 0, recorded.Error);
            Assert.True(
                JsonDocument
                    .Parse(File.ReadAllText(Path.Combine(Folder, "recording.json")))
                    .RootElement.GetProperty("kernel")
                    .GetProperty("systemWide")
                    .GetBoolean()
            );

            // The other process was started before and ran all the time: its names, mappings, switches and samples are in the file ...
            var seen = Read(other.Id);
            Assert.Equal("sh", seen.Name);
            Assert.True(seen.Mappings > 0);
            Assert.True(seen.Samples > 0 && seen.Switches > 0, $"{seen.Samples} samples, {seen.Switches} switches");

            // ... and nothing of it in the run's columns: the program spins on one thread and sleeps on another.
            var row = Assert.Single(JsonDocument.Parse(recorded.Output).RootElement.GetProperty("rows").EnumerateArray().ToList());
            var runs = JsonDocument
                .Parse((await Tool.AnalyzeAsync("runs", Folder, "--format", "json")).Output)
                .RootElement.GetProperty("runs");
            var cpu = row.GetProperty("cpuMs").GetDouble();
            output.WriteLine(
                $"{cpu} ms on processors, {runs[0].GetProperty("threadCpuMs").GetDouble()} ms by the measuring thread's clock; other: {seen}"
            );
            RunAssertions.ContainThreadCpuTime([.. runs.EnumerateArray()]);
            Assert.True(cpu <= row.GetProperty("wallMedianMs").GetDouble() * Environment.ProcessorCount);
            var threads = JsonDocument
                .Parse((await Tool.AnalyzeAsync("cpu", Folder, "--by", "thread", "--format", "json")).Output)
                .RootElement;
            var sampled = threads.GetProperty("summary").GetProperty("cpuMs").GetDouble();
            RunAssertions.SamplesAreWithinCpuTime(sampled, cpu);

            // Samples of the other process in the run's window are among those of all other processes.
            var (start, stop, own) = (
                runs[0].GetProperty("startTicks").GetInt64(),
                runs[0].GetProperty("stopTicks").GetInt64(),
                runs[0].GetProperty("processId").GetInt32()
            );
            var (ofOther, ofAll) = SampledMs(start, stop, other.Id, own);
            Assert.Equal(SampledMs(start, stop, own, own).OfProcess, sampled, 3);
            var others = JsonDocument
                .Parse((await Tool.AnalyzeAsync("causes", Folder, "--by-run", "--format", "json")).Output)
                .RootElement.GetProperty("runs")[0]
                .GetProperty("otherProcessesMs")
                .GetDouble();
            output.WriteLine($"{others} ms of other processes, {ofOther} of it the shell's");
            Assert.True(ofOther > 0 && others >= ofOther, $"{others} ms of other processes, {ofOther} of the shell");
            Assert.Equal(ofAll, others, 3);
        }
        finally
        {
            other.Kill();
        }
    }

    [Fact]
    public async Task Without_a_sampler_switches_alone_give_the_CPU_time()
    {
        var recorded = await Tool.RecordTableAsync("--sampler", "none", "--out", Folder, "--", Tool.TestProgram, "shares", "500");
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.SkipWhen(recorded.Error.Contains("no kernel session", StringComparison.Ordinal), recorded.Error);

        var row = Assert.Single(JsonDocument.Parse(recorded.Output).RootElement.GetProperty("rows").EnumerateArray().ToList());
        var run = Assert.Single(
            JsonDocument
                .Parse((await Tool.AnalyzeAsync("runs", Folder, "--format", "json")).Output)
                .RootElement.GetProperty("runs")
                .EnumerateArray()
                .ToList()
        );
        Assert.True(run.GetProperty("threadCpuMs").GetDouble() >= 500, "the program runs until its thread's clock has this time");
        RunAssertions.ContainThreadCpuTime([run]);
        Assert.True(row.GetProperty("cpuMs").GetDouble() <= row.GetProperty("wallMedianMs").GetDouble() * Environment.ProcessorCount);
        var cpu = await Tool.AnalyzeAsync("cpu", Folder);
        Assert.Equal(3, cpu.ExitCode);
        Assert.Contains("CPU samples", cpu.Error, StringComparison.Ordinal);
    }

    /// <summary>CPU time by samples in a span, in ms: of <paramref name="process"/>, and of all except <paramref name="own"/> and idle.</summary>
    private (double OfProcess, double OfOthers) SampledMs(long start, long stop, int process, int own)
    {
        var (ofProcess, ofOthers) = (0.0, 0.0);
        using var reader = PerfDataReader.Open(Path.Combine(Folder, "perf.data"));
        while (reader.TryRead(out var record))
        {
            if (
                record.Time < start
                || record.Time >= stop
                || !record.TryReadSample(out var sample)
                || sample.Event.Settings is not { Kind: PerfEventKind.Software, Config: 0 }
            )
                continue;
            ofProcess += sample.ProcessId == process ? sample.Period / 1e6 : 0;
            ofOthers += sample.ProcessId > 0 && sample.ProcessId != own ? sample.Period / 1e6 : 0;
        }

        return (ofProcess, ofOthers);
    }

    private (string Name, int Mappings, int Samples, int Switches) Read(int process)
    {
        var (name, mappings, samples, switches) = ("", 0, 0, 0);
        using var reader = PerfDataReader.Open(Path.Combine(Folder, "perf.data"));
        while (reader.TryRead(out var record))
        {
            if (record.TryReadComm(out var owner, out _, out var text) && owner == process)
                name = Encoding.UTF8.GetString(text);
            else if (record.TryReadMapping(out var mapping) && mapping.ProcessId == process)
                mappings++;
            else if (record.Type is PerfRecordType.Switch or PerfRecordType.SwitchCpuWide && record.Origin.ProcessId == process)
                switches++;
            else if (
                record.TryReadSample(out var sample)
                && sample.ProcessId == process
                && sample.Event.Settings is { Kind: PerfEventKind.Software, Config: 0 }
            )
                samples++;
        }

        Assert.Null(reader.Damage);
        return (name, mappings, samples, switches);
    }
}
