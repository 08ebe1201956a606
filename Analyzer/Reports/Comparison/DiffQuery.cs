using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Cpu;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>A query for the comparison of two sides.</summary>
/// <param name="Comparison">Selects the runs and the way to compare them.</param>
/// <param name="Detail">Breakdowns of the differences.</param>
/// <param name="Top">Maximum number of methods and types per pair.</param>
public sealed record DiffQuery(ComparisonQuery Comparison, DiffDetail Detail = DiffDetail.Summary, int Top = 10)
{
    /// <summary>The explained difference of two runtimes that were recorded one after the other.</summary>
    public static DiffQuery OfRuntimes { get; } =
        new(new ComparisonQuery(new RunFilter(), new ComparisonOptions { FallBackToDisturbedRuns = true }) { FactorOut = null })
        {
            IsBrief = true,
        };

    /// <summary>Whether only the explained table and its closing lines are wanted, where causes were factored out.</summary>
    public bool IsBrief { get; init; }
}
