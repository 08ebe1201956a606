using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Comparison;

namespace EtwSerializerProfiler.Reports.Tests;

public sealed class ComparisonTextTests
{
    private static readonly IReadOnlyList<string> s_groups = ["Reflection", "Activator"];

    [Fact]
    public void A_difference_is_explained_by_what_was_factored_out_and_by_what_remains() =>
        Assert.Equal(
            "DataContract Serialize N=100: 34 × slower on Mono 6.8, +330.0 ms per run; without Reflection and Activator 18 × slower: they explain 53 %. The rest: Own code +120.0, unexplained +34.0 ms (10 %)",
            Explain(10, 340, new("Reflection", 1, 150, 0), new("Activator", 0, 27, 0), new("Own code", 5, 125, 0))
        );

    [Fact]
    public void Causes_that_explain_nothing_are_named_once() =>
        Assert.Equal(
            "DataContract Serialize N=100: 1.5 × faster on Mono 6.8, -5.00 ms per run, none of it from Reflection and Activator: GC -4.50, unexplained -0.50 ms (10 %)",
            Explain(15, 10, new("Reflection", 1, 1, 0), new("GC", 6, 1.5, 0))
        );

    /// <summary>The mean of a row can grow by one long run while all others are faster: then it explains nothing.</summary>
    [Fact]
    public void Means_that_contradict_the_verdict_explain_nothing() =>
        Assert.Equal(
            "DataContract Serialize N=100: 25 % faster on Mono 6.8 by the medians, but +2.00 ms per run in the mean: a few runs far from the others decide the mean, so its parts do not explain the verdict",
            ExplainMedians(0.8, 10, 12, new ExplainedPart("GC", 1, 3, 0))
        );

    [Theory]
    [InlineData(7, 32, 4.0, "needs 32 launches")]
    [InlineData(7, 32, 1.0, "needs 32 runs")]
    [InlineData(7, null, 1.0, "too few runs")]
    [InlineData(0, null, 1.0, "no run to compare")]
    public void Too_few_runs_are_one_word_for_scripts_and_what_it_needs_for_people(int runs, int? needed, double alike, string shown)
    {
        var compared = new MetricComparison
        {
            Metric = Metric.Wall,
            BaselineRuns = 7,
            OtherRuns = runs,
            NeededRuns = needed,
            DesignEffect = alike,
            Verdict = Verdict.TooFewRuns,
        };

        Assert.Equal(("too few runs", shown), (ComparisonText.Of(compared), ComparisonText.Shown(compared)));
    }

    [Theory]
    [InlineData(34.4, "34 × slower")]
    [InlineData(1.5, "1.5 × slower")]
    [InlineData(1.124, "12 % slower")]
    [InlineData(0.5, "2.0 × faster")]
    [InlineData(1, "0 % slower")]
    public void Ratios_read_as_factors_and_small_ones_as_percent(double ratio, string expected) =>
        Assert.Equal(expected, ComparisonText.Times(ratio));

    private static string? Explain(double baseline, double other, params ExplainedPart[] parts) =>
        ExplainMedians(other / baseline, baseline, other, parts);

    private static string? ExplainMedians(double medians, double baseline, double other, params ExplainedPart[] parts)
    {
        var wall = new MetricComparison
        {
            Metric = Metric.Wall,
            Ratio = medians,
            Verdict = medians > 1 ? Verdict.Worse : Verdict.Better,
        };
        var explanation = new Explanation
        {
            IsCpuTime = false,
            BaselineMs = baseline,
            OtherMs = other,
            HasCauses = true,
            Parts = parts,
        };
        var (key, nothing) = (
            SummaryKey.Of(new RunIdentity("DataContract", "", "", "Serialize", RunKind.Measured, 100, 0, 1, 1)),
            new SideRuns([], 0, 0)
        );
        return ComparisonText.Explain(
            new ComparedPair(key, nothing, nothing, [wall]) { Explanation = explanation, Factored = explanation.Without(s_groups) },
            "on Mono 6.8",
            s_groups
        );
    }
}
