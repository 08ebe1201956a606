using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>Allocation.</summary>
public static class AllocationMeasures
{
    private const string Exact = "GC.GetTotalAllocatedBytes(true) differences in RunStop or the run CSV, exact";
    private const string Estimate = "sampled allocations: Σ size / (1 - e^(-size / 102,400)), about 3 % at 1,272 samples; else the sum of allocation ticks, ± 100 KB a run";
    private const string None = "neither the program's count nor allocation events were recorded";
    private const string NoEvents = "no allocation events";

    /// <summary>Bytes allocated.</summary>
    public static Measure<double> Bytes { get; } = new("allocatedBytes", "B", "0.000")
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

    /// <summary>What <see cref="Bytes"/> was taken from.</summary>
    public static Measure<AllocationSource> Source { get; } = new("allocatedBytesSource", "")
    {
        IsInTotals = false,
        Definition = "What `allocatedBytes` was taken from: Truth, Sampled or Ticks; of a row the least exact",
        NotRecorded = None,
        Stored = new("allocated_source", "What that was taken from"),
        Collect = run => run.Allocated?.Source,
        OverRuns = OverRuns.Max,
    };

    /// <summary>Bytes allocated by events.</summary>
    public static Measure<double> BytesByEvents { get; } = new("allocatedBytesByEvents", "B", "0")
    {
        IsInTotals = false,
        Definition = "The estimate by events, also where the exact number is known, for comparison",
        Source = Estimate,
        NotRecorded = NoEvents,
        Stored = new("allocated_by_events_bytes", "The same as the trace's events estimate it"),
        Collect = run => run.AllocatedByEvents?.Bytes,
    };

    /// <summary>What <see cref="BytesByEvents"/> was taken from.</summary>
    public static Measure<AllocationSource> SourceByEvents { get; } = new("allocatedBytesByEventsSource", "")
    {
        Fields = ReportFields.Runs,
        Definition = "What `allocatedBytesByEvents` was taken from: Sampled or Ticks",
        NotRecorded = NoEvents,
        Stored = new("allocated_by_events_source", "What that was taken from"),
        Collect = run => run.AllocatedByEvents?.Source,
        OverRuns = OverRuns.Max,
    };

    /// <summary>Bytes an object.</summary>
    public static Measure<double> BytesPerObject { get; } = new("allocatedBytesPerObject", "B", "0.0")
    {
        Header = "B/object",
        Fields = ReportFields.Table,
        Shown = ReportTables.Main | ReportTables.FirstUse,
        IsInTotals = false,
        Definition = "`allocatedBytes` / (runs × objects), of iterations of BenchmarkDotNet / (operations × objects); `-` without objects",
        Source = Exact,
        Fallback = Estimate,
        NotRecorded = None,
        Stored = new("allocated_bytes_per_object", null, "Bytes allocated for each object"),
        DoesNotApplyToRow = row => row.Key.ObjectCount == 0,
        OfRow = row => row.AllocatedBytesPerObject,
    };

    /// <summary>All, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [Bytes, Source, BytesByEvents, SourceByEvents, BytesPerObject];
}
