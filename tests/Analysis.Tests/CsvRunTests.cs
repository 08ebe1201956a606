using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.TestSupport;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>Runs of a process without events of its runtime (Mono): the run CSV names them, in ticks of 100 ns, and the switches of the thread RunMarker delimit them.</summary>
public sealed class CsvRunTests
{
    private const TraceCapabilities Kernel = TraceCapabilities.Switches | TraceCapabilities.Wakings | TraceCapabilities.ProcessLayout;

    [Fact]
    public void The_markers_wait_delimits_each_run_also_in_pieces()
    {
        var trace = Trace().Add(1, SyntheticTrace.Marker, TraceCapabilities.ProcessLayout, (visitor, at) => visitor.OnThreadNamed(at, RunMarker.ThreadName));
        Sleep(trace, 10, 90); // idle
        Sleep(trace, 95, 150); // run 1 from 100 to 400 in three pieces: collections wake the thread
        Sleep(trace, 152, 200);
        Sleep(trace, 205, 410, wokenAt: 403);
        Sleep(trace, 420, 900); // idle
        Sleep(trace, 980, 1512, wokenAt: 1502); // run 2 from 1000 to 1500

        var result = Analyze(trace, Row(1, 100, 400), Row(2, 1000, 1500));

        Assert.Equal((2, 2), (result.RunsExpected, result.RunsFound));
        Assert.Equal(DelimiterKind.MarkerWait, Assert.Single(result.Processes).Pairing);
        Assert.Equal([(95_000, 403_000), (980_000, 1_502_000)], result.Runs.Select(run => (run.StartTicks, run.StopTicks)));
        Assert.All(result.Runs, run =>
        {
            Assert.Equal((DelimiterKind.MarkerWaking, (long?)SyntheticTrace.Main), (run.Delimiter, run.MeasuringThread));
            Assert.Equal("1/0/0", run.Collections?.ToString());
            Assert.Null(run.PauseTotalMs);
            Assert.Null(run.AllocatedBytes);
            Assert.Null(run.JitMs);
            Assert.Null(run.Exceptions);
        });
        Assert.Equal([-5.0, -20.0], result.Runs.Select(run => run.StartDifferenceUs!.Value));
    }

    [Fact]
    public void A_wait_that_is_recorded_just_behind_the_clocks_start_is_the_runs_and_not_the_idle_one()
    {
        var trace = Trace().Add(1, SyntheticTrace.Marker, TraceCapabilities.ProcessLayout, (visitor, at) => visitor.OnThreadNamed(at, RunMarker.ThreadName));
        Sleep(trace, 10, 39_950); // idle
        Sleep(trace, 40_002, 45_005, wokenAt: 45_001);

        var run = Assert.Single(Analyze(trace, Row(1, 40_000, 45_000)).Runs);

        Assert.Equal((DelimiterKind.MarkerWaking, 40_002_000, 45_001_000), (run.Delimiter, run.StartTicks, run.StopTicks));
    }

    [Fact]
    public void The_launch_is_told_in_the_clock_of_the_run()
    {
        var row = Row(1, 40_000, 45_000);

        var run = Assert.Single(Analyze(Trace(), row with { Truth = row.Truth with { LaunchedTicks = 100_000 } }).Runs);

        Assert.Equal(30.0, run.LaunchMs);
    }

    [Fact]
    public void A_wait_that_is_missing_is_said_and_the_programs_clock_stands_in()
    {
        var trace = Trace().Add(1, SyntheticTrace.Marker, TraceCapabilities.ProcessLayout, (visitor, at) => visitor.OnThreadNamed(at, RunMarker.ThreadName));
        Sleep(trace, 95, 410, wokenAt: 403);
        Sleep(trace, 420, 500_000); // idle, and then nothing before the second run

        var result = Analyze(trace, Row(1, 100, 400), Row(2, 300_000, 300_500));

        Assert.Equal((2, 1), (result.RunsExpected, result.RunsFound));
        Assert.Equal([2], Assert.Single(result.Processes).MissingRunIds);
        Assert.Equal([DelimiterKind.MarkerWaking, DelimiterKind.Truth], result.Runs.Select(run => run.Delimiter));
        Assert.Equal((300_000_000, 300_500_000), (result.Runs[1].StartTicks, result.Runs[1].StopTicks));
    }

    [Fact]
    public void Without_a_marker_thread_the_programs_clock_delimits()
    {
        var result = Analyze(Trace(), Row(1, 100, 400));

        var run = Assert.Single(result.Runs);
        Assert.Equal((DelimiterKind.Truth, 100_000, 400_000), (run.Delimiter, run.StartTicks, run.StopTicks));
        Assert.Equal((1, 1), (result.RunsExpected, result.RunsFound));
    }

    private static SyntheticTrace Trace() => new() { Capabilities = Kernel };

    private static void Sleep(SyntheticTrace trace, double from, double to, double? wokenAt = null) => trace
        .Add(from, SyntheticTrace.Marker, TraceCapabilities.Switches, (visitor, at) => visitor.OnSwitchedOut(at, isPreempted: false))
        .Add(wokenAt ?? to - 1, SyntheticTrace.Marker, TraceCapabilities.Wakings, (visitor, at) =>
        {
            visitor.OnMadeReady(at);
            visitor.OnWoken(at, SyntheticTrace.Main);
        })
        .Add(to, SyntheticTrace.Marker, TraceCapabilities.Switches, (visitor, at) => visitor.OnSwitchedIn(at));

    private static RunCsvRow Row(int id, long startUs, long stopUs) => new(
        SyntheticTrace.Process, id, 0, new RunIdentity("BinaryFormatter", "mscorlib", "4.0", RunOperation.Serialize, RunKind.Measured, 10, 0, id, 1),
        new RunTruth(startUs * 10, stopUs * 10, 10_000_000, -1, -1, 1, 0, 0, -1, ""), "Mono 6.8.0.105");

    private static AnalysisResult Analyze(SyntheticTrace trace, params RunCsvRow[] rows) =>
        RunAnalysis.Run([new TracedProcess(SyntheticTrace.Process, "program", "", [trace], rows)], []);
}
