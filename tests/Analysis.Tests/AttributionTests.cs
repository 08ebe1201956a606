using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Tests;

public sealed class AttributionTests
{
    // The window of run 1 is 999 to 3001 µs.
    private static SyntheticTrace OneRun() => new SyntheticTrace().Run(1, 1000, 3000);

    private static SyntheticTrace OneRun(EventKinds kinds) =>
        new SyntheticTrace { Kinds = kinds | EventKinds.RunMarks | EventKinds.Waits }.Run(1, 1000, 3000);

    [Fact]
    public void Pauses_are_clipped_to_both_edges_of_the_window()
    {
        var run = Synthetic.OnlyRun(OneRun().Pause(900, 1099).Pause(1500, 1700).Pause(2941, 4000));

        Assert.Equal(0.1 + 0.2 + 0.06, run.PauseTotalMs!.Value, 6);
        Assert.Equal(0.2, run.PauseMaxMs!.Value, 6);
        Assert.Equal(0.36 / 2.002 * 100, run.PausePercent!.Value, 6);
    }

    [Fact]
    public void One_pause_over_two_runs_goes_to_both()
    {
        var runs = Synthetic.Analyze(OneRun().Run(2, 5000, 6000).Pause(2000, 5500)).Runs;

        Assert.Equal(1.001, runs[0].PauseTotalMs!.Value, 6);
        Assert.Equal(0.501, runs[1].PauseTotalMs!.Value, 6);
    }

    [Fact]
    public void Suspensions_for_other_reasons_are_not_pauses()
    {
        var run = Synthetic.OnlyRun(
            OneRun()
                .Pause(1100, 1200, SuspendReason.Other)
                .Pause(1300, 1400, SuspendReason.Debugger)
                .Pause(1500, 1600, SuspendReason.GcPreparation)
        );

        Assert.Equal(0.1, run.PauseTotalMs!.Value, 6);
    }

    [Fact]
    public void Pauses_that_overlap_are_counted_once()
    {
        // Thread 8 requests its suspension during thread 7's.
        var run = Synthetic.OnlyRun(OneRun().Pause(1100, 1300, thread: 7).Pause(1200, 1500, thread: 8));

        Assert.Equal(0.4, run.PauseTotalMs!.Value, 6);
        Assert.Equal(0.2, run.PauseMaxMs!.Value, 6);
    }

    [Fact]
    public void A_suspension_for_another_reason_inside_a_pause_does_not_end_it()
    {
        var run = Synthetic.OnlyRun(OneRun().Pause(1100, 1500, thread: 7).Pause(1200, 1600, SuspendReason.Other, thread: 8));

        Assert.Equal(0.4, run.PauseTotalMs!.Value, 6);
    }

    [Fact]
    public void A_background_GC_counts_once_and_its_foreground_ones_too()
    {
        var trace = OneRun()
            .Gc(1100, 2, GcKind.Background)
            .Pause(1090, 1110)
            .Pause(1800, 1850)
            .Gc(1300, 0, GcKind.Foreground)
            .Pause(1290, 1340)
            .Gc(1400, 1, GcKind.Foreground);
        var run = Synthetic.OnlyRun(trace);

        Assert.Equal(new GcCounts(1, 1, 1), run.Gcs);
        Assert.Equal(0.12, run.PauseTotalMs!.Value, 6);
    }

    [Fact]
    public void A_GC_belongs_to_the_run_it_begins_in()
    {
        var runs = Synthetic.Analyze(OneRun().Run(2, 5000, 6000).Gc(990, 2).Gc(999, 0).Gc(3000, 1).Gc(3001, 2).Gc(5100, 2)).Runs;

        Assert.Equal([new GcCounts(1, 1, 0), new GcCounts(0, 0, 1)], runs.Select(run => run.Gcs!.Value));
    }

