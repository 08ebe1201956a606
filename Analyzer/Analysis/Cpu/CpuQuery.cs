using EtwSerializerProfiler.Analysis.Stacktags;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>What is asked of the CPU samples.</summary>
/// <param name="Grouping">What the rows stand for.</param>
/// <param name="ByInclusive">Orders the rows by inclusive samples instead of exclusive ones.</param>
/// <param name="Filter">Which runs count.</param>
/// <param name="Top">Most rows, null for all.</param>
public sealed record CpuQuery(CpuGrouping Grouping, bool ByInclusive, RunFilter Filter, int? Top)
{
    /// <summary>Asks for a call tree instead of rows; null for rows.</summary>
    public CallTreeQuery? Tree { get; init; }

    /// <summary>Asks for the processes of this name or id; null for those that made the runs.</summary>
    public string? Process { get; init; }

    /// <summary>The tags of <see cref="CpuGrouping.Tag"/>; null for the other groupings.</summary>
    public StacktagMatcher? Tags { get; init; }
}
