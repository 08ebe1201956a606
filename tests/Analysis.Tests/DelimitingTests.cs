using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Analysis.Tests;

public sealed class DelimitingTests
{
    [Theory]
    [InlineData(500, 9500, 3, 0)]
    [InlineData(2000, 9500, 2, 1)] // in the middle of run 1
    [InlineData(500, 8500, 2, 1)] // in the middle of run 3
    [InlineData(2000, 8500, 1, 2)]
    [InlineData(4500, 5500, 0, 2)] // only run 2, longer than the recording: no run, the whole process instead
    public void Runs_that_the_recordings_begin_or_end_cuts_are_reported_and_not_shown(double start, double stop, int runs, int cut)
    {
        var trace = new SyntheticTrace().Run(1, 1000, 3000).Run(2, 4000, 6000).Run(3, 7000, 9000);

        var result = Synthetic.AnalyzeSpan(trace, start, stop);

        Assert.Equal(runs, result.Runs.Count(run => run.Delimiter != RunDelimiter.WholeProcess));
        var process = Assert.Single(result.Processes);
        Assert.Equal(runs == 0 ? 3 : cut, process.Cut);
        Assert.Equal(process.Cut > 0, Synthetic.Codes(result).Contains("runs-cut"));
        Assert.DoesNotContain("runs-missing", Synthetic.Codes(result));
        if (runs == 0)
            Assert.Equal((4.5, 5.5), (Math.Round(process.Runs[0].StartMs, 2), Math.Round(process.Runs[0].StopMs, 2)));
    }

    [Fact]
    public void A_run_whose_start_was_not_recorded_is_cut_too()
    {
        var trace = new SyntheticTrace().Run(1, 1000, 3000, marks: false).Run(2, 4000, 6000);

        Assert.Equal([2], Synthetic.AnalyzeSpan(trace, 2000, 9000).Runs.Select(run => run.RunId));
    }

    [Fact]
    public void The_marks_delimit_a_run_that_its_markers_wait_confirms()
    {
        var result = Synthetic.Analyze(new SyntheticTrace().Run(1, 1000, 3000));
        var run = Assert.Single(result.Runs);

        Assert.Equal((1, RunDelimiter.MarkerWait), (result.RunsFound, result.Processes[0].Pairing));
        Assert.Equal((RunDelimiter.Marks, 999_000L, 3_001_000L), (run.Delimiter, run.StartTicks, run.StopTicks));
        Assert.Equal(2.002, run.WallMs, 6);
        Assert.Equal((-1.0, 1.0, 2.0), (run.StartDifferenceUs, run.StopDifferenceUs, run.DurationDifferenceUs));
        Assert.Equal(65.0, run.MarkerDurationDifferenceUs);
        Assert.Equal(59.0, run.MarkerMarksDifferenceUs);
    }

    /// <summary>The thread lost its processor between its clock and a mark, for 1000 µs before it or 900 after.</summary>
    [Theory]
    [InlineData(2000, 3000, 2000, 3001)]
    [InlineData(1000, 2100, 999, 2100)]
    [InlineData(1090, 2910, 999, 3001)] // as close as marks are
    [InlineData(900, 2100, 999, 3001)] // not within the marks
    public void An_edge_that_is_far_from_the_programs_clock_moves_to_it(double ownStart, double ownStop, double start, double stop)
    {
        var trace = new SyntheticTrace().Run(1, 1000, 3000, measurement: SyntheticTrace.Measurement(ownStart, ownStop));

        var run = Synthetic.OnlyRun(trace);

        Assert.Equal((RunDelimiter.Marks, start * 1000, stop * 1000), (run.Delimiter, run.StartTicks, run.StopTicks));
    }

    [Fact]
    public void Switch_out_and_ready_event_of_the_marker_are_the_best_delimiter()
    {
        var run = Synthetic.OnlyRun(Sleeping(new SyntheticTrace().Run(1, 1000, 3000)).Readied(3005, SyntheticTrace.Marker));

        Assert.Equal((RunDelimiter.MarkerReady, 993_000L, 3_005_000L), (run.Delimiter, run.StartTicks, run.StopTicks));
        Assert.Equal(
            (-7.0, 5.0, 12.0, 12.0),
            (run.StartDifferenceUs, run.StopDifferenceUs, run.DurationDifferenceUs, run.MarkerDurationDifferenceUs)
        );
    }

