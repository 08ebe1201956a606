using EtwSerializerProfiler.Analysis.Jit;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of JIT compilations. docs/metrics.md defines each column; a test compares both.</summary>
public static class JitColumns
{
    /// <summary>All columns.</summary>
    public static IReadOnlyList<Column<JitRow>> All { get; } =
    [
        .. RunsColumns.Of<JitRow>(row => row.Runs),
        new("method", "Method", row => row.Method),
        new("tier", "Tier", row => row.Tier.ToString()),
        new("threads", "Threads", row => row.Threads?.ToString()),
        new("count", "Count", row => row.Count, "0"),
        new("ms", "JIT ms", row => row.Ms, "0.000"),
        new("ilBytes", "IL B", row => row.IlBytes, "0"),
        new("nativeBytes", "Native B", row => row.NativeBytes, "0"),
    ];
}
