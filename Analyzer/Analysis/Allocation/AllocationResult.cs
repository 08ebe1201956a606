using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Allocation;

/// <summary>Allocations of the runs, and what is to be known of them.</summary>
public sealed record AllocationResult : EventResult<AllocationRow>
{
    /// <summary>Takes rows over.</summary>
    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    internal AllocationResult(EventResult<AllocationRow> rows)
        : base(rows)
    {
    }

    /// <summary>What the rows stand for.</summary>
    public required AllocationGrouping Grouping { get; init; }

    /// <summary>Bytes the runs allocated by the program's own exact count; null when one of them does not know it.</summary>
    public required double? ExactBytes { get; init; }

    /// <summary>Samples or ticks.</summary>
    public long Events => AllRows.Sum(row => row.Events);

    /// <summary>Bytes that these stand for.</summary>
    public double Bytes => AllRows.Sum(row => row.Bytes);

    /// <summary>Where the number comes from; null without rows or with both kinds.</summary>
    public AllocationSource? Source => AllRows.Select(row => row.Source).Distinct().ToList() is [var only] ? only : null;
}
