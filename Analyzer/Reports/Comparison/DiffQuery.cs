using EtwSerializerProfiler.Analysis.Comparison;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>What is asked of a comparison of two sides.</summary>
/// <param name="Comparison">Which runs, and how they are compared.</param>
/// <param name="Detail">What differences are shown by.</param>
/// <param name="Top">Most methods and types of a pair.</param>
public sealed record DiffQuery(ComparisonQuery Comparison, DiffDetail Detail = DiffDetail.Summary, int Top = 10);
