using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Analysis.Tests;

public sealed class RowTests
{
    [Fact]
    public void A_row_sums_its_runs()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Run(2, 5000, 8000)
            .Run(3, 10_000, 14_000)
            .Gc(1100, 0)
            .Gc(5100, 2)
            .Pause(1100, 1200)
            .Pause(5100, 5400)
            .JitStart(6000, 1)
            .MethodLoad(6100, 1);
        var row = Assert.Single(Synthetic.Analyze(trace).Rows);

        Assert.Equal((3, 3.002, 2.002), (row.Runs, Math.Round(row.WallMedianMs!.Value, 6), Math.Round(row.WallMinMs!.Value, 6)));
        Assert.Equal(2 / 3.002 * 100, row.SpreadPercent!.Value, 6);
        Assert.Equal(1.0, row.WallIqrMs!.Value, 6);
        Assert.Equal(new GcCounts(1, 0, 1), row.Gcs);
        Assert.Equal((0.4, 0.3), (Math.Round(row.PauseTotalMs!.Value, 6), Math.Round(GcMeasures.MaxPause.ValueOf(row)!.Value, 6)));
        Assert.Equal(0.4 / 9.006 * 100, row.PausePercent!.Value, 6);
        Assert.Equal((12_000.0, 4.0), (row.AllocatedBytes, row.AllocatedBytesPerObject));
        Assert.Equal((1, 0.1), (row.JitMethods, Math.Round(row.JitMs!.Value, 6)));
        Assert.Equal(500, row.DataBytes);
    }

    [Fact]
    public void A_value_that_one_run_lacks_is_null_for_the_row()
    {
        var trace = new SyntheticTrace { Damage = new TraceDamage("x", 1, 2, "cut") }.Run(1, 1000, 3000);
        var row = Assert.Single(Synthetic.Analyze([trace], [Synthetic.Row(1, 1000, 3000), Synthetic.Row(2, 50_000, 52_000)]).Rows);

        Assert.Equal(2, row.Runs);
        Assert.Null(row.PauseTotalMs);
        Assert.Null(GcMeasures.MaxPause.ValueOf(row));
        Assert.Null(row.JitMethods);
        Assert.NotNull(row.AllocatedBytes);
    }

    [Fact]
    public void Rows_part_by_test_and_kind_and_are_sorted_by_operation_objects_and_median()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 4000, identity: SyntheticTrace.Identity("Slow"))
            .Run(2, 10_000, 11_000, identity: SyntheticTrace.Identity("Fast"))
            .Run(3, 20_000, 21_000, identity: SyntheticTrace.Identity("Fast", objects: 10))
            .Run(4, 30_000, 31_000, identity: SyntheticTrace.Identity("Fast", operation: RunOperation.Deserialize))
            .Run(5, 300, 700, identity: SyntheticTrace.Identity("Fast", kind: RunKind.WarmUp))
            .Run(6, 50_000, 51_000, identity: SyntheticTrace.Identity("Fast", payload: 100, threads: 4))
            .Run(7, 60_000, 61_000, identity: SyntheticTrace.Identity("Fast", kind: RunKind.FirstCall));
        trace.Run(8, 70_000, 71_000, identity: SyntheticTrace.Identity("Fast", kind: RunKind.WarmUp)); // no first use
        var result = Synthetic.Analyze(trace);

        Assert.Equal(
            [
                "Fast Deserialize N=1000",
                "Fast Serialize N=10",
                "Fast Serialize N=1000",
                "Slow Serialize N=1000",
                "Fast Serialize +100 B x4 N=1000",
            ],
            result.Rows.Select(row => row.Key.ToString())
        );
        Assert.Equal([RunKind.WarmUp, RunKind.FirstCall], result.FirstUseRows.Select(row => row.Key.Kind));
        Assert.Equal([5, 7], result.FirstUseRows.SelectMany(row => row.AllRuns).Select(run => run.RunId));
    }

    [Fact]
    public void A_row_whose_runs_all_failed_has_no_numbers()
    {
        var row = Assert.Single(
            Synthetic.Analyze(new SyntheticTrace().Run(1, 1000, 3000, measurement: SyntheticTrace.Measurement(1000, 3000, error: "x"))).Rows
        );

        Assert.Equal((0, 1), (row.Runs, row.FailedRuns));
        Assert.Null(row.WallMedianMs);
        Assert.Null(row.AllocatedBytes);
        Assert.Null(row.Gcs);
        Assert.Null(row.DataBytes);
    }

    [Fact]
    public void One_run_spreads_by_nothing_measured() =>
        Assert.Null(Assert.Single(Synthetic.Analyze(new SyntheticTrace().Run(1, 1000, 3000)).Rows).SpreadPercent);

    [Theory]
    [InlineData(new double[] { 3, 1, 2 }, 2)]
    [InlineData(new double[] { 4, 1, 2, 3 }, 2.5)]
    [InlineData(new double[] { 7 }, 7)]
    public void The_median_is_the_middle(double[] values, double median) => Assert.Equal(median, Statistics.Median(values));

    [Fact]
    public void Quantiles_lie_between_neighbours()
    {
        Assert.Equal(1.75, Statistics.Quantile([4, 3, 2, 1], 0.25));
        Assert.Null(Statistics.Median([]));
    }
}
