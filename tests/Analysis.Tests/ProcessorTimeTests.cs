using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>Processor time, waiting and samples of runs, against hand-made sums. The window of run 1 is 999 to 3001 µs, 2.002 ms.</summary>
public sealed class ProcessorTimeTests
{
    private const int Main = SyntheticTrace.Main;
    private const ulong Libc = 0x7000_0000;
    private const ulong Code = 0x1000;

    [Fact]
    public void Samples_of_the_sample_profiler_without_clocks_are_not_CPU_time()
    {
        var trace = new SyntheticTrace
        {
            Kinds = EventKinds.All & ~(EventKinds.ContextSwitches | EventKinds.ThreadClocks),
            Details = EventDetails.Stacks | EventDetails.ManagedSamples,
        }.Run(1, 1000, 3000);
        var run = Synthetic.OnlyRun(
            trace.Code(1, Code, "T", "A", 1).ManagedSample(1100, Main, Code + 8).ManagedSample(2100, Main, Code + 8)
        );

        Assert.Null(run.CpuMs);
        Assert.Equal((2, 2.0, 0), (run.Samples!.Count, run.Samples.CpuMs, run.Samples.BrokenStacks));
        Assert.NotNull(run.Causes);
    }

    private static SyntheticTrace OneRun() => new SyntheticTrace().Run(1, 1000, 3000).SwitchIn(100, Main);

    private static SyntheticTrace OfOrdinaryUser() =>
        new SyntheticTrace { Kinds = EventKinds.All & ~EventKinds.ReadyThreads, Details = EventDetails.Stacks }
            .Run(1, 1000, 3000)
            .SwitchIn(100, Main);

    [Fact]
    public void A_run_without_a_switch_ran_all_the_time() =>
        Check(Synthetic.OnlyRun(OneRun()), onCpu: 2.002, wait: 0, ready: 0, waits: 0, preempted: 0);

    [Fact]
    public void A_wait_ends_with_its_ready_event_and_ready_time_with_the_switch_in() =>
        Check(
            Synthetic.OnlyRun(OneRun().SwitchOut(1100, Main).Readied(1400, Main).SwitchIn(1450, Main)),
            onCpu: 1.652,
            wait: 0.3,
            ready: 0.05,
            waits: 1,
            preempted: 0
        );

    [Fact]
    public void A_second_ready_event_of_one_wait_changes_nothing() =>
        Check(
            Synthetic.OnlyRun(OneRun().SwitchOut(1100, Main).Readied(1400, Main).Readied(1430, Main).SwitchIn(1450, Main)),
            onCpu: 1.652,
            wait: 0.3,
            ready: 0.05,
            waits: 1,
            preempted: 0
        );

    [Fact]
    public void A_preempted_thread_is_ready_until_it_runs_again() =>
        Check(
            Synthetic.OnlyRun(OneRun().SwitchOut(1100, Main, preempted: true).SwitchIn(1450, Main)),
            onCpu: 1.652,
            wait: 0,
            ready: 0.35,
            waits: 0,
            preempted: 1
        );

    [Fact]
    public void A_ready_event_on_the_way_out_ends_the_wait_before_it_begins() =>
        Check(
            Synthetic.OnlyRun(OneRun().Readied(1099, Main).SwitchOut(1100, Main).SwitchIn(1450, Main)),
            onCpu: 1.652,
            wait: 0,
            ready: 0.35,
            waits: 1,
            preempted: 0
        );

    [Fact]
    public void A_ready_event_that_kept_the_thread_running_does_not_end_a_later_wait() =>
        Check(
            Synthetic.OnlyRun(OneRun().Readied(1050, Main).SwitchOut(1100, Main).Readied(1400, Main).SwitchIn(1450, Main)),
            onCpu: 1.652,
            wait: 0.3,
            ready: 0.05,
            waits: 1,
            preempted: 0
        );

    [Fact]
    public void What_reaches_over_the_edges_is_clipped_to_the_window()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .SwitchIn(100, Main)
            .SwitchOut(500, Main)
            .Readied(1199, Main)
            .SwitchIn(1299, Main)
            .SwitchOut(2901, Main)
            .Readied(5000, Main)
            .SwitchIn(5001, Main);

