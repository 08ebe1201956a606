using EtwSerializerProfiler.Analysis.Comparison;

namespace EtwSerializerProfiler.Analysis.Tests.Comparison;

/// <summary>
/// Verdicts over 200 simulated comparisons. If each is wrong with a probability of 5 %, more than 18 are wrong with a probability of 0.7 %.
/// The seeds are fixed, so that a test that passes does so always, and it is unlikely that it passes by a lucky seed.
/// </summary>
public sealed class VerdictTests
{
    private const int Comparisons = 200;
    private const int MaxFalseAlarms = 18;

    private static bool IsAlarm(MetricComparison compared) => compared.Verdict is Verdict.Worse or Verdict.Better;

    [Theory]
    [InlineData(1, 0.035, 0.0)]
    [InlineData(2, 0.035, 0.05)]
    [InlineData(3, 0.2, 0.0)]
    [InlineData(4, 0.01, 0.1)]
    public void Equal_sides_are_called_different_no_more_often_than_is_said(int seed, double noise, double wild) =>
        Assert.InRange(
            Simulation.Count(
                Comparisons,
                seed,
                random => (random.Side(15, 1, noise: noise, wild: wild), random.Side(15, 1, noise: noise, wild: wild)),
                IsAlarm
            ),
            0,
            MaxFalseAlarms
        );

    [Theory]
    [InlineData(11, 5, 3, 0.02, 0.02)]
    [InlineData(12, 3, 5, 0.01, 0.03)]
    [InlineData(13, 10, 15, 0.03, 0.02)]
    [InlineData(14, 5, 15, 0.03, 0.0)]
    public void Processes_that_differ_raise_no_alarm(int seed, int processes, int runs, double noise, double between)
    {
        Assert.InRange(
            Simulation.Count(
                Comparisons,
                seed,
                random =>
                    (
                        random.Side(processes, runs, noise: noise, between: between),
                        random.Side(processes, runs, noise: noise, between: between)
                    ),
                IsAlarm
            ),
            0,
            MaxFalseAlarms
        );
    }

    [Fact]
    public void A_test_of_runs_alone_would_raise_alarms_where_processes_differ()
    {
        // The same runs, treated as if each side were one process and processes were equal.
        var alarms = Simulation.Count(
            Comparisons,
            12,
            random => (Merged(random.Side(3, 5, noise: 0.01, between: 0.03)), Merged(random.Side(3, 5, noise: 0.01, between: 0.03))),
            IsAlarm
        );

        Assert.InRange(alarms, 50, Comparisons);
        static SideRuns Merged(SideRuns side) =>
            new(
                [
                    [.. side.All],
                ],
                0,
                0
            );
    }

    [Fact]
    public void A_single_process_a_side_differs_by_what_is_assumed() =>
        Assert.InRange(
            Simulation.Count(
                Comparisons,
                21,
                random => (random.Side(1, 15, noise: 0.02, between: 0.02), random.Side(1, 15, noise: 0.02, between: 0.02)),
                IsAlarm,
                new ComparisonOptions { AssumedBetween = 0.02 }
            ),
            0,
            MaxFalseAlarms
        );

    [Theory]
    [InlineData(31, 0.035, 0.0)]
    [InlineData(32, 0.03, 0.05)]
    [InlineData(33, 0.01, 0.0)]
    public void Five_percent_are_found_with_fifteen_runs_where_they_vary_by_3_5_percent(int seed, double noise, double wild)
    {
        var found = Simulation.Count(
            Comparisons,
            seed,
            random => (random.Side(15, 1, noise: noise, wild: wild), random.Side(15, 1, middle: 105, noise: noise, wild: wild)),
            compared => compared.Verdict == Verdict.Worse
        );

        Assert.InRange(found, Comparisons * 9 / 10, Comparisons);
    }

    [Fact]
    public void Where_runs_vary_more_they_are_too_few_and_the_number_said_is_enough()
    {
        var needed = new List<int>();
        var unnoticed = Simulation.Count(
            Comparisons,
            41,
            random => (random.Side(15, 1, noise: 0.08), random.Side(15, 1, middle: 105, noise: 0.08)),
            compared =>
            {
                if (compared.NeededRuns is { } runs)
                    needed.Add(runs);
                return compared.Verdict == Verdict.Same;
            }
        );

        Assert.InRange(unnoticed, 0, Comparisons / 20);
        Assert.InRange(needed.Count, Comparisons / 4, Comparisons);
        var runs = (int)needed.Order().ElementAt(needed.Count / 2);
        Assert.InRange(
            Simulation.Count(
                Comparisons,
                42,
                random => (random.Side(runs, 1, noise: 0.08), random.Side(runs, 1, middle: 105, noise: 0.08)),
                compared => compared.Verdict == Verdict.Worse
            ),
            Comparisons * 85 / 100,
            Comparisons
        );
    }

    [Fact]
    public void Launches_that_vary_are_needed_in_number_not_longer()
    {
        var random = new Simulation(51);
        var compared = MetricComparison.Of(
            Metric.Wall,
            random.Side(3, 20, noise: 0.01, between: 0.05),
            random.Side(3, 20, noise: 0.01, between: 0.05),
            new ComparisonOptions()
        );

        Assert.True(compared.HasAlikeRuns);
        Assert.Equal(Verdict.TooFewRuns, compared.Verdict);
        Assert.InRange(compared.NeededRuns!.Value, 10, 80);
    }
}