    [Fact]
    public void Nested_compilations_count_each_method_but_their_time_once()
    {
        var trace = OneRun()
            .JitStart(1100, 1)
            .JitStart(1200, 2)
            .MethodLoad(1300, 2)
            .JitStart(1350, 3)
            .MethodLoad(1400, 3)
            .MethodLoad(1500, 1);
        var run = Synthetic.OnlyRun(trace);

        Assert.Equal(3, run.JitMethods);
        Assert.Equal(0.4, run.JitMs!.Value, 6);
    }

    [Fact]
    public void Compilations_on_all_threads_add_up()
    {
        var run = Synthetic.OnlyRun(
            OneRun().JitStart(1100, 1).JitStart(1150, 2, thread: 9).MethodLoad(1300, 1).MethodLoad(1350, 2, thread: 9)
        );

        Assert.Equal((2, 0.4), (run.JitMethods, Math.Round(run.JitMs!.Value, 6)));
    }

    [Fact]
    public void Compilations_are_clipped_and_counted_where_they_end()
    {
        var run = Synthetic.OnlyRun(OneRun().JitStart(900, 1).MethodLoad(1099, 1).JitStart(2941, 2).MethodLoad(3200, 2));

        Assert.Equal((1, 0.16), (run.JitMethods, Math.Round(run.JitMs!.Value, 6)));
    }

    [Fact]
    public void Precompiled_methods_are_not_compiled()
    {
        var run = Synthetic.OnlyRun(
            OneRun().MethodLoad(1100, 1, jitted: false).JitStart(1200, 2).MethodLoad(1250, 3, jitted: false).MethodLoad(1300, 2)
        );

        Assert.Equal((1, 0.1), (run.JitMethods, Math.Round(run.JitMs!.Value, 6)));
    }

    [Fact]
    public void A_compilation_whose_end_was_lost_does_not_swallow_the_next_ones()
    {
        var run = Synthetic.OnlyRun(OneRun().JitStart(1100, 1).JitStart(1200, 2).MethodLoad(1300, 2).JitStart(1400, 3).MethodLoad(1500, 3));

        Assert.Equal((2, 0.2), (run.JitMethods, Math.Round(run.JitMs!.Value, 6)));
    }

    [Fact]
    public void Contention_is_clipped_and_counted_where_it_begins()
    {
        var run = Synthetic.OnlyRun(
            OneRun().Contention(900, 1099, 7).Contention(1500, 1600, 8).Contention(2941, 3500, 7).Contention(1200, 1900, 9, native: true)
        );

        Assert.Equal((2, 0.26), (run.Contentions, Math.Round(run.ContentionMs!.Value, 6)));
    }

    [Fact]
    public void Time_on_a_processor_is_clipped_and_added_up_over_threads()
    {
        var trace = OneRun()
            .SwitchIn(900, SyntheticTrace.Main)
            .SwitchOut(1099, SyntheticTrace.Main)
            .SwitchIn(1200, SyntheticTrace.Main)
            .SwitchIn(1250, 9)
            .SwitchOut(1300, 9)
            .SwitchOut(1400, SyntheticTrace.Main)
            .SwitchIn(2941, SyntheticTrace.Main)
            .SwitchOut(3500, SyntheticTrace.Main);

        Assert.Equal(0.1 + 0.2 + 0.05 + 0.06, Synthetic.OnlyRun(trace).CpuMs!.Value, 6);
    }

    [Theory]
    [InlineData(0, 0.051 + 0.501 + 2.002)] // from the run's begin to 1050, from 2500 to its end, all the time
    [InlineData(1, 0)] // what was lost may have been the switches
    public void A_thread_that_runs_when_the_recording_begins_or_ends_ran_until_or_since_then(long lost, double expected)
    {
        var trace = new SyntheticTrace { Lost = lost }
            .Run(1, 1000, 3000)
            .Sample(500, 7, 0)
            .SwitchOut(1050, 5)
            .SwitchIn(2500, 6)
            .Sample(4000, 7, 0)
            .Sample(5000, 8, 0)
            .SwitchIn(5001, 8);

        Assert.Equal(expected, Synthetic.OnlyRun(trace).CpuMs!.Value, 6);
    }

