using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Comparison.Gates;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Tests.Comparison;

public sealed class GateTests
{
    /// <summary>
    /// The example of Holm's method with four probabilities: 0.005 × 4, 0.01 × 3, 0.03 × 2, and never less than the previous one.
    /// </summary>
    [Fact]
    public void Probabilities_are_adjusted_for_their_number() =>
        Assert.Equal(
            [0.03, null, 0.06, 0.06, 0.02],
            Gate.Holm([0.01, null, 0.04, 0.03, 0.005]).Select(value => value is { } known ? Math.Round(known, 9) : (double?)null)
        );

    [Fact]
    public void A_slowdown_over_the_limit_violates() => Assert.Equal(GateOutcome.Violated, Judge(noise: 0.02, factor: 1.15).Outcome);

    [Fact]
    public void Equal_sides_pass() => Assert.Equal(GateOutcome.Passed, Judge(noise: 0.02, factor: 1).Outcome);

    [Fact]
    public void A_speedup_passes() => Assert.Equal(GateOutcome.Passed, Judge(noise: 0.02, factor: 0.8).Outcome);

    [Fact]
    public void A_slowdown_within_the_limit_passes() => Assert.Equal(GateOutcome.Passed, Judge(noise: 0.01, factor: 1.02).Outcome);

    [Fact]
    public void Noise_is_not_a_pass_and_the_number_of_runs_that_would_decide_is_given()
    {
        var gate = Judge(noise: 0.2, factor: 1);

        Assert.Equal(GateOutcome.NotJudged, gate.Outcome);
        Assert.InRange(gate.Checks[0].NeededRuns!.Value, 100, 1000);
    }

    [Fact]
    public void Rows_that_are_missing_keep_it_from_judging()
    {
        var gate = Judge(noise: 0.02, factor: 1, otherRows: 1);

        Assert.Equal(GateOutcome.NotJudged, gate.Outcome);
        Assert.Contains("rows only in base: A Serialize N=2000", gate.Problems);
    }

    [Fact]
    public void Of_fifty_equal_rows_none_violates_in_forty_gates()
    {
        var violated = Enumerable
            .Range(0, 40)
            .Count(seed => Judge(noise: 0.06, factor: 1, rows: 50, seed: seed).Outcome == GateOutcome.Violated);

        Assert.InRange(violated, 0, 5); // of 40 with a probability of 5 % each, more than 5 have a probability of 1.4 %
    }

    private static GateResult Judge(double noise, double factor, int rows = 2, int? otherRows = null, int seed = 3) =>
        Gate.Judge(
            ComparisonAnalysis.Compare(
                Side("base", rows, noise, 1, 2 * seed),
                Side("other", otherRows ?? rows, noise, factor, (2 * seed) + 1),
                new ComparisonQuery(new RunFilter(), new ComparisonOptions())
            ),
            new GateLimits([Metric.Wall], 0.05, 0.01)
        );

    /// <summary>A recording of 15 processes with one run per row each.</summary>
    private static ComparedSide Side(string name, int rows, double noise, double factor, int seed)
    {
        var random = new Simulation(seed);
        var runs = Enumerable
            .Range(1, rows)
            .SelectMany(row =>
                random
                    .Side(15, 1, middle: 100 * factor, noise: noise)
                    .All.Select(run => run with { Identity = run.Identity with { ObjectCount = row * 1000 } })
            )
            .ToList();
        var result = new AnalysisResult
        {
            Processes = [],
            Runs = runs,
            Rows = SummaryRow.Group(runs),
            FirstUseRows = [],
            Damages = [],
        };
        return new ComparedSide(name, [new ComparedRecording(name, new TraceInput([name], [], [], false, [], []), result)]);
    }
}
