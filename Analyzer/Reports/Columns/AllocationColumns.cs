using EtwSerializerProfiler.Analysis.Allocation;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of allocations. docs/metrics.md defines each; a test holds the two together.</summary>
public static class AllocationColumns
{
    /// <summary>Columns for rows of a kind.</summary>
    public static IReadOnlyList<Column<AllocationRow>> Of(AllocationGrouping grouping)
    {
        IReadOnlyList<Column<AllocationRow>> head = grouping switch
        {
            AllocationGrouping.Type => [new("type", "Type", row => row.Type), new("heap", "Heap", row => row.Heap?.ToString())],
            AllocationGrouping.Method => [new("method", "Method", row => row.Method?.Name), new("module", "Module", row => row.Method?.Module)],
            _ => [],
        };
        var bytes = new Column<AllocationRow>[]
        {
            new("estimatedBytes", "Est. MB", row => row.Bytes, "0.000") { Scale = 1e6 },
            new("errorBytes", "± MB", row => row.ErrorBytes, "0.000") { Scale = 1e6, Absent = _ => Column<AllocationRow>.NotApplicable },
        };
        var rest = new Column<AllocationRow>[]
        {
            new("percent", "Alloc %", row => row.Percent, "0.00"),
            new("events", "Events", row => row.Events, "0"),
            new("source", "Source", row => row.Source.ToString()),
            new("largestObjectBytes", "Largest B", row => row.LargestObjectBytes > 0 ? row.LargestObjectBytes : null, "0"),
        };
        Column<AllocationRow> exact = new("exactBytes", "Exact MB", row => row.ExactBytes, "0.000") { Scale = 1e6 };
        return [.. RunsColumns.Of<AllocationRow>(row => row.Runs), .. head, .. bytes, .. grouping == AllocationGrouping.Serializer ? [exact, .. rest] : rest];
    }
}