    [Fact]
    public void Exceptions_outside_runs_are_nobodys()
    {
        var trace = OneRun();
        foreach (var time in (double[])[500, 1500, 1600, 3100])
            trace.Add(time, SyntheticTrace.Main, (hub, at) => hub.Publish(new ExceptionThrown { At = at }));

        Assert.Equal(2, Synthetic.OnlyRun(trace).Exceptions);
    }

    [Fact]
    public void Exact_bytes_win_and_the_events_estimate_stands_beside()
    {
        var trace = OneRun();
        for (var i = 0; i < 3; i++)
            trace.Add(1500 + i, SyntheticTrace.Main, (hub, at) => hub.Publish(new AllocationSample { At = at, ObjectBytes = 24 }));
        trace.Add(1600, SyntheticTrace.Main, (hub, at) => hub.Publish(new AllocationSample { At = at, ObjectBytes = 1_000_000 }));
        var run = Synthetic.OnlyRun(trace);

        Assert.Equal((4000.0, AllocationSource.SelfReported), (run.AllocatedBytes, run.AllocatedBytesSource));
        Assert.Equal(AllocationSource.Sampled, AllocationMeasures.SourceByEvents.ValueOf(run));
        Assert.Equal((3 * 102_412.0) + 1_000_057.3, AllocationMeasures.BytesByEvents.ValueOf(run)!.Value, 0.5);
    }

    [Fact]
    public void Ticks_are_summed_when_nothing_better_is_there()
    {
        var measurement = SyntheticTrace.Measurement(1000, 3000, allocated: -1);
        var trace = new SyntheticTrace { Kinds = EventKinds.RunMarks | EventKinds.AllocationTicks }.Run(
            1,
            1000,
            3000,
            measurement: measurement
        );
        foreach (var time in (double[])[500, 1500, 2500])
            trace.Add(time, SyntheticTrace.Main, (hub, at) => hub.Publish(new AllocationTick { At = at, Bytes = 100_000 }));
        var run = Synthetic.OnlyRun(trace);

        Assert.Equal((200_000.0, AllocationSource.Ticks), (run.AllocatedBytes, run.AllocatedBytesSource));
    }

    [Theory]
    [InlineData(24, 102_412)]
    [InlineData(102_400, 161_994.5)]
    [InlineData(10_000_000, 10_000_000)]
    [InlineData(0, 0)]
    public void A_sample_stands_for_size_over_its_probability(long size, double bytes) =>
        Assert.Equal(bytes, AllocationEstimate.OfSample(size), 0.5);

    [Fact]
    public void What_was_not_recorded_is_null_and_never_0()
    {
        var run = Synthetic.OnlyRun(OneRun(EventKinds.None));

        Assert.Null(run.PauseTotalMs);
        Assert.Null(run.PauseMaxMs);
        Assert.Null(run.JitMethods);
        Assert.Null(run.JitMs);
        Assert.Null(run.Exceptions);
        Assert.Null(run.Contentions);
        Assert.Null(run.ContentionMs);
        Assert.Null(AllocationMeasures.BytesByEvents.ValueOf(run));
        Assert.Null(run.CpuMs);
        Assert.Equal(new GcCounts(0, 0, 0), run.Gcs); // the program's own count
    }

    [Fact]
    public void Behind_a_files_damage_nothing_is_recorded()
    {
        var trace = new SyntheticTrace { Damage = new TraceDamage("x", 10, 20, "cut") }.Run(1, 1000, 3000);
        var result = Synthetic.Analyze([trace], [Synthetic.Row(1, 1000, 3000), Synthetic.Row(2, 50_000, 60_000)]);

        Assert.Equal(0, result.Runs[0].Exceptions);
        Assert.Null(result.Runs[1].Exceptions);
        Assert.Null(result.Runs[1].PauseTotalMs);
        Assert.Contains("damaged-file", Synthetic.Codes(result));
    }
}
