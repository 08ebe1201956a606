using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>alloc</c>.</summary>
public static class AllocationTable
{
    /// <summary>The table.</summary>
    public static StoreTable<AllocationRow> Table { get; } = new("alloc", "Allocations of one type in the measured runs of one serializer and test",
    [
        .. RowKeyColumns.Of<AllocationRow>(row => row.Runs),
        new("type", "Type of the objects; (other) for types without a row", row => row.Type, isNullable: true),
        new("heap", "Heap they lie on", row => row.Heap?.ToString(), isNullable: true),
        new("source", "Sampled allocations or ticks", row => row.Source.ToString()),
        new("events", "Samples or ticks", row => row.Events),
        new("estimated_bytes", "Bytes that these stand for", row => row.Bytes),
        new("error_bytes", "Standard error of that by chance; null of ticks", row => row.ErrorBytes),
        new("percent", "Share of what the same serializer and test allocated", row => row.Percent),
        new("largest_object_bytes", "Largest object; 0 when the events do not tell", row => row.LargestObjectBytes),
    ]);
}
