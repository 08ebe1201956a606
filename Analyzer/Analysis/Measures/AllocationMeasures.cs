using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>Allocation.</summary>
public static class AllocationMeasures
{
    private const string Exact = "differences of GC.GetTotalAllocatedBytes(true) in RunStop or the run CSV, exact";
    private const string Estimate =
        "sampled allocations: Σ size / (1 - e^(-size / 102,400)), about 3 % at 1,272 samples; else the sum of allocation ticks, ± 100 KB a run";
    private const string None = "neither the program's count nor allocation events were recorded";
    private const string NoEvents = "no allocation events";

    /// <summary>Allocated bytes.</summary>
    public static Measure<double> Bytes { get; } =
        new("allocatedBytes", "B", "0.000")
        {
            Header = "Alloc MB",
            Scale = 1e6,
            Shown = ReportTables.Runs | ReportTables.Main | ReportTables.FirstUse | ReportTables.Timeline,
            Definition = "Bytes allocated by all threads of the process; the column shows 10⁶ B",
            Source = Exact,
            Fallback = Estimate,
            NotRecorded = None,
            Stored = new("allocated_bytes", "Bytes allocated by all threads of the process", "Bytes allocated over all runs"),
            Compared = new("alloc", "Alloc MB", MetricKind.Bytes),
            Collect = run => run.Allocated?.Bytes,
        };

    /// <summary>Source of <see cref="Bytes"/>.</summary>
    public static Measure<AllocationSource> Source { get; } =
        new("allocatedBytesSource", "")
        {
            IsInTotals = false,
            Definition = "Source of `allocatedBytes`: SelfReported, Sampled or Ticks; for a row, the least exact of its runs",
            NotRecorded = None,
            Stored = new("allocated_source", "Source of the allocated bytes: SelfReported, Sampled or Ticks"),
            Collect = run => run.Allocated?.Source,
            OverRuns = OverRuns.Max,
        };

    /// <summary>Allocated bytes, estimated from events.</summary>
    public static Measure<double> BytesByEvents { get; } =
        new("allocatedBytesByEvents", "B", "0")
        {
            IsInTotals = false,
            Definition = "Estimate by events, also when the exact number is known, for comparison",
            Source = Estimate,
            NotRecorded = NoEvents,
            Stored = new("allocated_by_events_bytes", "Allocated bytes as the trace's events estimate them"),
            Collect = run => run.AllocatedByEvents?.Bytes,
        };

    /// <summary>Source of <see cref="BytesByEvents"/>.</summary>
    public static Measure<AllocationSource> SourceByEvents { get; } =
        new("allocatedBytesByEventsSource", "")
        {
            Fields = ReportFields.Runs,
            Definition = "Source of `allocatedBytesByEvents`: Sampled or Ticks",
            NotRecorded = NoEvents,
            Stored = new("allocated_by_events_source", "Source of the estimate: Sampled or Ticks"),
            Collect = run => run.AllocatedByEvents?.Source,
            OverRuns = OverRuns.Max,
        };

    /// <summary>Allocated bytes per object.</summary>
    public static Measure<double> BytesPerObject { get; } =
        new("allocatedBytesPerObject", "B", "0.0")
        {
            Header = "B/object",
            Fields = ReportFields.Table,
            Shown = ReportTables.Main | ReportTables.FirstUse,
            IsInTotals = false,
            Definition =
                "`allocatedBytes` / (runs × objects); for iterations of BenchmarkDotNet / (operations × objects); `-` without objects",
            Source = Exact,
            Fallback = Estimate,
            NotRecorded = None,
            Stored = new("allocated_bytes_per_object", null, "Bytes allocated per object"),
            DoesNotApplyToRow = row => row.Key.ObjectCount == 0,
            OfRow = row => row.AllocatedBytesPerObject,
        };

    /// <summary>All measures of this group, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [Bytes, Source, BytesByEvents, SourceByEvents, BytesPerObject];
}
