using EtwSerializerProfiler.Analysis.Timelines;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>The timeline of a made-up trace.</summary>
public sealed class TimelineTests
{
    [Fact]
    public void Runs_and_pauses_have_the_times_of_the_tables()
    {
        var trace = new SyntheticTrace().Run(1, 1000, 3000).Run(2, 5000, 9000).Pause(6000, 6500).Gc(6100, 1).Pause(7000, 7250);
        var (result, timeline) = Read(trace);

        Assert.Equal(result.Runs.Select(run => run.StartMs), timeline.Runs.Select(run => run.StartMs));
        Assert.Equal(
            [(6.0, 0.5, (int?)1), (7.0, 0.25, null)],
            timeline.Pauses!.Select(pause => (pause.StartMs, pause.Ms, pause.Generation))
        );
        Assert.Equal(result.Runs[0].StartMs, timeline.StartMs);
        Assert.Equal(result.Runs[^1].StopMs, timeline.StopMs, 6);
    }

    [Fact]
    public void Processor_time_preemption_and_compilation_add_up_in_their_buckets()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 9000)
            .SwitchIn(1500, 1)
            .SwitchOut(3000, 1, preempted: true)
            .SwitchIn(3500, 1)
            .SwitchOut(5000, 1)
            .SwitchIn(2000, 77)
            .SwitchOut(6000, 77)
            .JitStart(2000, 1)
            .JitStart(2200, 2)
            .MethodLoad(2400, 2)
            .MethodLoad(2600, 1);
        var timeline = Read(trace).Timeline;

        Assert.Equal(3.0, timeline.OnCpu!.Sum() * timeline.BucketMs, 2);
        Assert.Equal(0.5, timeline.Preempted!.Sum() * timeline.BucketMs, 2);
        Assert.Equal(0.6, timeline.Jit!.Sum() * timeline.BucketMs, 2);
        Assert.Equal(TimelineReading.Buckets, timeline.OnCpu!.Count);
        Assert.All(timeline.OnCpu, share => Assert.InRange(share, 0, 1.0001));
        Assert.Equal(1, timeline.OnCpu[(int)((2.0 - timeline.StartMs) / timeline.BucketMs)], 6);
        Assert.Equal(0, timeline.OnCpu[(int)((3.2 - timeline.StartMs) / timeline.BucketMs)], 6);
    }

    [Fact]
    public void Without_switches_the_measuring_threads_clock_is_used()
    {
        var trace = new SyntheticTrace { Kinds = EventKinds.All & ~EventKinds.ContextSwitches }
            .Run(1, 1000, 9000)
            .ReadClock(1500, 1, 0)
            .ReadClock(3000, 1, 1200, 300)
            .ReadClock(5000, 1, 1700, 300)
            .ReadClock(2000, 77, 0)
            .ReadClock(6000, 77, 4000);
        var timeline = Read(trace).Timeline;

        Assert.Equal(1.7, timeline.OnCpu!.Sum() * timeline.BucketMs, 2);
        Assert.Equal(0.3, timeline.Preempted!.Sum() * timeline.BucketMs, 2);
        Assert.Equal(0, timeline.OnCpu![(int)((4.0 - timeline.StartMs) / timeline.BucketMs)], 6); // it ran just before the reading
    }

    [Fact]
    public void What_was_not_recorded_is_null()
    {
        var timeline = Read(new SyntheticTrace { Kinds = EventKinds.RunMarks }.Run(1, 1000, 3000)).Timeline;

        Assert.Null(timeline.Pauses);
        Assert.Null(timeline.OnCpu);
        Assert.Null(timeline.Preempted);
        Assert.Null(timeline.Jit);
    }

    /// <summary>The timeline shares the passes of the analysis.</summary>
    [Fact]
    public void No_pass_is_made_for_it()
    {
        var (with, without) = (new SyntheticTrace().Run(1, 1000, 3000), new SyntheticTrace().Run(1, 1000, 3000));
        Read(with);
        RunAnalysis.Run([new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [without], [])], []);

        Assert.Equal(without.Reads, with.Reads);
    }

    private static (AnalysisResult Result, Timeline Timeline) Read(SyntheticTrace trace)
    {
        var reading = new TimelineReading();
        var result = RunAnalysis.Run([new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [trace], [])], [], reader: reading);
        return (result, Assert.Single(reading.Result(result.Runs)));
    }
}
