using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the main table and of the table of first uses: what names a row, and its measures.</summary>
public static class SummaryColumns
{
    /// <summary>All columns; those with a header make the main table.</summary>
    public static IReadOnlyList<Column<SummaryRow>> Main { get; } =
    [
        new("serializer", "Serializer", row => row.Key.Serializer),
        RunsColumns.Runtime<SummaryRow>(row => row.Runtime, row => row.Key.Runtime.Length > 0),
        new("library", null, row => row.Library),
        new("libraryVersion", null, row => row.LibraryVersion),
        new("test", "Test", row => row.Key.Test),
        new("operation", null, row => row.Key.Operation),
        new("kind", null, row => row.Key.Kind.ToString()),
        new("objects", "N", row => Positive(row.Key.ObjectCount), "0") { Absent = _ => Column<SummaryRow>.NotApplicable },
        new("payloadBytes", null, row => row.Key.PayloadBytes, "0"),
        new("threads", null, row => row.Key.ThreadCount, "0"),
        new("runs", "Runs", row => row.Runs, "0"),
        new("failedRuns", null, row => row.FailedRuns, "0"),
        .. MeasureColumns.OfRows(RunMeasures.All),
    ];

    /// <summary>Columns of the table of warm-up and first-call runs, for people; programs get all of <see cref="Main"/>.</summary>
    public static IReadOnlyList<Column<SummaryRow>> FirstUse { get; } = MeasureColumns.Shown(
        Main, ReportTables.FirstUse, [("serializer", "Serializer"), ("runtime", "Runtime"), ("test", "Test"), ("kind", "Kind"), ("objects", "N"), ("runs", "Runs")], RunMeasures.All);

    /// <summary>Columns of the table of processor time, for people; programs get all of <see cref="Main"/>.</summary>
    public static IReadOnlyList<Column<SummaryRow>> Processor { get; } = ProcessorColumns.Of(Main);

    private static int? Positive(int value) => value > 0 ? value : null;
}
