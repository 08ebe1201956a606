using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Tests.Comparison;

public sealed class ExplanationTests
{
    private const long Ms = 1_000_000;

    [Fact]
    public void The_difference_is_taken_apart_from_the_largest_cause_down_and_the_rest_is_named()
    {
        var baseline = Runs(own: 100, reflection: 10, activator: 5, wall: 118);
        var other = Runs(own: 100, reflection: 131, activator: 43, wall: 284);

        var explanation = ExplanationBuilder.Explain(baseline, other)!;

        Assert.Equal(166, explanation.DifferenceMs, 6);
        Assert.Equal(["Reflection", "Activator"], explanation.Shown.Select(part => part.Name));
        Assert.Equal((121.0, 38.0), (Math.Round(explanation.Shown[0].DifferenceMs, 6), Math.Round(explanation.Shown[1].DifferenceMs, 6)));
        Assert.Equal(7, explanation.RestMs, 6);
        Assert.Equal("FieldInfo.SetValue", explanation.Shown[0].Methods[0].ShortName);
        Assert.Equal(121, explanation.Shown[0].Methods[0].DifferenceMs, 6);
    }

    [Theory]
    [InlineData("System.Reflection.FieldInfo.SetValue", "FieldInfo.SetValue")]
    [InlineData(
        "System.Text.Json.Serialization.JsonCollectionConverter`2[System.__Canon,System.__Canon].OnTryRead",
        "JsonCollectionConverter.OnTryRead"
    )]
    [InlineData("libcoreclr.so+?", "libcoreclr.so+?")]
    [InlineData("Busy`1[System.__Canon].BusyWork", "Busy.BusyWork")]
    [InlineData("System.Text.StringBuilder..ctor", "StringBuilder..ctor")]
    [InlineData("Main", "Main")]
    public void Methods_are_named_by_type_and_member(string name, string expected) =>
        Assert.Equal(expected, new ExplainedMethod(new MethodName(name, ""), 0, 0, 0).ShortName);

    [Fact]
    public void Parts_and_rest_add_up_to_the_difference_of_the_means()
    {
        var explanation = ExplanationBuilder.Explain(
            Runs(own: 20, reflection: 3, activator: 1, wall: 30),
            Runs(own: 26, reflection: 3, activator: 2, wall: 35)
        )!;

        Assert.Equal(explanation.DifferenceMs, explanation.Shown.Sum(part => part.DifferenceMs) + explanation.RestMs, 9);
    }

    [Fact]
    public void A_difference_that_sampling_alone_makes_is_not_a_cause()
    {
        // 15 runs of 1 sample each and 15 of 2: 15 ± 3.9 and 30 ± 5.5 samples differ by at most two errors.
        var explanation = ExplanationBuilder.Explain(
            Runs(own: 1, reflection: 0, activator: 0, wall: 2),
            Runs(own: 1.5, reflection: 0, activator: 0, wall: 2.5)
        )!;

        Assert.Empty(explanation.Shown);
        Assert.Equal(0.5, explanation.RestMs, 6);
    }

    [Fact]
    public void A_method_that_only_one_side_has_stands_out_of_a_cause_that_does_not()
    {
        // 15 runs of 100 samples each: the sum is known to ± 39 samples, so 22 more are insignificant; but a cause that had none before is
        // significant.
        var other = Runs(own: 101.5, reflection: 0, activator: 0, wall: 106.5);
        foreach (var run in other)
        {
            run.Causes!.Methods = new Dictionary<CauseMethod, long>
            {
                [new CauseMethod(-1, new MethodName("A.B.Write", "a.dll"))] = 100 * Ms,
                [new CauseMethod(-1, new MethodName("A.B.BusyWork", "a.dll"))] = 3 * Ms / 2,
            };
        }

        var explanation = ExplanationBuilder.Explain(Runs(own: 100, reflection: 0, activator: 0, wall: 105), other)!;

        var part = Assert.Single(explanation.Shown);
        Assert.Equal(("B.BusyWork", 1.5), (part.Name, Math.Round(part.DifferenceMs, 6)));
        Assert.Equal(0, explanation.RestMs, 6);
    }

