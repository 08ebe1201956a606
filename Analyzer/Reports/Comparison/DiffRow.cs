using EtwSerializerProfiler.Analysis.Comparison;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>A row of the report: one measure of one pair.</summary>
/// <param name="Pair">The pair.</param>
/// <param name="Compared">The measure.</param>
public sealed record DiffRow(ComparedPair Pair, MetricComparison Compared);
