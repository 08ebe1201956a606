using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Findings.Rules;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

/// <summary>Exceptions used as control flow.</summary>
public sealed class ExceptionFlowRuleTests
{
    private const ulong Throw = 0x1000;
    private const ulong Parse = 0x2000;
    private const ulong Entry = 0x3000;

    [Fact]
    public void More_than_one_for_a_hundred_objects_are_named_with_type_and_method()
    {
        var finding = Assert.Single(Rules.Check(new ExceptionFlowRule(), Throwing(11)));

        Assert.Equal(("exceptions", FindingConfidence.Likely), (finding.Code, finding.Confidence));
        Assert.StartsWith(
            "exceptions are thrown in a hot path: Json Serialize N=1000 (11 per run, mostly System.FormatException in Lib.Parser.Parse); ",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.Equal([11, 0.011], finding.Evidence.Select(figure => figure.Value));
        Assert.Equal((1, 1.1), (Assert.Single(finding.Locations).RunId!.Value, finding.Locations[0].StartMs));
    }

    /// <summary>
    /// The class library's throwing methods are internal, so the program's method that called them is named. Helpers named Throw… are
    /// skipped.
    /// </summary>
    [Fact]
    public void Exceptions_of_the_class_library_are_named_with_the_method_of_the_program_below_which_they_were_thrown()
    {
        var trace = new SyntheticTrace()
            .Module("/net/System.Private.CoreLib.dll")
            .Module("/app/Lib.dll", 2)
            .Code(1, Throw, "System.Number", "ThrowFormatException", 1)
            .Code(1, Parse, "System.Int32", "Parse", 2)
            .Code(1, Entry, "Lib.Parser", "ThrowableRead", 3, module: 2)
            .Run(1, 1000, 3000);
        for (var thrown = 0; thrown < 11; thrown++)
            trace.Throw(1100 + thrown, "System.FormatException", "no number", 1, stack: [Throw + 0x10, Parse + 0x10, Entry + 0x10]);

        Assert.Contains(
            ", mostly System.FormatException in System.Int32.Parse below Lib.Parser.ThrowableRead); ",
            Assert.Single(Rules.Check(new ExceptionFlowRule(), trace)).Text,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void One_for_a_hundred_objects_is_fine() => Assert.Empty(Rules.Check(new ExceptionFlowRule(), Throwing(10)));

    /// <summary>Nine of ten objects, but nine exceptions in all.</summary>
    [Fact]
    public void A_handful_is_not_a_hot_path() => Assert.Empty(Rules.Check(new ExceptionFlowRule(), Throwing(9, objects: 10)));

    [Fact]
    public void Threads_share_the_exceptions_of_a_run() => Assert.Empty(Rules.Check(new ExceptionFlowRule(), Throwing(20, threads: 2)));

    [Theory]
    [InlineData(6, true)]
    [InlineData(5, false)]
    public void A_twentieth_of_the_cpu_time_is_enough_without_a_count(int throwing, bool isFound)
    {
        var trace = new SyntheticTrace { Kinds = EventKinds.All & ~EventKinds.Exceptions }
            .Module("/app/System.Private.CoreLib.dll")
            .Code(1, Throw, "System.Runtime.EH", "RhThrowEx", 1)
            .Code(1, Entry, "System.Text.Json.JsonSerializer", "Serialize", 2)
            .Run(1, 1000, 201_000);
        for (var sample = 0; sample < 100; sample++)
            trace.Sample(2000 + (sample * 1000), SyntheticTrace.Main, 0, sample < throwing ? [Throw + 0x10, Entry + 0x10] : [Entry + 0x10]);

        var findings = Rules.Check(new ExceptionFlowRule(), trace);

        Assert.Equal(
            isFound ? ["Json Serialize N=1000 (6 % of its CPU time)"] : [],
            findings.Select(finding => finding.Text.Split(": ")[1].Split(';')[0])
        );
    }

    private static SyntheticTrace Throwing(int count, int objects = 1000, int threads = 1)
    {
        var trace = new SyntheticTrace()
            .Module("/app/Lib.dll")
            .Code(1, Throw, "System.Runtime.EH", "Throw", 1)
            .Code(1, Parse, "Lib.Parser", "Parse", 2)
            .Run(1, 1000, 3000, identity: SyntheticTrace.Identity(objects: objects, threads: threads));
        for (var thrown = 0; thrown < count; thrown++)
            trace.Throw(1100 + thrown, "System.FormatException", "no number", 1, stack: [Throw + 0x10, Parse + 0x10]);
        return trace;
    }
}
