using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the main table and of the table of first uses. docs/metrics.md defines each; a test holds the two together.</summary>
public static class SummaryColumns
{
    private static readonly HashSet<string> s_firstUseHeaders = ["Serializer", "Runtime", "Test", "Kind", "N", "Runs", "Median ms", "Min ms", "JIT", "JIT ms", "GC 0/1/2", "Alloc MB", "B/object", "Exc"];

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
        Cost("wallMedianMs", "Median ms", row => row.WallMedianMs, "0.000"),
        Cost("wallMinMs", "Min ms", row => row.WallMinMs, "0.000"),
        Cost("wallMaxMs", null, row => row.WallMaxMs, "0.000"),
        Cost("wallIqrMs", null, row => row.WallIqrMs, "0.000"),
        Cost("wallTotalMs", null, row => row.WallTotalMs, "0.000"),
        new("spreadPercent", "Spread %", row => row.SpreadPercent, "0.0") { Absent = row => row.Runs == 0 ? "failed" : Column<SummaryRow>.NotApplicable },
        Cost("collectionsGen012", "GC 0/1/2", row => row.Collections?.ToString(), "G"),
        Cost("gen0Collections", null, row => row.Collections?.Gen0, "0"),
        Cost("gen1Collections", null, row => row.Collections?.Gen1, "0"),
        Cost("gen2Collections", null, row => row.Collections?.Gen2, "0"),
        Cost("pauseTotalMs", "Pause ms", row => row.PauseTotalMs, "0.000"),
        Cost("pauseMaxMs", "Max pause ms", row => row.PauseMaxMs, "0.000"),
        Cost("pausePercent", "Pause %", row => row.PausePercent, "0.0"),
        Cost("allocatedBytes", "Alloc MB", row => row.AllocatedBytes, "0.000") with { Scale = 1e6 },
        Cost("allocatedBytesSource", null, row => row.AllocatedBytesSource?.ToString()),
        Cost("allocatedBytesByEvents", null, row => row.AllocatedBytesByEvents, "0"),
        new("allocatedBytesPerObject", "B/object", row => row.AllocatedBytesPerObject, "0.0") { Absent = PerObjectAbsent },
        Cost("jitMethods", "JIT", row => row.JitMethods, "0"),
        Cost("jitMs", "JIT ms", row => row.JitMs, "0.000"),
        Cost("exceptions", "Exc", row => row.Exceptions, "0"),
        Cost("contentions", "Locks", row => row.Contentions, "0"),
        Cost("contentionMs", "Lock ms", row => row.ContentionMs, "0.000"),
        Cost("threadCpuMs", null, row => row.ThreadCpuMs, "0.000"),
        Cost("cpuMs", "CPU ms", row => row.CpuMs, "0.000"),
        Cost("reflectionMs", "Reflection ms", row => CauseColumns.Milliseconds(row.Causes, CauseCatalog.ReflectionGroup), "0.0"),
        Cost("activatorMs", "Activator ms", row => CauseColumns.Milliseconds(row.Causes, CauseCatalog.ActivatorGroup), "0.0"),
        Cost("onCpuMs", null, row => row.Measuring?.OnCpuMs, "0.000"),
        Cost("waitMs", null, row => row.Measuring?.WaitMs, "0.000"),
        Cost("readyMs", null, row => row.Measuring?.ReadyMs, "0.000"),
        Cost("readySource", null, row => row.Measuring?.ReadySource.ToString()),
        Cost("voluntarySwitches", null, row => row.Measuring?.VoluntarySwitches, "0"),
        Cost("involuntarySwitches", null, row => row.Measuring?.InvoluntarySwitches, "0"),
        Cost("gcThreadCpuMs", null, row => row.CollectorCpuMs, "0.000"),
        Cost("jitThreadCpuMs", null, row => row.CompilerCpuMs, "0.000"),
        Cost("samples", null, row => row.Samples?.Count, "0"),
        Cost("sampledCpuMs", null, row => row.Samples?.CpuMs, "0.000"),
        Cost("unsampledCpuMs", null, row => row.UnsampledCpuMs, "0.000"),
        new("kernelPercent", null, row => row.Samples?.KernelPercent, "0.0") { Absent = row => SamplesAbsent(row, row.Samples?.KernelCount is not null) },
        new("brokenStackPercent", null, row => row.Samples?.BrokenStackPercent, "0.0") { Absent = row => SamplesAbsent(row, row.Samples is not null) },
        new("dataBytes", "Data B", row => row.DataBytes, "0") { Absent = DataAbsent },
    ];

    /// <summary>Columns of the table of warm-up and first-call runs, for people; programs get all of <see cref="Main"/>.</summary>
    public static IReadOnlyList<Column<SummaryRow>> FirstUse { get; } =
        [.. Main.Select(column => column.Key == "kind" ? column with { Header = "Kind" } : column).Where(column => column.Header is { } header && s_firstUseHeaders.Contains(header))];

    /// <summary>Columns of the table of processor time, for people; programs get all of <see cref="Main"/>.</summary>
    public static IReadOnlyList<Column<SummaryRow>> Processor { get; } = ProcessorColumns.Of(Main, ("wallTotalMs", "Wall ms"));

    /// <summary>A share of no samples does not apply.</summary>
    private static string SamplesAbsent(SummaryRow row, bool wasRecorded) =>
        row.Runs == 0 ? "failed" : wasRecorded ? Column<SummaryRow>.NotApplicable : Column<SummaryRow>.NotRecorded;

    private static Column<SummaryRow> Cost(string key, string? header, Func<SummaryRow, object?> value, string format = "") =>
        new(key, header, value, format) { Absent = row => row.Runs == 0 ? "failed" : Column<SummaryRow>.NotRecorded };

    private static int? Positive(int value) => value > 0 ? value : null;

    private static string PerObjectAbsent(SummaryRow row) =>
        row.Runs == 0 ? "failed" : row.Key.ObjectCount == 0 ? Column<SummaryRow>.NotApplicable : Column<SummaryRow>.NotRecorded;

    /// <summary>A run whose truth is known and names no data has none.</summary>
    private static string DataAbsent(SummaryRow row) =>
        row.Runs == 0 ? "failed" : row.AllRuns.All(run => run.TruthCollections is not null) ? Column<SummaryRow>.NotApplicable : Column<SummaryRow>.NotRecorded;
}
