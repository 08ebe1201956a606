using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>
/// Runs of a process without events of its runtime (Mono): the run CSV names them, in ticks of 100 ns, and the switches of the thread
/// RunMarker delimit them.
/// </summary>
public sealed class CsvRunTests
{
    private const EventKinds Kernel = EventKinds.ContextSwitches | EventKinds.ReadyThreads | EventKinds.ProcessLayout;

    [Fact]
    public void The_markers_wait_delimits_each_run_also_in_pieces()
    {
        var trace = MarkedTrace();
        Sleep(trace, 10, 90); // idle
        Sleep(trace, 95, 150); // run 1 from 100 to 400 in three pieces: GCs wake the thread
        Sleep(trace, 152, 200);
        Sleep(trace, 205, 410, readyAt: 403);
        Sleep(trace, 420, 900); // idle
        Sleep(trace, 980, 1512, readyAt: 1502); // run 2 from 1000 to 1500

        var result = Analyze(trace, Row(1, 100, 400), Row(2, 1000, 1500));

        Assert.Equal((2, 2), (result.RunsExpected, result.RunsFound));
        Assert.Equal(RunDelimiter.MarkerWait, Assert.Single(result.Processes).Pairing);
        Assert.Equal([(95_000, 403_000), (980_000, 1_502_000)], result.Runs.Select(run => (run.StartTicks, run.StopTicks)));
        Assert.All(
            result.Runs,
            run =>
            {
                Assert.Equal((RunDelimiter.MarkerReady, (long?)SyntheticTrace.Main), (run.Delimiter, run.MeasuringThread));
                Assert.Equal("1/0/0", run.Gcs?.ToString());
                Assert.Null(run.PauseTotalMs);
                Assert.Null(run.AllocatedBytes);
                Assert.Null(run.JitMs);
                Assert.Null(run.Exceptions);
            }
        );
        Assert.Equal([-5.0, -20.0], result.Runs.Select(run => run.StartDifferenceUs!.Value));
    }

    /// <summary>The marker appears to sleep before its switch-out is recorded: the hypervisor may pause the processor in between.</summary>
    [Theory]
    [InlineData(39_950, 2)]
    [InlineData(39_950, 700)]
    [InlineData(199_950, 700)] // the idle wait began more than 100 ms before
    public void A_wait_that_is_recorded_after_the_clocks_start_is_the_runs_and_not_the_idle_one(int idleStop, int lateUs)
    {
        var trace = MarkedTrace();
        Sleep(trace, 10, idleStop);
        Sleep(trace, idleStop + 50 + lateUs, idleStop + 5_055, readyAt: idleStop + 5_051);

        var result = Analyze(trace, Row(1, idleStop + 50, idleStop + 5_050));

        var run = Assert.Single(result.Runs);
        Assert.Equal(
            (RunDelimiter.MarkerReady, (idleStop + 50 + lateUs) * 1000L, (idleStop + 5_051) * 1000L),
            (run.Delimiter, run.StartTicks, run.StopTicks)
        );
        Assert.Equal((1, 1), (result.RunsExpected, result.RunsFound));
    }

    /// <summary>
    /// Observed under load: 90 ms from the marker's switch-out to the clock's start, because the measuring thread had no processor; 58 ms
    /// from the clock's stop to the marker's switch-in.
    /// </summary>
    [Theory]
    [InlineData(210, 300_503)]
    [InlineData(210_000, 300_503)]
    [InlineData(299_990, 358_500)]
    public void A_wait_far_from_the_clock_is_found_and_the_clock_delimits(int waitStart, int waitStop)
    {
        var trace = MarkedTrace();
        Sleep(trace, 10, 200); // idle
        Sleep(trace, waitStart, waitStop + 5, readyAt: waitStop);

        var result = Analyze(trace, Row(1, 300_000, 300_500));

        Assert.Equal((1, 1), (result.RunsExpected, result.RunsFound));
        var run = Assert.Single(result.Runs);
        Assert.Equal((RunDelimiter.SelfReported, 300_000_000, 300_500_000), (run.Delimiter, run.StartTicks, run.StopTicks));
        Assert.Equal(waitStop - waitStart - 500.0, run.MarkerDurationDifferenceUs);
    }

