using EtwSerializerProfiler.Analysis.Waits;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of waits. docs/metrics.md defines each; a test holds the two together.</summary>
public static class WaitColumns
{
    /// <summary>All columns.</summary>
    public static IReadOnlyList<Column<WaitRow>> All { get; } =
    [
        .. RunsColumns.Of<WaitRow>(row => row.Runs),
        new("method", "Waiting in", row => row.Method?.Name),
        new("module", "Module", row => row.Method?.Module),
        new("source", "Source", row => row.Source.ToString()),
        new("count", "Count", row => row.Count, "0"),
        new("ms", "Wait ms", row => row.Ms, "0.000"),
        new("maxMs", "Max ms", row => row.MaxMs, "0.000"),
    ];
}
