using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>run</c>: everything that makes a <see cref="Analysis.Runs.Run"/>, so that rows, comparisons and gates come out of a store as out of the trace.</summary>
public static class RunTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredRun> Table { get; } = new("run", "A run and what it cost",
    [
        new("process", "Number of the process in the trace", row => row.Process),
        new("run", "Number of the run in its process, from 1", row => row.Run.RunId),
        new("serializer", "Serializer or program", row => row.Run.Identity.Serializer),
        new("library", "Assembly that implements it", row => row.Run.Identity.Library),
        new("library_version", "Its version", row => row.Run.Identity.LibraryVersion),
        new("operation", "Operation", row => row.Run.Identity.Operation),
        new("kind", "Measured, WarmUp or FirstCall", row => row.Run.Identity.Kind.ToString()),
        new("objects", "Objects in the graph, 0 when that does not apply", row => row.Run.Identity.ObjectCount),
        new("payload_bytes", "Extra bytes in each object", row => row.Run.Identity.PayloadBytes),
        new("threads", "Threads that run the operation at the same time", row => row.Run.Identity.ThreadCount),
        new("run_number", "Number of the run among its repetitions, from 1", row => row.Run.Identity.RunNumber),
        new("runtime", "Runtime that ran it", row => row.Run.Runtime),
        new("several_runtimes", "Whether other runs of the trace ran on other runtimes", row => row.Run.IsOneOfSeveralRuntimes),
        new("operations", "Times the operation was made in the run: 1, but in an iteration of BenchmarkDotNet", row => row.Run.Operations),
        new("measuring_thread", "Operating-system thread that measured", row => row.Run.MeasuringThread),
        new("delimiter", "What begin and end were taken from", row => row.Run.Delimiter.ToString()),
        new("start_ticks", "Begin on the trace's clock", row => row.Run.StartTicks),
        new("stop_ticks", "End on the trace's clock", row => row.Run.StopTicks),
        new("own_start_ticks", "Begin by the program's own clock, in ticks of the trace's clock", row => row.Run.OwnClock?.Start),
        new("own_stop_ticks", "End by the program's own clock, in ticks of the trace's clock", row => row.Run.OwnClock?.Stop),
        new("start_ms", "Begin since the process's trace began", row => row.Run.StartMs),
        new("stop_ms", "End since the process's trace began", row => row.Run.StopMs),
        new("launch_ms", "From the launch of the process to the start of the run's clock; of a process's first run", row => row.Run.LaunchMs),
        .. MeasureColumns.OfRuns(
        [
            .. WallMeasures.All, .. GcMeasures.All, .. AllocationMeasures.All, .. JitMeasures.All, MachineMeasures.Dump, .. ExceptionMeasures.All, .. LockMeasures.All, .. CpuMeasures.All,
            .. SchedulingMeasures.All, .. SampleMeasures.All, .. CauseMeasures.All, .. MachineMeasures.Probes, .. DataMeasures.All,
        ]),
        new("error", "Exception that ended the run, empty when it completed", row => row.Run.Error),
    ]);
}

/// <summary>A run.</summary>
/// <param name="Process">Number of its process in the trace.</param>
/// <param name="Run">The run.</param>
public sealed record StoredRun(int Process, Run Run);
