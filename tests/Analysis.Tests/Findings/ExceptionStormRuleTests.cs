using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Findings.Rules;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

/// <summary>When many exceptions are a storm, and when the rule of hot paths applies.</summary>
public sealed class ExceptionStormRuleTests
{
    private const ulong Throw = 0x1000;
    private const ulong Parse = 0x2000;
    private const ulong Entry = 0x3000;

    [Theory]
    [InlineData(200, 200, 1, true)]
    [InlineData(199, 200, 1, false)] // fewer than objects
    [InlineData(99, 50, 1, false)] // fewer than 100
    [InlineData(200, 200, 2, false)] // each thread has its own objects
    [InlineData(150, 0, 1, true)] // no objects: 150 in 20 ms
    public void One_for_each_object_is_a_storm_and_said_once(int count, int objects, int threads, bool isStorm)
    {
        var trace = new SyntheticTrace()
            .Module("/app/Lib.dll")
            .Code(1, Throw, "System.Runtime.EH", "Throw", 1)
            .Code(1, Parse, "Lib.Parser", "Parse", 2)
            .Run(1, 1000, 21_000, identity: SyntheticTrace.Identity(objects: objects, threads: threads));
        for (var thrown = 0; thrown < count; thrown++)
            trace.Throw(
                1100 + thrown,
                "System.FormatException",
                FormattableString.Invariant($"no number: '{thrown}'"),
                1,
                stack: [Throw + 0x10, Parse + 0x10]
            );

        var storm = Rules.Check(new ExceptionStormRule(), trace);
        Assert.Equal(isStorm, storm.Count == 1);
        Assert.Equal(!isStorm && objects > 0, Rules.Check(new ExceptionFlowRule(), trace).Count == 1);
        if (!isStorm)
            return;
        Assert.Equal(("exception-storm", FindingConfidence.Certain), (storm[0].Code, storm[0].Confidence));
        Assert.Contains(
            FormattableString.Invariant(
                $" ({count} per run, {storm[0].Evidence[^1].Value:N0} per second, mostly System.FormatException \"no number: '{{value}}'\" in Lib.Parser.Parse); "
            ),
            storm[0].Text,
            StringComparison.Ordinal
        );
        Assert.InRange(storm[0].Evidence[^1].Value, count / 0.0202, count / 0.0198); // the window of 20 ms is as exact as the marker
    }

    /// <summary>Fewer than 5,000 a second in a program without objects.</summary>
    [Fact]
    public void A_slow_program_without_objects_has_no_storm()
    {
        var trace = new SyntheticTrace().Run(1, 1000, 61_000, identity: SyntheticTrace.Identity(objects: 0));
        for (var thrown = 0; thrown < 250; thrown++)
            trace.Throw(1100 + thrown, "E", "", 1);
        Assert.Empty(Rules.Check(new ExceptionStormRule(), trace));
        Assert.Empty(Rules.Check(new ExceptionFlowRule(), trace));
    }

    [Theory]
    [InlineData(25, true)]
    [InlineData(24, false)]
    public void A_quarter_of_the_cpu_time_is_a_storm_without_a_count(int throwing, bool isStorm)
    {
        var trace = new SyntheticTrace { Kinds = EventKinds.All & ~EventKinds.Exceptions }
            .Module("/app/System.Private.CoreLib.dll")
            .Code(1, Throw, "System.Runtime.EH", "RhThrowEx", 1)
            .Code(1, Entry, "System.Text.Json.JsonSerializer", "Serialize", 2)
            .Run(1, 1000, 201_000);
        for (var sample = 0; sample < 100; sample++)
            trace.Sample(2000 + (sample * 1000), SyntheticTrace.Main, 0, sample < throwing ? [Throw + 0x10, Entry + 0x10] : [Entry + 0x10]);

        Assert.Equal(
            (isStorm, !isStorm),
            (Rules.Check(new ExceptionStormRule(), trace).Count == 1, Rules.Check(new ExceptionFlowRule(), trace).Count == 1)
        );
    }
}
