using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Comparison.Trends;

/// <summary>One row over several recordings, in the order of time.</summary>
/// <param name="Key">The row.</param>
/// <param name="Metric">The measure.</param>
/// <param name="Points">The recordings that have the row.</param>
public sealed record Trend(SummaryKey Key, Metric Metric, IReadOnlyList<TrendPoint> Points);
