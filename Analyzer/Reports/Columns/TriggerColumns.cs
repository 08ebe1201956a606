using System.Globalization;
using EtwSerializerProfiler.Analysis.Gc;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of GC triggers. docs/metrics.md defines each column; a test compares both.</summary>
public static class TriggerColumns
{
    private static readonly IReadOnlyList<Column<TriggerRow>> s_all =
    [
        .. RunsColumns.Of<TriggerRow>(row => row.Runs),
        new("method", "Triggered by", row => row.Method?.Name),
        new("module", "Module", row => row.Method?.Module),
        new("reason", "Reason", row => row.Reason.ToString()),
        new("generation", "Gen", row => row.Generation, "0"),
        new("count", "Count", row => row.Count, "0"),
        new("pauseMs", "Pause ms", row => row.PauseMs, "0.000"),
        new("pauseInRunsMs", "In runs ms", row => row.PauseInRunsMs, "0.000"),
        new("maxPauseMs", "Max pause ms", row => row.MaxPauseMs, "0.000"),
    ];

    /// <summary>Columns for a grouping; none for single GCs.</summary>
    public static IReadOnlyList<Column<TriggerRow>> Of(GcGrouping grouping) =>
        grouping switch
        {
            GcGrouping.Method => s_all,
            GcGrouping.Stack => [.. s_all, StackColumns.Frames<TriggerRow>(row => row.Stack)],
            _ => [],
        };

    /// <summary>Title of a stack: number of GCs, pauses and runs.</summary>
    public static string Title(TriggerRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{row.Count} × {row.Reason} generation {row.Generation}, pauses {row.PauseMs:0.000} ms ({(row.Runs is { } runs ? runs.ToString() : "outside of runs")})"
        );
    }
}
