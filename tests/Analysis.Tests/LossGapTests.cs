namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>Losses of events with known times: runs outside of the gaps stay complete.</summary>
public sealed class LossGapTests
{
    [Fact]
    public void A_run_that_a_gap_touches_is_in_no_number_of_its_row()
    {
        var result = Synthetic.Analyze(Trace((5500, 6000)));

        Assert.Equal([null, 0.5, null], result.Runs.Select(run => run.GapMs));
        var row = Assert.Single(result.Rows);
        Assert.Equal((2, 0), (row.Runs, row.DumpedRuns));
        Assert.Equal([1, 3], row.CountedRuns.Select(run => run.RunId));
        var finding = Assert.Single(result.Findings, finding => finding.Code == "lost-events");
        Assert.StartsWith(
            "6 events lost in 1 gap of 0.5 ms together: counts and times of 1 of 3 runs may be too small, so rows leave these runs out; record fewer events",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.Equal(2, Assert.Single(finding.Locations).RunId);
    }

    [Fact]
    public void A_gap_between_runs_touches_none()
    {
        var result = Synthetic.Analyze(Trace((3500, 4500)));

        Assert.All(result.Runs, run => Assert.True(run.IsWhole));
        Assert.Contains(
            result.Findings,
            finding => finding.Code == "lost-events" && finding.Text.Contains("no run is touched", StringComparison.Ordinal)
        );
    }

    /// <summary>An interval of no length is still a loss.</summary>
    [Fact]
    public void A_row_without_other_runs_has_their_numbers_and_the_finding_says_so()
    {
        var result = Synthetic.Analyze(Trace((2000, 2000), (5500, 6000), (6500, 11000)));

        Assert.Equal([0.0, 1.0, 2.0], result.Runs.Select(run => Math.Round(run.GapMs!.Value, 1)));
        Assert.Equal(3, result.Rows[0].Runs);
        Assert.Contains(
            result.Findings,
            finding => finding.Text.Contains("1 row with no other run includes them", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Without_a_place_every_number_is_doubtful()
    {
        var result = Synthetic.Analyze(new SyntheticTrace { Lost = 6 }.Run(1, 1000, 3000));

        Assert.Null(result.Runs[0].GapMs);
        Assert.Contains(
            result.Findings,
            finding => finding.Text.StartsWith("6 events lost: counts and times may be too small", StringComparison.Ordinal)
        );
    }

    private static SyntheticTrace Trace(params (double Start, double Stop)[] gaps) =>
        new SyntheticTrace { Lost = 6, Gaps = gaps }
            .Run(1, 1000, 3000)
            .Run(2, 5000, 7000)
            .Run(3, 9000, 11000);
}
