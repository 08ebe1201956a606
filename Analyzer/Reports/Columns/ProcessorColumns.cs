using EtwSerializerProfiler.Analysis.Measures;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>The table of processor time and waiting, of rows or runs.</summary>
internal static class ProcessorColumns
{
    private static readonly (string Key, string Header)[] s_names = [("runId", "Run"), ("serializer", "Serializer"), ("runtime", "Runtime"), ("test", "Test"), ("objects", "N"), ("runs", "Runs")];

    /// <summary>Those of <paramref name="all"/> that the table shows. The measuring thread's times stand beside the wall time that they add up to.</summary>
    public static IReadOnlyList<Column<T>> Of<T>(IReadOnlyList<Column<T>> all) =>
        MeasureColumns.Shown(all, ReportTables.Processor, s_names, [.. WallMeasures.All, .. SchedulingMeasures.All, .. RunMeasures.All.Except(WallMeasures.All).Except(SchedulingMeasures.All)]);
}