    [Fact]
    public void Without_ready_events_the_marks_delimit_and_the_switch_in_confirms()
    {
        var run = Synthetic.OnlyRun(Sleeping(new SyntheticTrace().Run(1, 1000, 3000)));
        var unmarked = Synthetic.OnlyRun(Sleeping(new SyntheticTrace().Run(1, 1000, 3000, marks: false)));

        Assert.Equal((RunDelimiter.Marks, 37.0), (run.Delimiter, run.MarkerDurationDifferenceUs));
        Assert.Equal((RunDelimiter.MarkerSwitch, 993_000L, 3_030_000L), (unmarked.Delimiter, unmarked.StartTicks, unmarked.StopTicks));
    }

    [Fact]
    public void A_sleep_in_pieces_is_one_and_a_switch_before_the_sleep_is_none()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .SwitchOut(991, SyntheticTrace.Marker)
            .SwitchIn(992, SyntheticTrace.Marker) // preempted on its way to the wait
            .SwitchOut(994, SyntheticTrace.Marker)
            .Readied(1500, SyntheticTrace.Marker)
            .SwitchIn(1501, SyntheticTrace.Marker) // a signal
            .SwitchOut(1510, SyntheticTrace.Marker)
            .Readied(3005, SyntheticTrace.Marker)
            .SwitchIn(3030, SyntheticTrace.Marker);

        var run = Synthetic.OnlyRun(trace);

