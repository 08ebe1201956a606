using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Findings.Rules;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

/// <summary>Induced GCs and finalizers, in made-up traces of a run of 100 ms.</summary>
public sealed class InducedGcRuleTests
{
    [Fact]
    public void Most_GCs_asked_for_are_named_with_their_caller()
    {
        var trace = Gcs(Trace(), induced: 6, others: 5, milliseconds: 1);

        var finding = Assert.Single(Rules.Check(new InducedGcRule(), trace));

        Assert.Equal(("induced-gc", FindingConfidence.Certain), (finding.Code, finding.Confidence));
        Assert.StartsWith(
            "the program induces most of its GCs: Json Serialize N=1000 (6 of 11, 6 ms of pauses, by Lib.Writer.TidyUp); remove the call",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.Equal([6, 11, 6.0], finding.Evidence.Select(figure => Math.Round(figure.Value, 6)));
        Assert.Contains("Induced", Assert.Single(finding.Locations).What, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_allocated_and_by_which_own_method_stands_in_the_finding()
    {
        var trace = Gcs(
            Trace().Module("/shared/System.Private.CoreLib.dll", id: 2).Code(1, 0x4000, "System.String", "Concat", 4, module: 2),
            induced: 6,
            others: 0,
            milliseconds: 1
        );
        for (var sample = 0; sample < 8; sample++)
            trace.Sampled(2000 + sample, "System.Collections.Generic.List`1[Lib.Shop+Order]", 40, stack: [0x4010, 0x3010]);
        for (var sample = 0; sample < 2; sample++)
            trace.Sampled(3000 + sample, "System.Byte[]", 40, stack: [0x2010]);

        Assert.Contains(
            "by Lib.Writer.TidyUp, allocates List<Shop.Order> 80 %, Byte[] 20 %; 80 % in Lib.Writer.Write)",
            Assert.Single(Rules.Check(new InducedGcRule(), trace)).Text,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Hints_that_cost_most_stand_first_and_warnings_before_them()
    {
        Finding[] findings =
        [
            new(FindingKind.Hint, "spread", ""),
            new(FindingKind.Hint, "gc-pause", "") { CostMs = 5 },
            new(FindingKind.Hint, "lock-wait", "") { CostMs = 700, Confidence = FindingConfidence.Possible },
            new(FindingKind.Warning, "lost", ""),
        ];

        Assert.Equal(["lost", "lock-wait", "gc-pause", "spread"], FindingRules.Ordered(findings).Select(finding => finding.Code));
    }

    [Theory]
    [InlineData(5, 5, 1)] // not most of them
    [InlineData(4, 0, 1)] // once before or after the work
    [InlineData(0, 0, 0)]
    public void Fewer_are_fine(int induced, int others, double milliseconds) =>
        Assert.Empty(Rules.Check(new InducedGcRule(), Gcs(Trace(), induced, others, milliseconds)));

    [Theory]
    [InlineData(3, 1, true)]
    [InlineData(1, 3, false)]
    public void Long_pauses_of_GCs_that_were_asked_for_are_not_blamed_on_allocation(int induced, int others, bool isInduced)
    {
        var trace = Gcs(Trace(), induced, others, milliseconds: 7);

        Assert.Equal(isInduced, Rules.Check(new InducedGcRule(), trace).Count > 0);
        Assert.Equal(!isInduced, Rules.Check(new PauseShareRule(), trace).Count > 0);
    }

    [Fact]
    public void Without_GCs_it_says_nothing() =>
        Assert.Empty(new InducedGcRule().Check(new FindingInput(Synthetic.Analyze(Gcs(Trace(), 10, 0, 1)))));

    [Fact]
    public void Very_many_finalized_objects_are_counted_over_the_run()
    {
        var trace = Gcs(Trace(), 0, 1, 1).Finalized(20_000, 6000).Finalized(30_000, 4000).Finalized(200_000, 100_000);

        var finding = Assert.Single(Rules.Check(new FinalizerRule(), trace));

        Assert.Equal("finalizers", finding.Code);
        Assert.StartsWith("many objects were finalized: Json Serialize N=1000 (10,000, ", finding.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_few_finalized_objects_are_fine() =>
        Assert.Empty(Rules.Check(new FinalizerRule(), Gcs(Trace(), 0, 1, 1).Finalized(20_000, 9999)));

    private static SyntheticTrace Trace() =>
        new SyntheticTrace()
            .Module("/app/Lib.dll")
            .Code(1, 0x1000, "System.GC", "Collect", 1)
            .Code(1, 0x2000, "Lib.Writer", "TidyUp", 2)
            .Code(1, 0x3000, "Lib.Writer", "Write", 3)
            .Run(1, 1000, 101_000);

    /// <summary>One after the other, each with a pause of its own.</summary>
    private static SyntheticTrace Gcs(SyntheticTrace trace, int induced, int others, double milliseconds)
    {
        for (var number = 1; number <= induced + others; number++)
        {
            var start = 1000 + (number * 8000.0);
            trace
                .Triggered(start + 0.5, stack: number <= induced ? [0x1010, 0x2010] : [0x3010])
                .FullGc(
                    start,
                    start + (milliseconds * 1000),
                    number,
                    0,
                    number <= induced ? GcReason.Induced : GcReason.AllocSmall,
                    GcKind.Blocking,
                    2_000_000,
                    1_500_000,
                    300_000
                );
        }

        return trace;
    }
}