        Check(Synthetic.OnlyRun(trace), onCpu: 1.602, wait: 0.3, ready: 0.1, waits: 1, preempted: 0);
    }

    [Fact]
    public void A_wait_in_pieces_adds_up()
    {
        // Mono's suspend signals wake a waiting thread, which then waits again.
        var trace = OneRun().SwitchOut(1100, Main);
        for (var piece = 0; piece < 10; piece++)
            trace.Readied(1190 + (100 * piece), Main).SwitchIn(1195 + (100 * piece), Main).SwitchOut(1200 + (100 * piece), Main);

        Check(
            Synthetic.OnlyRun(trace.Readied(2500, Main).SwitchIn(2505, Main)),
            onCpu: 0.647,
            wait: 1.3,
            ready: 0.055,
            waits: 11,
            preempted: 0
        );
    }

    [Fact]
    public void Without_ready_events_a_wait_lasts_until_the_switch_in_and_the_run_says_so()
    {
        var run = Synthetic.OnlyRun(
            OfOrdinaryUser()
                .SwitchOut(1100, Main)
                .Readied(1400, Main)
                .SwitchIn(1450, Main)
                .SwitchOut(1500, Main, preempted: true)
                .SwitchIn(1600, Main)
        );

        Check(run, onCpu: 1.552, wait: 0.35, ready: 0.1, waits: 1, preempted: 1, ReadySource.Preemption);
    }

    [Fact]
    public void Other_threads_count_for_the_process_only()
    {
        var run = Synthetic.OnlyRun(
            OneRun().SwitchOut(1100, Main).SwitchIn(1200, 9).SwitchOut(1300, 9).Readied(1300, Main).SwitchIn(1300, Main)
        );

        Check(run, onCpu: 1.802, wait: 0.2, ready: 0, waits: 1, preempted: 0);
        Assert.Equal(1.902, run.CpuMs!.Value, 6);
    }

    [Fact]
    public void Each_run_has_the_thread_that_measured_it()
    {
        var trace = new SyntheticTrace()
            .SwitchIn(100, Main)
            .SwitchIn(100, 7)
            .SwitchOut(900, 7)
            .Run(1, 1000, 3000)
            .Run(2, 5000, 6000)
            .SwitchOut(1100, Main)
            .SwitchIn(1500, 7);
        var runs = Synthetic.Analyze(trace).Runs;

        Check(runs[0], onCpu: 0.101, wait: 1.901, ready: 0, waits: 1, preempted: 0);
        Check(runs[1], onCpu: 0, wait: 1.002, ready: 0, waits: 0, preempted: 0);
    }

    [Theory]
    [InlineData(false)] // a lost switch-out
    [InlineData(true)] // a lost switch-in
    public void Around_a_lost_switch_nothing_is_claimed(bool isOut)
    {
        var trace = isOut ? OneRun().SwitchOut(1100, Main).SwitchOut(1500, Main).SwitchIn(1600, Main) : OneRun().SwitchIn(1500, Main);

        Assert.Null(Synthetic.OnlyRun(trace).Measuring);
    }

    [Fact]
    public void Before_the_first_switch_of_the_thread_nothing_is_claimed()
    {
        var trace = new SyntheticTrace().Run(1, 1000, 3000).SwitchOut(1500, Main).SwitchIn(1600, Main);

        Assert.Null(Synthetic.OnlyRun(trace).Measuring);
    }

    [Fact]
    public void A_thread_that_ends_or_runs_to_the_end_of_the_trace_leaves_its_processor_then()
    {
        var trace = new SyntheticTrace().Run(1, 1000, 3000).SwitchIn(1000, 8).ThreadEnd(1200, 8).SwitchOut(1300, 8).SwitchIn(2001, 9);

        Assert.Equal(0.2 + 1.0, Synthetic.OnlyRun(trace).CpuMs!.Value, 6);
    }

    [Fact]
    public void Time_of_the_runtimes_own_threads_is_part_of_the_process()
    {
        var trace = OneRun()
            .Named(1, 5, ".NET Server GC")
            .Named(1, 6, ".NET BGC")
            .Named(1, 7, ".NET Tiered Com")
            .Named(1, 8, ".NET Finalizer")
            .Named(1, 9, "worker");
        for (var thread = 5; thread <= 9; thread++)
            trace.SwitchIn(1100, thread).SwitchOut(1100 + (thread * 10), thread);
        var run = Synthetic.OnlyRun(trace.SwitchIn(1500, 7).SwitchOut(1600, 7));

        Assert.Equal(
            (0.11, 0.17),
            (Math.Round(CpuMeasures.GcThreads.ValueOf(run)!.Value, 6), Math.Round(CpuMeasures.JitThreads.ValueOf(run)!.Value, 6))
        );
        Assert.Equal(2.002 + 0.35 + 0.1, run.CpuMs!.Value, 6);
    }

    [Fact]
    public void Samples_of_the_window_are_counted_with_their_mode_and_whole_stacks()
    {
        var run = Synthetic.OnlyRun(
            OneRun()
                .Map(1, Libc, "/lib/libc.so.6")
                .Sample(900, Main, 0, Code, Libc)
                .Sample(1100, Main, 0, Code, Libc + 16)
                .Sample(1200, 9, 0, Code)
                .Sample(1300, Main, 1, 0xffffffff81000000, Code, Libc + 16)
                .Sample(1400, Main, 0, Code, Code)
        );

        Assert.Equal(new RunSamples(4, 4, 1, 2), run.Samples);
        Assert.Equal((25.0, 50.0), (run.Samples!.KernelPercent, run.Samples.BrokenStackPercent));

        // Thread 9 has a sample and no switch: it was never switched out.
        Assert.Equal(2.002 + 2.002 - 4, SampleMeasures.Unsampled.ValueOf(run)!.Value, 6);
    }

    [Fact]
    public void An_ordinary_users_samples_do_not_tell_the_kernels_share()
    {
        var run = Synthetic.OnlyRun(OfOrdinaryUser().Sample(1100, Main, 0, Code, Libc));

        Assert.Null(run.Samples!.KernelCount);
        Assert.Null(run.Samples.KernelPercent);
        Assert.Equal(1.002, SampleMeasures.Unsampled.ValueOf(run)!.Value, 6);
    }

    [Fact]
    public void What_was_not_recorded_is_null()
    {
        var run = Synthetic.OnlyRun(new SyntheticTrace { Kinds = EventKinds.RunMarks | EventKinds.Waits }.Run(1, 1000, 3000));

        Assert.Null(run.Measuring);
        Assert.Null(run.Samples);
        Assert.Null(CpuMeasures.GcThreads.ValueOf(run));
        Assert.Null(CpuMeasures.JitThreads.ValueOf(run));
        Assert.Null(SampleMeasures.Unsampled.ValueOf(run));
    }

    [Fact]
    public void A_row_adds_its_runs_up_and_takes_shares_of_all_their_samples()
    {
        var trace = OneRun()
            .Run(2, 5000, 6000)
            .SwitchOut(1100, Main)
            .Readied(1400, Main)
            .SwitchIn(1450, Main)
            .SwitchOut(5100, Main, preempted: true)
            .SwitchIn(5200, Main)
            .Sample(1500, Main, 1, 0xffffffff81000000)
            .Sample(5300, Main, 0, Code)
            .Sample(5400, Main, 0, Code)
            .Sample(5500, Main, 0, Code);
        var row = Assert.Single(Synthetic.Analyze(trace).Rows);

        var (wait, ready) = (SchedulingMeasures.Wait.ValueOf(row)!.Value, SchedulingMeasures.Ready.ValueOf(row)!.Value);
        Assert.Equal(row.WallTotalMs!.Value, SchedulingMeasures.OnCpu.ValueOf(row)!.Value + wait + ready, 6);
        Assert.Equal(
            (0.3, 0.15, 1L, 1L),
            (Math.Round(wait, 6), Math.Round(ready, 6), SchedulingMeasures.Waits.ValueOf(row), SchedulingMeasures.Preemptions.ValueOf(row))
        );
        Assert.Equal((4L, 25.0, 75.0), (row.Samples!.Count, row.Samples.KernelPercent, row.Samples.BrokenStackPercent));
    }

    [Fact]
    public void By_its_clocks_a_thread_ran_just_before_a_reading_was_ready_before_that_and_waited_before_that() =>
        CheckClocks(
            Synthetic.OnlyRun(
                ByClocks()
                    .ReadClock(900, Main, 0)
                    .ReadClock(1000, Main, 100)
                    .ReadClock(2000, Main, 500, 100)
                    .ReadClock(4000, Main, 2500, 100)
            ),
            onCpu: 1.402,
            wait: 0.5,
            ready: 0.1
        );

    [Fact]
    public void A_thread_whose_clock_does_not_move_any_more_waits() =>
        CheckClocks(
            Synthetic.OnlyRun(ByClocks().ReadClock(900, Main, 0).ReadClock(1500, Main, 600).Sample(5000, 3, 0, Code)),
            onCpu: 0.501,
            wait: 1.501,
            ready: 0
        );

    [Fact]
    public void Before_the_first_reading_of_a_threads_clock_it_is_not_known_what_it_did() =>
        Assert.Null(Synthetic.OnlyRun(ByClocks().ReadClock(1500, Main, 500).ReadClock(4000, Main, 3000)).Measuring);

    [Fact]
    public void Clocks_that_start_anew_count_from_there() =>
        CheckClocks(
            Synthetic.OnlyRun(ByClocks().ReadClock(900, Main, 700_000).ReadClock(1500, Main, 0).ReadClock(3500, Main, 2000)),
            onCpu: 1.501,
            wait: 0,
            ready: 0,
            known: false
        );

    [Fact]
    public void The_process_has_the_CPU_time_of_all_its_threads_by_their_clocks()
    {
        var run = Synthetic.OnlyRun(
            ByClocks()
                .Named(500, 3, ".NET Server GC")
                .ReadClock(900, Main, 0)
                .ReadClock(900, 3, 0)
                .ReadClock(1900, 3, 400)
                .ReadClock(4000, Main, 3100)
        );

        Assert.Equal((2.402, 0.4), (Math.Round(run.CpuMs!.Value, 6), Math.Round(CpuMeasures.GcThreads.ValueOf(run)!.Value, 6)));
    }

    [Fact]
    public void Clocks_without_ready_time_give_CPU_time_and_leave_the_rest_undivided()
    {
        var trace = ByClocks(EventDetails.All | EventDetails.NoReadyTime).ReadClock(900, Main, 0).ReadClock(1000, Main, 100);
        var run = Synthetic.OnlyRun(trace.ReadClock(4000, Main, 1500));

        Assert.Equal((0.402, 0.402), (Math.Round(run.CpuMs!.Value, 6), Math.Round(run.Values.Of(SchedulingMeasures.OnCpu)!.Value, 6)));
        Assert.Equal((null, null), (run.Values.Of(SchedulingMeasures.Wait), run.Values.Of(SchedulingMeasures.Ready)));
        Assert.Null(run.Values.Of(SchedulingMeasures.Source));
        Assert.Null(run.Measuring);
    }

    private static SyntheticTrace ByClocks(EventDetails details = EventDetails.All)
    {
        const EventKinds ByThreads = EventKinds.ContextSwitches | EventKinds.ReadyThreads;
        return new SyntheticTrace { Kinds = EventKinds.All & ~ByThreads, Details = details }.Run(1, 1000, 3000);
    }

    private static void CheckClocks(Run run, double onCpu, double wait, double ready, bool known = true)
    {
        Assert.Equal(onCpu, run.CpuMs!.Value, 6);
        Assert.Equal(known, run.Measuring is not null);
        if (run.Measuring is { } times)
            Assert.Equal(
                (onCpu, wait, ready, null, null, ReadySource.Clock),
                (
                    Math.Round(times.OnCpuMs, 6),
                    Math.Round(times.WaitMs, 6),
                    Math.Round(times.ReadyMs, 6),
                    times.VoluntarySwitches,
                    times.InvoluntarySwitches,
                    times.ReadySource
                )
            );
    }

    private static void Check(
        Run run,
        double onCpu,
        double wait,
        double ready,
        int waits,
        int preempted,
        ReadySource source = ReadySource.ReadyEvent
    )
    {
        var times = run.Measuring!;
        Assert.Equal(
            (onCpu, wait, ready, (long)waits, (long)preempted, source),
            (
                Math.Round(times.OnCpuMs, 6),
                Math.Round(times.WaitMs, 6),
                Math.Round(times.ReadyMs, 6),
                times.VoluntarySwitches,
                times.InvoluntarySwitches,
                times.ReadySource
            )
        );
        Assert.Equal(run.WallMs, times.OnCpuMs + times.WaitMs + times.ReadyMs, 6);
    }
}