        Assert.Equal((RunDelimiter.MarkerReady, 994_000L, 3_005_000L), (run.Delimiter, run.StartTicks, run.StopTicks));
    }

    [Fact]
    public void The_idle_sleep_is_not_the_runs_though_it_begins_before_the_last_mark()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .SwitchOut(993, SyntheticTrace.Marker)
            .Readied(3000.1, SyntheticTrace.Marker)
            .SwitchIn(3000.3, SyntheticTrace.Marker)
            .SwitchOut(3000.6, SyntheticTrace.Marker)
            .Readied(9000, SyntheticTrace.Marker)
            .SwitchIn(9001, SyntheticTrace.Marker);

        Assert.Equal(3_000_100, Synthetic.OnlyRun(trace).StopTicks);
    }

    /// <summary>The marker of run 1 is switched out at 993 µs and switched in at 3030 µs.</summary>
    private static SyntheticTrace Sleeping(SyntheticTrace trace) =>
        trace.SwitchOut(993, SyntheticTrace.Marker).SwitchIn(3030, SyntheticTrace.Marker).SwitchOut(3040, SyntheticTrace.Marker);

    [Fact]
    public void Marks_and_waits_may_come_from_two_files()
    {
        var both = new SyntheticTrace().Run(1, 1000, 3000).Run(2, 5000, 6000);
        var marks = new Part(both, EventKinds.RunMarks);
        var waits = new Part(both, EventKinds.Waits);
        var result = Synthetic.Analyze(marks, waits);

        Assert.Equal([RunDelimiter.Marks, RunDelimiter.Marks], result.Runs.Select(run => run.Delimiter));
        Assert.Equal((2, 2), (result.RunsExpected, result.RunsFound));
    }

    [Fact]
    public void A_lost_marker_wait_is_not_replaced_by_the_idle_one()
    {
        var result = Synthetic.Analyze(new SyntheticTrace().Run(1, 1000, 3000, wait: false).Run(2, 5000, 6000));

        Assert.Equal([null, 65.0], result.Runs.Select(run => run.MarkerDurationDifferenceUs));
        Assert.Equal((999_000L, 3_001_000L), (result.Runs[0].StartTicks, result.Runs[0].StopTicks));
        Assert.Equal((2, 1), (result.RunsExpected, result.RunsFound));
        Assert.Equal([1], result.Processes[0].MissingRunIds);
    }

    [Fact]
    public void Further_waits_of_the_marker_and_waits_of_other_threads_are_not_runs()
    {
        var trace = new SyntheticTrace().Run(1, 1000, 3000).Wait(3600, 3700, SyntheticTrace.Marker).Wait(900, 5000, 77);
        var result = Synthetic.Analyze(trace);

        Assert.Equal(65.0, Assert.Single(result.Runs).MarkerDurationDifferenceUs);
        Assert.DoesNotContain("runs-missing", Synthetic.Codes(result));
    }

    [Fact]
    public void A_wait_that_begins_just_after_RunStart_is_still_the_runs()
    {
        var trace = new SyntheticTrace().Run(1, 1000, 3000, wait: false).Wait(1000.2, 3055, SyntheticTrace.Marker);

        Assert.Equal(2054.8 - 2000, Synthetic.OnlyRun(trace).MarkerDurationDifferenceUs!.Value, 6);
    }

    [Fact]
    public void Without_marks_of_begin_and_end_the_wait_still_delimits_and_RunStop_names()
    {
        var run = Synthetic.OnlyRun(new SyntheticTrace().Run(1, 1000, 3000, marks: false));

        Assert.Equal((RunDelimiter.MarkerWait, "Json"), (run.Delimiter, run.Identity.Serializer));
    }

    [Fact]
    public void Without_wait_and_marks_the_self_measurement_delimits()
    {
        var run = Synthetic.OnlyRun(new SyntheticTrace().Run(1, 1000, 3000, wait: false, marks: false));

        Assert.Equal((RunDelimiter.SelfReported, 1_000_000L, 3_000_000L), (run.Delimiter, run.StartTicks, run.StopTicks));
        Assert.Null(run.StartDifferenceUs);
    }

    [Fact]
    public void Without_wait_events_at_all_marks_are_the_best_delimiter_and_nothing_is_missing()
    {
        var result = Synthetic.Analyze(
            new SyntheticTrace { Kinds = EventKinds.All & ~(EventKinds.Waits | EventKinds.ContextSwitches) }.Run(1, 1000, 3000)
        );

        Assert.Equal(RunDelimiter.Marks, Assert.Single(result.Runs).Delimiter);
        Assert.Equal((1, 1), (result.RunsExpected, result.RunsFound));
        Assert.Equal((-1.0, 1.0), (result.Runs[0].StartDifferenceUs, result.Runs[0].StopDifferenceUs));
    }

    [Fact]
    public void The_run_csv_says_how_many_runs_to_expect()
    {
        var result = Synthetic.Analyze(
            [new SyntheticTrace().Run(1, 1000, 3000)],
            [Synthetic.Row(1, 1000, 3000), Synthetic.Row(2, 5000, 6000, planned: 4)]
        );

        Assert.Equal((2, 1), (result.RunsExpected, result.RunsFound));
        Assert.Equal(RunDelimiter.SelfReported, result.Runs[1].Delimiter);
        Assert.Contains(
            result.Findings,
            finding =>
                finding.Text.Contains("expected 2 runs, found 1; without the marker's wait in the trace: run 2", StringComparison.Ordinal)
        );
        Assert.Contains(result.Findings, finding => finding.Text.Contains("planned 4 runs and made 2", StringComparison.Ordinal));
    }

    [Fact]
    public void The_speed_probes_of_a_marked_run_come_from_the_run_csv()
    {
        var rows = new[] { Probed(1, 1000, 3000, 50_000, 60_000), Probed(2, 5000, 6000, 100_000, 52_000), Synthetic.Row(3, 7000, 8000) };

        var runs = Synthetic.Analyze([new SyntheticTrace().Run(1, 1000, 3000).Run(2, 5000, 6000).Run(3, 7000, 8000)], rows).Runs;

        Assert.Equal([(50_000, 60_000), (100_000, 52_000), (null, null)], runs.Select(run => (run.ProbeBeforeNs, run.ProbeAfterNs)));
        Assert.All(runs, run => Assert.Equal(50_000, run.BestProbeNs));
        Assert.Equal([20, 100, null], runs.Select(run => run.SlowPercent is { } slow ? Math.Round(slow, 6) : (double?)null));

        static RunCsvRow Probed(int id, double start, double stop, long before, long after) =>
            WithProbes(Synthetic.Row(id, start, stop), before, after);

        static RunCsvRow WithProbes(RunCsvRow row, long before, long after) =>
            row with
            {
                SelfMeasurement = row.SelfMeasurement with { ProbeBeforeNanoseconds = before, ProbeAfterNanoseconds = after },
            };
    }

    [Fact]
    public void Memory_size_and_settling_come_from_the_run_csv_and_a_row_without_a_runs_memory_has_none()
    {
        const long Unknown = RunMeasurement.Unknown;
        var rows = new[] { Sized(1, 1000, 3000, 90, 50), Sized(2, 5000, 6000, 120, 50), Sized(3, 7000, 8000, Unknown, Unknown) };

        var runs = Synthetic.Analyze([new SyntheticTrace().Run(1, 1000, 3000).Run(2, 5000, 6000).Run(3, 7000, 8000)], rows).Runs;

        Assert.Equal([90, 120, null], runs.Select(FootprintMeasures.PeakWorkingSet.ValueOf));
        Assert.Equal([50, 50, null], runs.Select(FootprintMeasures.Program.ValueOf));
        Assert.Equal([1, 2, 3], runs.Select(JitMeasures.Unsettled.ValueOf));
        var row = Assert.Single(SummaryRow.Group(runs.Take(2)));
        Assert.Equal((120, 50), (FootprintMeasures.PeakWorkingSet.ValueOf(row), FootprintMeasures.Program.ValueOf(row)));
        Assert.Null(FootprintMeasures.PeakWorkingSet.ValueOf(Assert.Single(SummaryRow.Group(runs))));

        static RunCsvRow Sized(int id, double start, double stop, long peak, long program)
        {
            var row = Synthetic.Row(id, start, stop);
            return row with
            {
                SelfMeasurement = row.SelfMeasurement with { PeakWorkingSetBytes = peak, ProgramBytes = program, UnsettledMethods = id },
            };
        }
    }

    [Theory]
    [InlineData(4, 2, false)]
    [InlineData(2, 3, true)]
    public void Planned_runs_are_those_that_the_last_row_tells(int first, int last, bool isMissing)
    {
        var result = Synthetic.Analyze(
            [new SyntheticTrace().Run(1, 1000, 3000).Run(2, 5000, 6000)],
            [Synthetic.Row(1, 1000, 3000, planned: first), Synthetic.Row(2, 5000, 6000, planned: last)]
        );

        Assert.Equal(isMissing, result.Findings.Any(finding => finding.Code == "runs-planned"));
    }

    [Fact]
    public void A_self_measurement_of_another_clock_delimits_nothing()
    {
        var result = Synthetic.Analyze(
            [new SyntheticTrace().Run(1, 1000, 3000)],
            [Synthetic.Row(1, 1000, 3000), Synthetic.Row(2, 5000, 6000, ticksPerSecond: 10_000_000)]
        );

        Assert.Single(result.Runs);
        Assert.Equal([2], result.Processes[0].MissingRunIds);
    }

    [Fact]
    public void A_run_csv_alone_gives_runs_with_what_it_knows()
    {
        var run = Assert.Single(Synthetic.Analyze([], [Synthetic.Row(1, 1000, 3000)]).Runs);

        Assert.Equal((2.0, 4000.0, 500L), (run.WallMs, run.AllocatedBytes, run.DataBytes));
        Assert.Equal(new GcCounts(0, 0, 0), run.Gcs);
        Assert.Null(run.PauseTotalMs);
        Assert.Null(run.JitMethods);
        Assert.Null(run.Exceptions);
    }

    [Fact]
    public void A_second_clock_in_the_process_may_count_from_one_again()
    {
        var result = Synthetic.Analyze(new SyntheticTrace().Run(1, 1000, 3000).Run(1, 5000, 6000));

        Assert.Equal((2, 2, 2), (result.Runs.Count, result.RunsExpected, result.RunsFound));
    }

    [Fact]
    public void A_run_that_never_ended_is_missing_not_endless()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Add(5000, SyntheticTrace.Marker, (hub, at) => hub.Publish(new MarkerWaiting(at, 2)))
            .Add(5005, SyntheticTrace.Marker, (hub, at) => hub.Publish(new WaitStarted { At = at }))
            .Add(5010, SyntheticTrace.Main, (hub, at) => hub.Publish(new Traces.Events.RunStarted(at, 2, SyntheticTrace.Identity())));
        var result = Synthetic.Analyze(trace);

        Assert.Single(result.Runs);
        Assert.Equal([2], result.Processes[0].MissingRunIds);
    }

    [Fact]
    public void A_program_without_marks_is_one_run()
    {
        var trace = new SyntheticTrace().Pause(1000, 3000).Gc(1500, 0);
        var result = Synthetic.Analyze(trace);

        var run = Assert.Single(result.Runs);
        Assert.Equal((RunDelimiter.WholeProcess, "program", "Run"), (run.Delimiter, run.Identity.Serializer, run.Identity.Operation));
        Assert.Equal(new GcCounts(1, 0, 0), run.Gcs);
        Assert.Equal(2.0, run.PauseTotalMs!.Value, 6);
        Assert.Null(CpuMeasures.OwnThread.ValueOf(run));
        Assert.Null(result.RunsExpected);
        Assert.Equal(["gc-pause"], Synthetic.Codes(result));
    }

    [Fact]
    public void Passes_over_the_trace_do_not_grow_with_runs()
    {
        var trace = new SyntheticTrace();
        for (var i = 0; i < 50; i++)
            trace.Run(i + 1, 1000 * (i + 1), (1000 * (i + 1)) + 300);
        Synthetic.Analyze(trace);

        Assert.Equal(2, trace.Reads); // marks with the marker's waits and switches, costs
    }

    /// <summary>The events that one of two files holds.</summary>
    private sealed class Part(SyntheticTrace trace, EventKinds kinds) : ITraceSource
    {
        public string Name => "part";

        public TraceClock Clock => trace.Clock;

        public int ProcessId => trace.ProcessId;

        public EventKinds Kinds => kinds;

        public EventDetails Details => EventDetails.None;

        public TraceReadResult Read(EventHub hub) => trace.Read(hub);
    }
}
