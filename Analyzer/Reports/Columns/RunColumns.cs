using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of runs. docs/metrics.md defines each; a test holds the two together.</summary>
public static class RunColumns
{
    /// <summary>All columns; those with a header make the table.</summary>
    public static IReadOnlyList<Column<Run>> All { get; } =
    [
        new("processId", "Process", run => run.ProcessId, "0"),
        new("runId", "Run", run => run.RunId, "0"),
        new("serializer", "Serializer", run => run.Identity.Serializer),
        RunsColumns.Runtime<Run>(run => run.Runtime, run => run.IsOneOfSeveralRuntimes),
        new("library", null, run => run.Identity.Library),
        new("libraryVersion", null, run => run.Identity.LibraryVersion),
        new("test", "Test", run => SummaryKey.Of(run).Test),
        new("operation", null, run => run.Identity.Operation),
        new("kind", "Kind", run => run.Identity.Kind.ToString()),
        new("objects", "N", run => run.Identity.ObjectCount > 0 ? run.Identity.ObjectCount : null, "0") { Absent = _ => Column<Run>.NotApplicable },
        new("payloadBytes", null, run => run.Identity.PayloadBytes, "0"),
        new("threads", null, run => run.Identity.ThreadCount, "0"),
        new("runNumber", "No", run => run.Identity.RunNumber, "0"),
        new("startMs", "Start ms", run => run.StartMs, "0.000"),
        new("stopMs", "Stop ms", run => run.StopMs, "0.000"),
        new("startTicks", null, run => run.StartTicks, "0"),
        new("stopTicks", null, run => run.StopTicks, "0"),
        new("wallMs", "Wall ms", run => run.WallMs, "0.000"),
        new("delimiter", "Delimiter", run => run.Delimiter.ToString()),
        new("startDifferenceUs", "Start diff µs", run => run.StartDifferenceUs, "0.0"),
        new("stopDifferenceUs", "Stop diff µs", run => run.StopDifferenceUs, "0.0"),
        new("durationDifferenceUs", "Wall diff µs", run => run.DurationDifferenceUs, "0.0"),
        new("markerDurationDifferenceUs", "Marker diff µs", run => run.MarkerDurationDifferenceUs, "0.0"),
        new("markerMarksDifferenceUs", null, run => run.MarkerMarksDifferenceUs, "0.0"),
        new("collectionsGen012", "GC 0/1/2", run => run.Collections?.ToString(), "G"),
        new("truthCollectionsGen012", null, run => run.TruthCollections?.ToString(), "G"),
        new("pauseTotalMs", "Pause ms", run => run.PauseTotalMs, "0.000"),
        new("pauseMaxMs", null, run => run.PauseMaxMs, "0.000"),
        new("pausePercent", null, run => run.PausePercent, "0.0"),
        new("allocatedBytes", "Alloc MB", run => run.AllocatedBytes, "0.000") { Scale = 1e6 },
        new("allocatedBytesSource", null, run => run.AllocatedBytesSource?.ToString()),
        new("allocatedBytesByEvents", null, run => run.AllocatedBytesByEvents, "0"),
        new("allocatedBytesByEventsSource", null, run => run.AllocatedBytesByEventsSource?.ToString()),
        new("jitMethods", "JIT", run => run.JitMethods, "0"),
        new("jitMs", "JIT ms", run => run.JitMs, "0.000"),
        new("exceptions", "Exc", run => run.Exceptions, "0"),
        new("contentions", "Locks", run => run.Contentions, "0"),
        new("contentionMs", null, run => run.ContentionMs, "0.000"),
        new("threadCpuMs", "Thread CPU ms", run => run.ThreadCpuMs, "0.000"),
        new("slowPercent", "Slow %", run => run.SlowPercent, "0.0"),
        new("probeBeforeNs", null, run => run.ProbeBeforeNs, "0"),
        new("probeAfterNs", null, run => run.ProbeAfterNs, "0"),
        new("cpuMs", null, run => run.CpuMs, "0.000"),
        new("reflectionMs", null, run => CauseColumns.Milliseconds(run.Causes, CauseCatalog.ReflectionGroup), "0.0"),
        new("activatorMs", null, run => CauseColumns.Milliseconds(run.Causes, CauseCatalog.ActivatorGroup), "0.0"),
        new("onCpuMs", null, run => run.Measuring?.OnCpuMs, "0.000"),
        new("waitMs", null, run => run.Measuring?.WaitMs, "0.000"),
        new("readyMs", null, run => run.Measuring?.ReadyMs, "0.000"),
        new("readySource", null, run => run.Measuring?.ReadySource.ToString()),
        new("voluntarySwitches", null, run => run.Measuring?.VoluntarySwitches, "0"),
        new("involuntarySwitches", null, run => run.Measuring?.InvoluntarySwitches, "0"),
        new("gcThreadCpuMs", null, run => run.CollectorCpuMs, "0.000"),
        new("jitThreadCpuMs", null, run => run.CompilerCpuMs, "0.000"),
        new("samples", null, run => run.Samples?.Count, "0"),
        new("sampledCpuMs", null, run => run.Samples?.CpuMs, "0.000"),
        new("unsampledCpuMs", null, run => run.UnsampledCpuMs, "0.000"),
        new("kernelPercent", null, run => run.Samples?.KernelPercent, "0.0") { Absent = run => ShareAbsent(run.Samples?.KernelCount is not null) },
        new("brokenStackPercent", null, run => run.Samples?.BrokenStackPercent, "0.0") { Absent = run => ShareAbsent(run.Samples is not null) },
        new("dataBytes", "Data B", run => run.DataBytes, "0") { Absent = run => run.TruthCollections is not null ? Column<Run>.NotApplicable : Column<Run>.NotRecorded },
        new("error", "Error", run => run.Error.ReplaceLineEndings(" ")),
    ];

    /// <summary>Columns of the table of processor time, for people; programs get all of <see cref="All"/>.</summary>
    public static IReadOnlyList<Column<Run>> Processor { get; } = ProcessorColumns.Of(All, ("wallMs", "Wall ms"));

    /// <summary>A share of no samples does not apply.</summary>
    private static string ShareAbsent(bool wasRecorded) => wasRecorded ? Column<Run>.NotApplicable : Column<Run>.NotRecorded;
}
