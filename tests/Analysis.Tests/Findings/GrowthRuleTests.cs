using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Findings.Rules;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

public sealed class GrowthRuleTests
{
    private static readonly GrowthRule s_rule = new();

    /// <summary>BinaryFormatter on Mono 6.8 as measured: 100, 200 and 400 thousand objects, three runs each with some noise.</summary>
    [Fact]
    public void Quadratic_growth_is_reported_with_its_exponent()
    {
        var finding = RuleInput.Only(
            s_rule,
            RuleInput.Of([.. Runs("BinaryFormatter", (100_000, 761), (200_000, 3848), (400_000, 15_988))])
        );

        Assert.Equal(("growth", FindingKind.Hint), (finding.Code, finding.Kind));
        Assert.Contains("quadratic or worse", finding.Text, StringComparison.Ordinal);
        var exponent = finding.Evidence[0];
        Assert.Equal(2.2, exponent.Value, 0.05);
        Assert.True(exponent.Interval is var (low, high) && low < exponent.Value && exponent.Value < high && low > 1.5);
        Assert.Equal(400_000, Objects(finding.Locations[0]));
        Assert.Contains("UseNewMaxArraySize", finding.Advice, StringComparison.Ordinal);

        static int Objects(FindingLocation place) =>
            int.Parse(
                place.What[(place.What.IndexOf("N=", StringComparison.Ordinal) + 2)..],
                System.Globalization.CultureInfo.InvariantCulture
            );
    }

    [Fact]
    public void Linear_growth_is_not_reported_nor_with_the_collectors_share() =>
        Assert.Empty(
            s_rule.Check(
                RuleInput.Of([
                    .. Runs("Linear", (1000, 0.5), (10_000, 5.1), (100_000, 52), (1_000_000, 540)),
                    .. Runs("Collected", (1000, 0.5), (10_000, 7), (100_000, 110), (1_000_000, 1700)),
                ])
            )
        );

    /// <summary>
    /// Another guest of the machine takes half of the processor during the largest graphs: 2 times as long, but no growth.
    /// </summary>
    [Fact]
    public void A_slow_phase_of_the_machine_is_not_growth() =>
        Assert.Empty(s_rule.Check(RuleInput.Of([.. Runs("Slow", (100_000, 50), (200_000, 100), (400_000, 400))])));

    /// <summary>Other programs use the processor meanwhile, most of all during the longest runs.</summary>
    [Fact]
    public void Time_without_a_processor_is_not_growth()
    {
        Run[] runs = [.. Runs("Loaded", (100_000, 50), (200_000, 250), (400_000, 1200))];

        Assert.NotEmpty(s_rule.Check(RuleInput.Of(runs)));
        Assert.Empty(
            s_rule.Check(
                RuleInput.Of([
                    .. runs.Select(run =>
                        run with
                        {
                            Measuring = new MeasuringTimes(
                                50,
                                0,
                                run.WallMs - (run.Identity.ObjectCount / 2000.0),
                                ReadySource.ReadyEvent,
                                0,
                                0
                            ),
                        }
                    ),
                ])
            )
        );
    }

    /// <summary>
    /// A thread that waits for a processor while its process is paused: subtracted twice, 562 ms became 5, and the larger graphs seemed to
    /// grow with the third power.
    /// </summary>
    [Fact]
    public void Time_ready_during_pauses_is_not_growth()
    {
        Run[] runs = [.. Runs("Collected", (100_000, 562), (200_000, 1095), (400_000, 1733))];
        var ready = new Dictionary<int, double>
        {
            [100_000] = 257,
            [200_000] = 410,
            [400_000] = 280,
        };
        var pauses = new Dictionary<int, double>
        {
            [100_000] = 300,
            [200_000] = 600,
            [400_000] = 1095,
        };

        Assert.Empty(
            s_rule.Check(
                RuleInput.Of([.. runs.Select(run => Disturbed(run, ready[run.Identity.ObjectCount], pauses[run.Identity.ObjectCount]))])
            )
        );

        // Only pauses are subtracted: the remaining time of these runs is quadratic.
        Assert.Single(
            s_rule.Check(
                RuleInput.Of([
                    .. Runs("Slow", (100_000, 110), (200_000, 440), (400_000, 1760)).Select(run => Disturbed(run, 1, run.WallMs / 2)),
                ])
            )
        );

        static Run Disturbed(Run run, double ready, double pauses) =>
            run with
            {
                Measuring = new MeasuringTimes(run.WallMs - ready, 0, ready, ReadySource.ReadyEvent, 0, 0),
                PauseTotalMs = pauses,
            };
    }