    [Fact]
    public void What_is_factored_out_and_what_remains_add_up_to_the_difference()
    {
        var explanation = ExplanationBuilder.Explain(
            Runs(own: 100, reflection: 10, activator: 5, wall: 120),
            Runs(own: 200, reflection: 310, activator: 95, wall: 620)
        )!;

        var factored = explanation.Without(["Reflection", "Activator"])!;

        Assert.Equal((105.0, 215.0), (Math.Round(factored.Remaining.BaselineMs, 6), Math.Round(factored.Remaining.OtherMs, 6)));
        Assert.Equal(["Own code"], factored.Remaining.Parts.Where(part => part.DifferenceMs != 0).Select(part => part.Name));
        Assert.Equal((620 / 120.0, 215 / 105.0), (factored.Whole.Ratio!.Value, factored.Remaining.Ratio!.Value));
        Assert.Equal((78.0, 22.0), (Math.Round(factored.ExplainedPercent!.Value, 6), Math.Round(factored.RemainingPercent!.Value, 6)));
        Assert.Null(explanation.Without([]));
    }

    [Fact]
    public void Waiting_and_ready_time_are_parts_of_wall_time()
    {
        var baseline = Runs(own: 10, reflection: 0, activator: 0, wall: 10);
        var other = Runs(own: 10, reflection: 0, activator: 0, wall: 30, wait: 18, ready: 2);

        var explanation = ExplanationBuilder.Explain(baseline, other)!;

        Assert.Equal(("Waiting", 18.0), (explanation.Shown[0].Name, explanation.Shown[0].DifferenceMs));
        Assert.Equal("Ready, without a processor", explanation.Shown[1].Name);
        Assert.Equal(0, explanation.RestMs, 6);
    }

    [Fact]
    public void Without_samples_and_switches_there_is_no_explanation() =>
        Assert.Null(ExplanationBuilder.Explain([Simulation.Run(1, 1, 10)], [Simulation.Run(1, 1, 20)]));

    [Fact]
    public void Without_samples_pauses_are_known()
    {
        var explanation = ExplanationBuilder.Explain(
            [Simulation.Run(1, 1, 10) with { PauseTotalMs = 1 }],
            [Simulation.Run(1, 1, 20) with { PauseTotalMs = 9 }]
        )!;

        Assert.False(explanation.HasCauses);
        Assert.Equal(("GC pauses", 8.0), (explanation.Shown[0].Name, explanation.Shown[0].DifferenceMs));
    }

    [Fact]
    public void Causes_are_factored_out_run_by_run()
    {
        var side = new SideRuns([Runs(own: 100, reflection: 40, activator: 20, wall: 170)], 0, 0);
        var compared = MetricComparison.Of(Metric.WallWithout(["Reflection", "Activator"]), side, side, new ComparisonOptions());

        Assert.Equal(110, compared.Baseline!.Value, 6);
        Assert.Equal(Verdict.Same, compared.Verdict);
    }

    private static List<Run> Runs(double own, double reflection, double activator, double wall, double wait = 0, double ready = 0) =>
        [
            .. Enumerable
                .Range(1, 15)
                .Select(run =>
                    Simulation.Run(1, run, wall) with
                    {
                        Causes = Times(own, reflection, activator),
                        Samples = new RunSamples((long)(own + reflection + activator), own + reflection + activator, 0, 0),
                        Measuring = new MeasuringTimes(wall - wait - ready, wait, ready, ReadySource.ReadyEvent, 0, 0),
                        CpuMs = wall - wait - ready,
                    }
                ),
        ];

    private static CauseTimes Times(double own, double reflection, double activator)
    {
        var set = Number("reflectionSet");
        var create = Number("activator");
        var times = new CauseTimes
        {
            TicksPerSecond = 1_000_000_000,
            HasEntry = true,
            Own = (long)(own * Ms),
        };
        times.Causes[set] = (long)(reflection * Ms);
        times.Causes[create] = (long)(activator * Ms);
        times.Methods = new Dictionary<CauseMethod, long>
        {
            [new CauseMethod(-1, new MethodName("A.B.Write", "a.dll"))] = (long)(own * Ms),
            [new CauseMethod(set, new MethodName("System.Reflection.FieldInfo.SetValue", "System.Private.CoreLib.dll"))] = (long)(
                reflection * Ms
            ),
            [new CauseMethod(create, new MethodName("System.Activator.CreateInstance", "System.Private.CoreLib.dll"))] = (long)(
                activator * Ms
            ),
        };
        return times;
    }

    private static int Number(string key) =>
        CauseCatalog.All.Select((cause, number) => (cause.Key, number)).First(item => item.Key == key).number;
}
