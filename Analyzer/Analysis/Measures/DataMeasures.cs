namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>Serialized data.</summary>
public static class DataMeasures
{
    /// <summary>Size of the data.</summary>
    public static Measure<long> Bytes { get; } =
        new("dataBytes", "B", "0")
        {
            Header = "Data B",
            Shown = ReportTables.Runs | ReportTables.Main,
            IsInTotals = false,
            Definition = "Size of one run's serialized data; for a row, the median over its runs; `-` when the operation has none",
            Source = "RunStop, exact",
            Fallback = "run CSV",
            NotRecorded = "the program did not report it",
            Stored = new("data_bytes", "Size of the serialized data", "Size of one run's serialized data"),
            DoesNotApplyToRun = run => run.OwnGcs is not null,
            Collect = run => run.SelfMeasurement is { DataBytes: >= 0 } own ? own.DataBytes : null,
            OverRuns = OverRuns.LowerMedian,
        };

    /// <summary>All measures of this group, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [Bytes];
}