    /// <summary>A run of 0.25 ms that the machine delayed by 3 ms is not used as a point.</summary>
    [Fact]
    public void A_delayed_run_does_not_hide_growth()
    {
        var runs = Runs("Slow", (1000, 0.25), (4000, 4), (16_000, 64)).ToList();
        Assert.Single(s_rule.Check(RuleInput.Of([.. runs])));

        Assert.Single(s_rule.Check(RuleInput.Of([.. runs, Run(90, 1000, 3.2, "Slow")])));
    }

    [Fact]
    public void Runs_that_scatter_prove_nothing() =>
        Assert.Empty(
            s_rule.Check(
                RuleInput.Of(
                    Run(1, 100_000, 50),
                    Run(2, 100_000, 400),
                    Run(3, 200_000, 100),
                    Run(4, 200_000, 900),
                    Run(5, 400_000, 300),
                    Run(6, 400_000, 4000)
                )
            )
        );

    [Fact]
    public void Two_counts_small_graphs_and_a_narrow_span_are_not_evidence() =>
        Assert.Empty(
            s_rule.Check(
                RuleInput.Of([
                    .. Runs("Two", (100_000, 100), (400_000, 1600)),
                    .. Runs("Small", (10, 1), (100, 100), (900, 8100)),
                    .. Runs("Narrow", (100_000, 100), (150_000, 225), (200_000, 400)),
                ])
            )
        );

    [Fact]
    public void What_only_large_graphs_show_is_reported_for_these()
    {
        var finding = RuleInput.Only(
            s_rule,
            RuleInput.Of([.. Runs("Table", (1000, 1), (10_000, 10), (100_000, 100), (200_000, 400), (400_000, 1600))])
        );

        Assert.Contains("from 100000 to 400000 objects", finding.Text, StringComparison.Ordinal);
        Assert.Equal(2, finding.Evidence[0].Value, 0.05);
    }

    [Fact]
    public void The_method_that_grows_is_named()
    {
        var input = RuleInput.Of([.. Runs("Slow", (1000, 1), (10_000, 100), (100_000, 10_000))]);
        var rows = input.Result.Rows.ToDictionary(row => row.Key.ObjectCount, row => row.Key);

        var finding = RuleInput.Only(
            s_rule,
            input with
            {
                Methods =
                [
                    Cost(rows[1000], "Slow.Write", 2),
                    Cost(rows[1000], "Slow.Find", 1),
                    Cost(rows[100_000], "Slow.Write", 200),
                    Cost(rows[100_000], "Slow.Find", 29_000),
                ],
            }
        );

        Assert.Contains("Slow.Find grows most", finding.Text, StringComparison.Ordinal);
        Assert.Contains(
            finding.Evidence,
            figure =>
                figure.Name.StartsWith("Slow.Find", StringComparison.Ordinal) && figure.Unit == "ns" && Math.Abs(figure.Value - 96_667) < 1
        );
        Assert.DoesNotContain("UseNewMaxArraySize", finding.Advice, StringComparison.Ordinal);
    }

    /// <summary>Checked with the textbook's sums, computed separately, and t(0.975, 2) = 4.302653.</summary>
    [Fact]
    public void A_power_law_is_that_of_least_squares()
    {
        var law = PowerLaw.Fit([(1, 1), (2, 4), (4, 17), (8, 60)])!.Value;

        Assert.Equal(1.980811, law.Exponent, 1e-5);
        Assert.Equal((1.817, 2.144), (Math.Round(law.Low, 3), Math.Round(law.High, 3)));
    }

    private static MethodCost Cost(SummaryKey runs, string name, double ms) =>
        new(runs, name, "Slow.dll", (long)ms, ms, (long)ms, ms) { Kind = CodeKind.Managed, Tiers = [] };

    private static Run Run(int id, int objects, double wallMs, string serializer = "Json") =>
        RuleInput.Run(id, wallMs, serializer, objects, RunOperation.Deserialize);

    /// <summary>Three runs for each count: the median, 2 % less and 3 % more.</summary>
    private static IEnumerable<Run> Runs(string serializer, params (int Objects, double MedianMs)[] rows) =>
        rows.SelectMany(
            (row, index) =>
                new[]
                {
                    Run((3 * index) + 1, row.Objects, row.MedianMs, serializer),
                    Run((3 * index) + 2, row.Objects, row.MedianMs * 0.98, serializer),
                    Run((3 * index) + 3, row.Objects, row.MedianMs * 1.03, serializer),
                }
        );
}