    /// <summary>A lock or a GC readied the marker, and it got no processor before the run was over.</summary>
    [Fact]
    public void A_marker_made_ready_before_the_clock_started_and_back_after_it_is_found()
    {
        var trace = MarkedTrace();
        Sleep(trace, 10, 90); // idle
        Sleep(trace, 95, 410, readyAt: 98);

        var result = Analyze(trace, Row(1, 100, 400));

        Assert.Equal((1, 1), (result.RunsExpected, result.RunsFound));
        var run = Assert.Single(result.Runs);
        Assert.Equal((RunDelimiter.SelfReported, 100_000, 400_000), (run.Delimiter, run.StartTicks, run.StopTicks));
    }

    [Fact]
    public void A_marker_that_did_not_sleep_while_the_clock_ran_is_said_and_its_idle_wait_does_not_stand_in()
    {
        var trace = MarkedTrace();
        Sleep(trace, 10, 90); // idle
        Sleep(trace, 130, 900); // idle

        var result = Analyze(trace, Row(1, 100, 120));

        Assert.Equal((1, 0), (result.RunsExpected, result.RunsFound));
        var run = Assert.Single(result.Runs);
        Assert.Equal((RunDelimiter.SelfReported, 100_000, 120_000), (run.Delimiter, run.StartTicks, run.StopTicks));
    }

    [Fact]
    public void The_launch_is_reported_in_the_clock_of_the_run()
    {
        var row = Row(1, 40_000, 45_000);

        var run = Assert.Single(Analyze(Trace(), row with { SelfMeasurement = row.SelfMeasurement with { LaunchedTicks = 100_000 } }).Runs);

        Assert.Equal(30.0, run.LaunchMs);
    }

    [Fact]
    public void A_wait_that_was_lost_is_said_and_the_programs_clock_stands_in()
    {
        var trace = MarkedTrace(lost: 2);
        Sleep(trace, 95, 410, readyAt: 403);
        Sleep(trace, 420, 500_000); // idle; its end and the begin of the second run's wait were lost

        var result = Analyze(trace, Row(1, 100, 400), Row(2, 300_000, 300_500));

        Assert.Equal((2, 1), (result.RunsExpected, result.RunsFound));
        Assert.Equal([2], Assert.Single(result.Processes).MissingRunIds);
        Assert.Equal([RunDelimiter.MarkerReady, RunDelimiter.SelfReported], result.Runs.Select(run => run.Delimiter));
        Assert.Equal((300_000_000, 300_500_000), (result.Runs[1].StartTicks, result.Runs[1].StopTicks));
    }

    [Fact]
    public void Without_a_marker_thread_the_programs_clock_delimits()
    {
        var result = Analyze(Trace(), Row(1, 100, 400));

        var run = Assert.Single(result.Runs);
        Assert.Equal((RunDelimiter.SelfReported, 100_000, 400_000), (run.Delimiter, run.StartTicks, run.StopTicks));
        Assert.Equal((1, 1), (result.RunsExpected, result.RunsFound));
    }

    private static SyntheticTrace MarkedTrace(long lost = 0) =>
        new SyntheticTrace { Kinds = Kernel, Lost = lost }.Named(1, SyntheticTrace.Marker, RunMarker.ThreadName);

    private static SyntheticTrace Trace() => new() { Kinds = Kernel };

    private static void Sleep(SyntheticTrace trace, double from, double to, double? readyAt = null) =>
        trace
            .Add(from, SyntheticTrace.Marker, (hub, at) => hub.Publish(new SwitchedOut(at, IsPreempted: false)))
            .Add(readyAt ?? to - 1, SyntheticTrace.Marker, (hub, at) => hub.Publish(new ThreadReadied(at, SyntheticTrace.Main)))
            .Add(to, SyntheticTrace.Marker, (hub, at) => hub.Publish(new SwitchedIn(at)));

    private static RunCsvRow Row(int id, long startUs, long stopUs) =>
        new(
            SyntheticTrace.Process,
            id,
            0,
            new RunIdentity("BinaryFormatter", "mscorlib", "4.0", RunOperation.Serialize, RunKind.Measured, 10, 0, id, 1),
            new RunMeasurement(startUs * 10, stopUs * 10, 10_000_000, -1, -1, 1, 0, 0, -1, ""),
            "Mono 6.8.0.105"
        );

    private static AnalysisResult Analyze(SyntheticTrace trace, params RunCsvRow[] rows) =>
        RunAnalysis.Run([new TracedProcess(SyntheticTrace.Process, "program", "", [trace], rows)], []);
}
