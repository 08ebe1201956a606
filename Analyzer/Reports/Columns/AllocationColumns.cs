using System.Globalization;
using EtwSerializerProfiler.Analysis.Allocation;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of allocations. docs/metrics.md defines each column; a test compares both.</summary>
public static class AllocationColumns
{
    /// <summary>Columns for a grouping.</summary>
    public static IReadOnlyList<Column<AllocationRow>> Of(AllocationGrouping grouping)
    {
        IReadOnlyList<Column<AllocationRow>> head = grouping switch
        {
            AllocationGrouping.Type => [new("type", "Type", row => row.Type), new("heap", "Heap", row => row.Heap?.ToString())],
            AllocationGrouping.Line =>
            [
                .. LineColumns.Of<AllocationRow>(row => row.Method),
                new("method", "Method", row => row.Method?.Name),
                new("heap", "Heap", row => row.Heap?.ToString()),
            ],
            AllocationGrouping.Own =>
            [
                new("method", "Method", row => row.Method?.Name),
                new("module", "Module", row => row.Method?.Module),
                new("heap", "Heap", row => row.Heap?.ToString()),
            ],
            AllocationGrouping.Method or AllocationGrouping.Stack =>
            [
                new("method", "Method", row => row.Method?.Name),
                new("module", "Module", row => row.Method?.Module),
            ],
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
            new("maxObjectBytes", "Largest B", row => row.MaxObjectBytes > 0 ? row.MaxObjectBytes : null, "0"),
        };
        Column<AllocationRow> exact = new("exactBytes", "Exact MB", row => row.ExactBytes, "0.000") { Scale = 1e6 };
        Column<AllocationRow>[] last = grouping switch
        {
            AllocationGrouping.Serializer => [exact, .. rest],
            AllocationGrouping.Stack => [.. rest, StackColumns.Frames<AllocationRow>(row => row.Stack)],
            _ => rest,
        };
        return [.. RunsColumns.Of<AllocationRow>(row => row.Runs), .. head, .. bytes, .. last];
    }

    /// <summary>Title of a stack: allocated bytes and runs.</summary>
    public static string Title(AllocationRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return string.Create(CultureInfo.InvariantCulture, $"{row.Bytes / 1e6:0.000} MB, {row.Percent:0.00} % ({row.Runs})");
    }
}
