using EtwSerializerProfiler.Analysis.Measures;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of processor time and waiting, for rows or runs.</summary>
internal static class ProcessorColumns
{
    private static readonly (string Key, string Header)[] s_names =
    [
        ("runId", "Run"),
        ("serializer", "Serializer"),
        ("runtime", "Runtime"),
        ("test", "Test"),
        ("objects", "N"),
        ("runs", "Runs"),
    ];

    /// <summary>Selects the table's columns. The measuring thread's times are beside the wall time, because they add up to it.</summary>
    public static IReadOnlyList<Column<T>> Of<T>(IReadOnlyList<Column<T>> all) =>
        MeasureColumns.Shown(
            all,
            ReportTables.Processor,
            s_names,
            [.. WallMeasures.All, .. SchedulingMeasures.All, .. RunMeasures.All.Except(WallMeasures.All).Except(SchedulingMeasures.All)]
        );
}
