using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Tests.Comparison;

public sealed class MetricComparisonTests
{
    private static readonly ComparisonOptions s_options = new();

    [Fact]
    public void Bytes_that_hardly_differ_are_the_same_though_they_never_vary()
    {
        var compared = MetricComparison.Of(
            Metric.Allocation,
            Side(run => run with { AllocatedBytes = 1_000_000 }),
            Side(run => run with { AllocatedBytes = 1_000_100 }),
            s_options
        );

        Assert.Equal(Verdict.Same, compared.Verdict);
        Assert.Equal(1.0001, compared.Ratio!.Value, 6);
    }

    [Fact]
    public void One_percent_more_bytes_is_more()
    {
        var compared = MetricComparison.Of(
            Metric.Allocation,
            Side(run => run with { AllocatedBytes = 1_000_000 + run.RunId }),
            Side(run => run with { AllocatedBytes = 1_010_000 + run.RunId }),
            s_options
        );

        Assert.Equal(Verdict.Worse, compared.Verdict);
        Assert.Equal(0.01, compared.Relative!.Value, 4);
    }

    [Fact]
    public void Pauses_are_compared_in_ms_and_judged_against_the_wall_time()
    {
        var none = MetricComparison.Of(
            Metric.Pause,
            Side(run => run with { PauseTotalMs = 0 }),
            Side(run => run with { PauseTotalMs = 0 }),
            s_options
        );
        var some = MetricComparison.Of(
            Metric.Pause,
            Side(run => run with { PauseTotalMs = 0 }),
            Side(run => run with { PauseTotalMs = 12 + (run.RunId * 0.01) }),
            s_options
        );

        Assert.Equal(Verdict.Same, none.Verdict);
        Assert.Null(none.Ratio);
        Assert.Equal(Verdict.Worse, some.Verdict);
        Assert.Null(some.Ratio);
        Assert.Equal(12.0, some.Difference!.Value, 0);
        Assert.Equal(0.12, some.Relative!.Value, 2); // of 100 ms
    }

    [Fact]
    public void What_one_run_lacks_is_not_recorded()
    {
        var compared = MetricComparison.Of(
            Metric.Cpu,
            Side(run => run with { CpuMs = 1 }),
            Side(run => run with { CpuMs = run.RunId == 3 ? null : 1 }),
            s_options
        );

        Assert.Equal(Verdict.NotRecorded, compared.Verdict);
        Assert.Null(compared.Baseline);
    }

    [Fact]
    public void Without_a_run_nothing_is_judged()
    {
        var compared = MetricComparison.Of(Metric.Wall, Side(run => run), new SideRuns([], 0, 15), s_options);

        Assert.Equal(Verdict.TooFewRuns, compared.Verdict);
        Assert.Null(compared.NeededRuns);
    }

    [Fact]
    public void One_run_on_each_side_shows_nothing_however_alike_they_are()
    {
        var one = new SideRuns(
            [
                [Simulation.Run(1, 1, 100)],
            ],
            0,
            0
        );

        var compared = MetricComparison.Of(Metric.Wall, one, one, s_options);

        Assert.Equal(Verdict.TooFewRuns, compared.Verdict);
        Assert.Null(compared.Noise);
    }

    [Fact]
    public void Normalizing_scales_times_and_no_bytes()
    {
        var side = Side(run => run with { AllocatedBytes = 1000 });

        Assert.Equal(2, MetricComparison.Of(Metric.Wall, side, side, s_options, otherFactor: 2).Ratio!.Value, 6);
        Assert.Equal(1, MetricComparison.Of(Metric.Allocation, side, side, s_options, otherFactor: 2).Ratio!.Value, 6);
    }

    private static SideRuns Side(Func<Run, Run> change) =>
        new(
            [
                [.. Enumerable.Range(1, 15).Select(run => change(Simulation.Run(1, run, 100 + (run * 0.1))))],
            ],
            0,
            0
        );
}
