using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Scenarios;

namespace EtwSerializerProfiler.Workload.Tests.Scenarios;

/// <summary>The conclusions of the scenarios, from made-up rows.</summary>
public sealed class FindingTests
{
    [Theory]
    [InlineData(Verdict.Present, 10_900, 40_000L)] // as published
    [InlineData(Verdict.NotPresent, 10_900, 0L)] // slow, but nothing is thrown
    [InlineData(Verdict.NotPresent, 4, 1L)] // throws, but is not slow
    [InlineData(Verdict.Present, 10_900, null)]
    [InlineData(Verdict.NotPresent, 200, null)]
    public void Line_breaks_are_present_when_exceptions_make_reads_slow(Verdict expected, double millisecondsWith, long? exceptions)
    {
        var finding = Base64Scenario.Find([
            new(Base64Scenario.AffectedReader, false, 40, 3, 3, exceptions is null ? null : 0),
            new(Base64Scenario.AffectedReader, true, 40, millisecondsWith, millisecondsWith, exceptions),
            new("XmlSerializer byte[]", true, 40, 1, 1, 0),
        ]);

        Assert.Equal(expected, finding.Verdict);
        Assert.Contains(
            exceptions is null ? "exceptions not recorded" : $"{Naming.Plural.Of(exceptions.Value, "exception", "N0")} per read",
            finding.Sentence,
            StringComparison.Ordinal
        );
        Assert.Contains("Fastest with line breaks: XmlSerializer byte[]", finding.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Line_breaks_are_undecided_without_both_rows() =>
        Assert.Equal(Verdict.Undecided, Base64Scenario.Find([new(Base64Scenario.AffectedReader, true, 40, 1, 1, 0)]).Verdict);

    [Theory]
    [InlineData(Verdict.Present, 115, 3_000L, 8)] // as published, beside 258 that 8 threads should make
    [InlineData(Verdict.NotPresent, 258, 3_000L, 8)] // scales
    [InlineData(Verdict.NotPresent, 115, 50L, 8)] // does not scale, but not because of locks
    [InlineData(Verdict.Present, 115, null, 8)]
    [InlineData(Verdict.Undecided, 115, 3_000L, 1)] // one processor cannot show it
    [InlineData(Verdict.Undecided, 4, 3_000L, 8)] // too few requests
    public void Contention_is_present_when_threads_with_a_processor_each_wait_for_locks(
        Verdict expected,
        int requests,
        long? locks,
        int processors
    ) =>
        Assert.Equal(
            expected,
            ContentionScenario
                .Find(
                    [
                        new("DataContract", 1, 33, 1, 1, 1, 1, 0),
                        new("DataContract", 8, requests, 1, 1, 1, 1, locks),
                        new("DataContract", 16, 1, 1, 1, 1, 1, 9_999),
                    ],
                    processors
                )
                .Verdict
        );

    [Theory]
    [InlineData(Verdict.Present, 761, 3_848, 15_988)] // measured on Mono 6.8
    [InlineData(Verdict.NotPresent, 200, 390, 749)] // measured on .NET 10
    public void Growth_is_present_from_an_exponent_of_one_and_a_half_on(Verdict expected, double first, double second, double third)
    {
        GrowthRow[] rows =
        [
            new(QuadraticScenario.Plain, "Deserialize", 100_000, first, first),
            new(QuadraticScenario.Plain, "Deserialize", 200_000, second, null),
            new(QuadraticScenario.Plain, "Deserialize", 400_000, third * 50, third), // a busy machine: the wall time is far longer
            new(QuadraticScenario.Switched, "Deserialize", 100_000, 1, 1),
            new(QuadraticScenario.Switched, "Deserialize", 200_000, 8, 8), // the switch does not decide
        ];

        var finding = QuadraticScenario.Find(rows);
        Assert.Equal(expected, finding.Verdict);
        Assert.Contains("UseNewMaxArraySize Deserialize: n^3.00", finding.Sentence, StringComparison.Ordinal);
        Assert.Equal(Verdict.Undecided, QuadraticScenario.Find(rows[..1]).Verdict);
    }

    [Fact]
    public void The_exponent_of_points_on_a_power_function_is_found()
    {
        Assert.Equal(2, GrowthExponent.Fit([(10, 7), (20, 28), (40, 112)])!.Value, precision: 9);
        Assert.Equal(1, GrowthExponent.Fit([(10, 5), (30, 15)])!.Value, precision: 9);
        Assert.Null(GrowthExponent.Fit([(10, 5), (10, 6)]));
        Assert.Null(GrowthExponent.Fit([]));
    }

    [Fact]
    public void A_graph_is_present_when_it_crashes_or_hangs_a_process()
    {
        GraphRow[] harmless =
        [
            new("A", false, 1_000, GraphOutcome.Ok, ""),
            new("A", true, 0, GraphOutcome.Refused, "no"),
            new("B", false, 1_000, GraphOutcome.Lost, ""),
        ];
        Assert.Equal(Verdict.NotPresent, GraphScenario.Find(harmless).Verdict);
        Assert.Contains(
            "no chain ended a process; 1,000 links came back whole with A;",
            GraphScenario.Find(harmless).Sentence,
            StringComparison.Ordinal
        );

        var crash = GraphScenario.Find([.. harmless, new("C", true, 500, GraphOutcome.Crashed, "")]);
        Assert.Equal(Verdict.Present, crash.Verdict);
        Assert.Contains("C +references (at 500)", crash.Sentence, StringComparison.Ordinal);
        Assert.Equal(Verdict.Present, GraphScenario.Find([new("A", false, 0, GraphOutcome.Hung, "")]).Verdict);
        Assert.Equal(Verdict.Undecided, GraphScenario.Find([]).Verdict);
    }

    [Fact]
    public void Output_of_a_process_up_to_its_end_becomes_rows()
    {
        const string Output = "begins\t10\tSerialize\t\nended\t10\tOk\t\nbegins\t20\tSerialize\t\nbegins\t20\tDeserialize\t\n";

        var rows = GraphScenario.Read("A", false, [10, 20, 30], new ChildResult(134, Output, "Stack overflow.\n at X"));
        Assert.Equal(
            [
                new("A", false, 10, GraphOutcome.Ok, ""),
                new("A", false, 20, GraphOutcome.Crashed, "Deserialize: stack overflow (exit code 134)"),
            ],
            rows
        );
        Assert.Equal(GraphOutcome.Hung, GraphScenario.Read("A", false, [10, 20], new ChildResult(null, Output, ""))[^1].Outcome);
        Assert.Equal(
            "before the first graph: no such thing (exit code 1)",
            Assert.Single(GraphScenario.Read("A", true, [10], new ChildResult(1, "", "no such thing"))).Detail
        );
    }

    [Theory]
    [InlineData(Verdict.Present, 7_000.0, 2.0)] // as published
    [InlineData(Verdict.NotPresent, 140.0, 60.0)] // long, but as long without survivors
    [InlineData(Verdict.NotPresent, 40.0, 2.0)] // grows, but is short
    [InlineData(Verdict.Undecided, null, 2.0)]
    public void GCs_are_present_when_their_pauses_grow_with_the_survivors(Verdict expected, double? max, double? min)
    {
        GcScenarioRow[] rows = [new(0, 100, 7, 7, 0, 10, min, 14), new(200, 110, 7, 7, 0, 10, max, 14)];
        Assert.Equal(expected, GcScenario.Find(rows).Verdict);
        Assert.Equal(Verdict.Undecided, GcScenario.Find(rows[..1]).Verdict);
    }

    [Theory]
    [InlineData(Verdict.Present, 1_000)]
    [InlineData(Verdict.NotPresent, 150)]
    public void Without_pauses_the_time_decides(Verdict expected, double milliseconds) =>
        Assert.Equal(
            expected,
            GcScenario.Find([new(0, 100, 7, 7, 0, null, null, 0), new(200, milliseconds, 7, 7, 0, null, null, 0)]).Verdict
        );

    [Fact]
    public void Exceptions_are_present_by_their_factor()
    {
        var present = ExceptionScenario.Find([
            new(0, 0, 1, 1, 0),
            new(50, 0, 101, 1, 10_000),
            new(10, 0, 21, 1, 2_000),
            new(10, 50, 121, 1, 2_000),
        ]);
        Assert.Equal(Verdict.Present, present.Verdict);
        Assert.Contains("factor 101.0, 10.0 µs per exception", present.Sentence, StringComparison.Ordinal);
        Assert.Contains("Thrown 50 frames deep each costs 60.0 µs against 10.0 µs.", present.Sentence, StringComparison.Ordinal);
        Assert.Equal(Verdict.NotPresent, ExceptionScenario.Find([new(50, 0, 2, 1, 10_000)]).Verdict);
        Assert.Equal(Verdict.Undecided, ExceptionScenario.Find([new(0, 0, 9, 1, 0)]).Verdict);
    }

    [Fact]
    public void The_limit_of_objects_is_decided_by_the_cases_that_reached_it()
    {
        LargeRow table = new("ObjectIDGenerator, many objects", LargeOutcome.Refused, "after 13,169,977 objects: no"),
            late = new("BinaryFormatter, many objects", LargeOutcome.Crashed, "late");
        Assert.Equal(Verdict.Present, LargeScenario.Find([table, late]).Verdict);
        Assert.Equal(Verdict.NotPresent, LargeScenario.Find([table, late with { Outcome = LargeOutcome.Ok }]).Verdict);
        var undecided = LargeScenario.Find([late, new("array", LargeOutcome.Refused, "too long.")]);
        Assert.Equal(Verdict.Undecided, undecided.Verdict);
        Assert.EndsWith("Other limits reached: array: too long.", undecided.Sentence, StringComparison.Ordinal);

        Assert.Equal(LargeOutcome.Ok, LargeScenario.Read("a", new ChildResult(0, "1 ms\n", ""), TimeSpan.FromSeconds(1)).Outcome);
        Assert.Equal(
            new LargeRow("a", LargeOutcome.Refused, "no"),
            LargeScenario.Read("a", new ChildResult(1, "", "no\n"), TimeSpan.FromSeconds(1))
        );
        Assert.Equal(LargeOutcome.Crashed, LargeScenario.Read("a", new ChildResult(134, "", ""), TimeSpan.FromSeconds(1)).Outcome);
        Assert.Equal(LargeOutcome.Crashed, LargeScenario.Read("a", new ChildResult(null, "", ""), TimeSpan.FromSeconds(1)).Outcome);
    }

    [Fact]
    public void The_printed_line_says_present_not_present_or_not_decided()
    {
        Assert.Equal("Found: present on this runtime (X 1): a.", Finding.Present($"a.").ToLine("X 1"));
        Assert.Equal("Found: not present on this runtime (X 1): a.", Finding.NotPresent($"a.").ToLine("X 1"));
        Assert.Equal("Found: not decided on this runtime (X 1): a.", Finding.Undecided($"a.").ToLine("X 1"));
    }
}
