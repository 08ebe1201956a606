using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Allocation;

/// <summary>Allocations of the runs, with their source.</summary>
public sealed record AllocationResult : EventResult<AllocationRow>
{
    /// <summary>Copies rows.</summary>
    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    internal AllocationResult(EventResult<AllocationRow> rows)
        : base(rows) { }

    /// <summary>Grouping of the rows.</summary>
    public required AllocationGrouping Grouping { get; init; }

    /// <summary>Bytes allocated by the runs, by the program's own exact count; null when a run lacks it.</summary>
    public required double? ExactBytes { get; init; }

    /// <summary>Number of samples or ticks.</summary>
    public long Events => AllRows.Sum(row => row.Events);

    /// <summary>Bytes that the samples or ticks represent.</summary>
    public double Bytes => AllRows.Sum(row => row.Bytes);

    /// <summary>Source of the bytes; null without rows or with mixed sources.</summary>
    public AllocationSource? Source => AllRows.Select(row => row.Source).Distinct().ToList() is [var only] ? only : null;
}

/// <summary>Allocations of one type, of one method, with one stack, or all of them.</summary>
public sealed record AllocationRow
{
    /// <summary>Table row of the allocating runs.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Type of the objects; null when the event lacks it, or when not grouped by type.</summary>
    public required string? Type { get; init; }

    /// <summary>Heap of the objects; null unless grouped by type or own method.</summary>
    public required AllocationKind? Heap { get; init; }

    /// <summary>
    /// Allocating method; by own method, the program's method that led to it. Null when the stack has none, and by type or serializer.
    /// </summary>
    public required MethodName? Method { get; init; }

    /// <summary>
    /// By stack: the managed methods, allocating one first; null when no stack was recorded, or when there are too many different stacks.
    /// </summary>
    public IReadOnlyList<StackMethod>? Stack { get; init; }

    /// <summary>Source of the bytes: sampled allocations or ticks.</summary>
    public required AllocationSource Source { get; init; }

    /// <summary>Number of samples or ticks.</summary>
    public required long Events { get; init; }

    /// <summary>Bytes that the samples or ticks represent.</summary>
    public required double Bytes { get; init; }

    /// <summary>
    /// Standard error of <see cref="Bytes"/> due to sampling, in bytes: bytes / √samples; null for ticks, whose error is not random.
    /// </summary>
    public double? ErrorBytes => Source == AllocationSource.Sampled && Events > 0 ? Bytes / Math.Sqrt(Events) : null;

    /// <summary>Share of the allocations of the same serializer and test, in %.</summary>
    public required double Percent { get; init; }

    /// <summary>Size of the largest object; 0 when the events lack it.</summary>
    public required long MaxObjectBytes { get; init; }

    /// <summary>By serializer: bytes allocated by its runs, by the program's own exact count; null when a run lacks it.</summary>
    public required double? ExactBytes { get; init; }
}

/// <summary>Grouping of the rows of an allocation report, in addition to the runs' serializer and test.</summary>
public enum AllocationGrouping
{
    /// <summary>By type and heap.</summary>
    Type = 0,

    /// <summary>By allocating method.</summary>
    Method = 1,

    /// <summary>All allocations of a serializer and test.</summary>
    Serializer = 2,

    /// <summary>By whole stack, starting at the allocating method.</summary>
    Stack = 3,

    /// <summary>
    /// By innermost method of the program or its libraries on the stack, and by heap: allocations in platform code count for its caller.
    /// </summary>
    Own = 4,

    /// <summary>Like <see cref="Own"/>, by source line.</summary>
    Line = 5,
}
