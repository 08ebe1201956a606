using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Findings.Rules;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Tests.Findings;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>Runs in which a dump of their process was written: run N of <see cref="RuleInput.Run"/> begins at N × 10 s.</summary>
public sealed class DumpedRunTests
{
    private const long Second = 1_000_000_000;

    [Theory]
    [InlineData(20.000, 20.001, 20.003, true, 3.0)] // held from its begin
    [InlineData(20.000, 20.001, 20.003, false, 2.0)] // the program continued until writing began
    [InlineData(19.990, 19.995, 20.004, true, 4.0)]
    [InlineData(20.008, 20.008, 20.500, true, 2.0)]
    [InlineData(19.000, 19.500, 21.000, true, 10.0)]
    [InlineData(20.010, 20.011, 20.020, true, null)]
    [InlineData(15.000, 15.100, 16.000, true, null)]
    public void A_run_stands_still_for_the_part_of_the_dump_that_lies_in_it(
        double moment,
        double start,
        double stop,
        bool held,
        double? expected
    )
    {
        var runs = DumpPauses.Mark(
            [RuleInput.Run(1, 10), RuleInput.Run(2, 10), RuleInput.Run(3, 10)],
            [With(Dump(moment, start, stop, held))]
        );

        Assert.Equal([null, expected, null], runs.Select(run => run.DumpMs));
    }

    [Fact]
    public void Dumps_of_other_processes_and_recordings_stop_no_run()
    {
        Assert.Null(DumpPauses.Mark([RuleInput.Run(2, 10)], [With(Dump(20, 20, 20.005) with { ProcessId = 101 })])[0].DumpMs);
        Assert.Null(DumpPauses.Mark([RuleInput.Run(2, 10)], [With(Dump(20, 20, 20.005)) with { Label = "mono" }])[0].DumpMs);
        Assert.Null(DumpPauses.Mark([RuleInput.Run(2, 10)], null)[0].DumpMs);
    }

    [Fact]
    public void They_are_in_no_number_of_their_row_and_a_finding_names_them()
    {
        var input = Of(With(Dump(20, 20, 20.400)), RuleInput.Run(1, 10), RuleInput.Run(2, 410), RuleInput.Run(3, 12));

        var row = Assert.Single(input.Result.Rows);
        Assert.Equal(
            (2, 1, 0, 11.0, 12.0, 22.0),
            (row.Runs, row.DumpedRuns, row.FailedRuns, row.WallMedianMs, row.WallMaxMs, row.WallTotalMs)
        );
        var finding = RuleInput.Only(new DumpedRunsRule(), input);
        Assert.Contains("run 2 of process 100 for 400.0 ms of its 410.0 ms", finding.Text, StringComparison.Ordinal);
        Assert.Contains("the row's numbers exclude these runs", finding.Advice, StringComparison.Ordinal);
        Assert.Equal(2, Assert.Single(finding.Locations).RunId);
        Assert.Contains(FindingRules.Check(input), found => found.Code == "runs-dumped");
    }

    [Fact]
    public void A_row_without_other_runs_has_their_numbers_and_says_so()
    {
        var input = Of(With(Dump(20, 20, 20.400)), RuleInput.Run(2, 410), RuleInput.Run(3, 12) with { Error = "failed" });

        var row = Assert.Single(input.Result.Rows);
        Assert.Equal((1, 0, 1, 410.0), (row.Runs, row.DumpedRuns, row.FailedRuns, row.WallMedianMs));
        Assert.Contains("its times include the dump", RuleInput.Only(new DumpedRunsRule(), input).Advice, StringComparison.Ordinal);
        Assert.Empty(new DumpedRunsRule().Check(RuleInput.Of(RuleInput.Run(1, 10))));
    }

    [Fact]
    public void A_comparison_leaves_them_out()
    {
        var run = RuleInput.Run(2, 410);
        var recording = new ComparedRecording(
            "base",
            new TraceInput(["base"], [], [], false, [], []),
            new AnalysisResult
            {
                Processes = [],
                Runs = [run],
                Rows = [],
                FirstUseRows = [],
                Damages = [],
            }
        );
        var disturbance = new Disturbance([recording]);

        Assert.False(disturbance.IsDisturbed(recording, run));
        Assert.True(disturbance.IsDisturbed(recording, run with { DumpMs = 400 }));
    }

    [Fact]
    public void Each_dump_has_the_run_that_it_stopped_the_longest()
    {
        var recording = With(Dump(19.5, 19.9, 20.008), Dump(40, 40, 40.1));
        var runs = DumpPauses.Mark([RuleInput.Run(2, 10), RuleInput.Run(3, 10)], [recording]);

        var rows = DumpRow.Of(runs, [recording]);

        Assert.Equal([2, null], rows.Select(row => row.Run?.RunId));
    }

    private static FindingInput Of(InputRecording recording, params Run[] runs) => RuleInput.Of([.. DumpPauses.Mark(runs, [recording])]);

    private static InputRecording With(params RecordedDump[] dumps) =>
        RuleInput.Recording() is var recording ? recording with { Description = recording.Description with { Dumps = dumps } } : recording;

    private static RecordedDump Dump(double moment, double start, double stop, bool held = true) =>
        new("dumps/100-1.dmp", 100, "A.B", "heap", Ticks(moment), Ticks(start), Ticks(stop), Second, 1) { Held = held };

    private static long Ticks(double seconds) => (long)Math.Round(seconds * Second);
}
