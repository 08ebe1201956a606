using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;

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

/// <summary>Allocations of one type, of one method, with one stack, or all of them.</summary>
public sealed record AllocationRow
{
    /// <summary>The table's row whose runs allocated.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Type of the objects; null when the event does not tell, and unless by type.</summary>
    public required string? Type { get; init; }

    /// <summary>Heap they lie on; null unless by type or by own method.</summary>
    public required AllocationKind? Heap { get; init; }

    /// <summary>Method that allocated, or by own method the program's that led to it; null when the stack has none, and by type or serializer.</summary>
    public required MethodName? Method { get; init; }

    /// <summary>By stack: the managed methods, that which allocated first; null when no stack was recorded or there are too many different ones.</summary>
    public IReadOnlyList<StackMethod>? Stack { get; init; }

    /// <summary>What the number of bytes comes from: sampled allocations or ticks.</summary>
    public required AllocationSource Source { get; init; }

    /// <summary>Samples or ticks.</summary>
    public required long Events { get; init; }

    /// <summary>Bytes that these stand for.</summary>
    public required double Bytes { get; init; }

    /// <summary>Standard error of <see cref="Bytes"/> by chance, in bytes: bytes / √samples; null of ticks, whose error is no chance.</summary>
    public double? ErrorBytes => Source == AllocationSource.Sampled && Events > 0 ? Bytes / Math.Sqrt(Events) : null;

    /// <summary>Share of what the same serializer and test allocated, in %.</summary>
    public required double Percent { get; init; }

    /// <summary>Largest object; 0 when the events do not tell.</summary>
    public required long LargestObjectBytes { get; init; }

    /// <summary>By serializer: bytes that its runs allocated by the program's own exact count; null when one of them does not know it.</summary>
    public required double? ExactBytes { get; init; }
}

/// <summary>What the rows of an allocation report stand for, beside the runs' serializer and test.</summary>
public enum AllocationGrouping
{
    /// <summary>A type and the heap its objects lie on.</summary>
    Type = 0,

    /// <summary>The method that allocates.</summary>
    Method = 1,

    /// <summary>Nothing more: all allocations of a serializer and test.</summary>
    Serializer = 2,

    /// <summary>The whole stack, from the method that allocates outwards.</summary>
    Stack = 3,

    /// <summary>The innermost method of the program or its libraries on the stack, and the heap: platform code that allocates counts for its caller.</summary>
    Own = 4,

    /// <summary>The same by source line.</summary>
    Line = 5,
}
