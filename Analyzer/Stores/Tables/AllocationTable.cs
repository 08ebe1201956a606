using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>alloc</c>.</summary>
public static class AllocationTable
{
    /// <summary>The table.</summary>
    public static StoreTable<AllocationRow> Table { get; } =
        new(
            "alloc",
            "Allocations of one type in the measured runs of one serializer and test",
            [
                .. RowKeyColumns.Of<AllocationRow>(row => row.Runs),
                new("type", "Type of the objects; (other) for types without a row", row => row.Type, isNullable: true),
                new("heap", "Heap of the objects", row => row.Heap?.ToString(), isNullable: true),
                new("source", "Sampled allocations or ticks", row => row.Source.ToString()),
                new("events", "Samples or ticks", row => row.Events),
                new("estimated_bytes", "Estimated bytes", row => row.Bytes),
                new("error_bytes", "Standard error of the estimate due to sampling; null for ticks", row => row.ErrorBytes),
                new("percent", "Share of all allocations of the same serializer and test", row => row.Percent),
                new("largest_object_bytes", "Largest object; 0 when unknown", row => row.MaxObjectBytes),
            ]
        );
}
