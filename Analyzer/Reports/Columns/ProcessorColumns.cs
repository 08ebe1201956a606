namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>The table of processor time and waiting: columns of a row or a run under headers of their own.</summary>
internal static class ProcessorColumns
{
    private static readonly (string Key, string Header)[] s_head = [("runId", "Run"), ("serializer", "Serializer"), ("runtime", "Runtime"), ("test", "Test"), ("objects", "N"), ("runs", "Runs")];

    private static readonly (string Key, string Header)[] s_columns =
    [
        ("onCpuMs", "On-CPU ms"), ("waitMs", "Wait ms"), ("readyMs", "Ready ms"), ("voluntarySwitches", "Waits"), ("involuntarySwitches", "Preempted"), ("cpuMs", "CPU ms"),
        ("gcThreadCpuMs", "GC threads ms"), ("jitThreadCpuMs", "JIT threads ms"), ("samples", "Samples"), ("unsampledCpuMs", "Kernel or unsampled ms"), ("kernelPercent", "Kernel %"),
        ("brokenStackPercent", "Broken %"),
    ];

    /// <summary>Those of <paramref name="all"/> that belong into the table.</summary>
    /// <param name="all">All columns.</param>
    /// <param name="wall">Key and header of the wall time that the thread's times add up to.</param>
    public static IReadOnlyList<Column<T>> Of<T>(IReadOnlyList<Column<T>> all, (string Key, string Header) wall) =>
    [
        .. s_head.Append(wall).Concat(s_columns)
            .Select(wanted => all.FirstOrDefault(column => column.Key == wanted.Key) is { } column ? column with { Header = wanted.Header } : null).OfType<Column<T>>(),
    ];
}
