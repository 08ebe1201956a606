using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>Circular recordings: events outside of the kept interval are not losses.</summary>
public sealed class KeptIntervalTests
{
    [Fact]
    public void Runs_before_the_interval_are_counted_and_not_missed()
    {
        // Runs 1 and 2 are in the CSV, run 2 also partly in the trace; run 3 lies in the interval.
        var trace = new SyntheticTrace().Run(2, 500_000, 510_000, wait: false).Run(3, 800_000, 810_000);
        var result = Analyze(
            Kept(600_000, 900_000),
            trace,
            Synthetic.Row(1, 100_000, 110_000, planned: 3),
            Synthetic.Row(2, 500_000, 510_000, planned: 3),
            Synthetic.Row(3, 800_000, 810_000, planned: 3)
        );

        Assert.Equal((1, 1, (2, 0)), (result.RunsExpected, result.RunsFound, result.RunsOutside));
        Assert.Equal(3, Assert.Single(result.Runs).RunId);
        Assert.Empty(Warnings(result));
        Assert.Contains("2 runs lie before the kept interval", Text(result, "runs-before"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_run_that_the_cut_goes_through_lies_before_the_interval()
    {
        // Its stop is in the trace and has its start time; the next run's announcement is before the cut and the rest after it.
        var trace = new SyntheticTrace().Run(1, 590_000, 610_000, marks: false, wait: false).Run(2, 800_000, 810_000);
        var result = Analyze(Kept(600_000, 900_000), trace);
        Assert.Equal((1, 1, (1, 0)), (result.RunsExpected, result.RunsFound, result.RunsOutside));

        result = Analyze(Kept(799_995, 900_000), new SyntheticTrace().Run(1, 800_000, 810_000).Run(2, 820_000, 830_000));
        Assert.Equal((1, 1, (1, 0)), (result.RunsExpected, result.RunsFound, result.RunsOutside));
        Assert.Empty(Warnings(result));
    }

    [Fact]
    public void All_runs_may_lie_before_it()
    {
        // The clock of the second one started in the interval, but its announcement is not in the trace: the cut may lie between the two.
        var result = Analyze(
            Kept(600_000, 900_000),
            new SyntheticTrace(),
            Synthetic.Row(1, 100_000, 110_000),
            Synthetic.Row(2, 600_050, 610_000)
        );

        Assert.Equal((0, 0, (2, 0)), (result.RunsExpected, result.RunsFound, result.RunsOutside));
        Assert.Empty(result.Runs);
        Assert.Contains("2 runs lie before", Text(result, "runs-before"), StringComparison.Ordinal);
    }

    [Fact]
    public void Runs_that_had_not_ended_at_a_snapshot_lie_after_it()
    {
        var trace = new SyntheticTrace()
            .Run(1, 610_000, 620_000)
            .Run(2, 890_000, 910_000)
            .Add(950_000, SyntheticTrace.Marker, (hub, at) => hub.Publish(new MarkerWaiting(at, 3)));
        var rows = new[] { Synthetic.Row(1, 610_000, 620_000, planned: 100), Synthetic.Row(2, 890_000, 910_000, planned: 100) };

        var result = Analyze(Kept(600_000, 900_000) with { Trigger = "SIGUSR1" }, trace, rows);
        Assert.Equal((1, 1, (0, 2)), (result.RunsExpected, result.RunsFound, result.RunsOutside));
        Assert.Empty(Warnings(result));
        Assert.Contains("2 runs lie after the kept interval", Text(result, "runs-after"), StringComparison.Ordinal);

        // Nothing follows the end of the recording: the finding says that the benchmark planned more runs and that run 3 did not end.
        var ended = Analyze(Kept(600_000, 900_000), trace, rows);
        Assert.Equal(["runs-missing", "runs-planned"], Warnings(ended).Select(finding => finding.Code));
    }

    [Fact]
    public void A_missing_run_in_the_interval_is_still_missed()
    {
        var trace = new SyntheticTrace().Run(1, 750_000, 760_000, wait: false).Run(2, 800_000, 810_000);
        var result = Analyze(Kept(600_000, 900_000), trace, Synthetic.Row(1, 750_000, 760_000), Synthetic.Row(2, 800_000, 810_000));

        Assert.Equal((2, 1), (result.RunsExpected, result.RunsFound));
        Assert.Equal("runs-missing", Assert.Single(Warnings(result)).Code);
    }

    [Fact]
    public void A_thread_on_its_processor_at_the_cut_is_charged_from_there()
    {
        var trace = new SyntheticTrace().Run(1, 800_000, 810_000).SwitchOut(804_000, SyntheticTrace.Main);
        Assert.Equal(4.001, Assert.Single(Analyze(Kept(600_000, 900_000), trace).Runs).CpuMs!.Value, 6);
    }

    [Fact]
    public void A_program_without_marks_is_one_run_of_the_intervals_length()
    {
        var trace = new SyntheticTrace().Gc(100, 0).Gc(700_000, 0).Gc(950_000, 0);
        var run = Assert.Single(Analyze(Kept(600_000, 900_000), trace).Runs);

        Assert.Equal((RunDelimiter.WholeProcess, 600_000_000L, 900_000_000L), (run.Delimiter, run.StartTicks, run.StopTicks));
        Assert.Equal(new GcCounts(1, 0, 0), run.Gcs);
    }

    /// <summary>An interval in µs.</summary>
    private static KeptInterval Kept(long start, long stop) =>
        new(2 << 20, start * 1000, stop * 1000, 1_000_000_000, KeptInterval.AtEnd, 1, 1, 1);

    private static AnalysisResult Analyze(KeptInterval kept, SyntheticTrace trace, params RunCsvRow[] rows) =>
        RunAnalysis.Run([new TracedProcess(SyntheticTrace.Process, "program", ".NET 10.0", [trace], rows) { Kept = kept }], []);

    private static IEnumerable<Finding> Warnings(AnalysisResult result) =>
        result.Findings.Where(finding => finding.Kind == FindingKind.Warning);

    private static string Text(AnalysisResult result, string code) => Assert.Single(result.Findings, finding => finding.Code == code).Text;
}
