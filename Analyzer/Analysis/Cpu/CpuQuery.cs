namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>What is asked of the CPU samples.</summary>
/// <param name="Grouping">What the rows stand for.</param>
/// <param name="ByInclusive">Orders the rows by inclusive samples instead of exclusive ones.</param>
/// <param name="Filter">Which runs count.</param>
/// <param name="Top">Most rows, null for all.</param>
public sealed record CpuQuery(CpuGrouping Grouping, bool ByInclusive, RunFilter Filter, int? Top);
