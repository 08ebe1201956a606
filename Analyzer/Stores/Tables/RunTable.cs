using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>
/// Table <c>run</c>: everything in a <see cref="Analysis.Runs.Run"/>, so that a store gives the same rows, comparisons and gates as the
/// trace.
/// </summary>
public static class RunTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredRun> Table { get; } =
        new(
            "run",
            "A run and its cost",
            [
                new("process", "Number of the process in the trace", row => row.Process),
                new("run", "Number of the run in its process, from 1", row => row.Run.RunId),
                new("serializer", "Serializer or program", row => row.Run.Identity.Serializer),
                new("library", "Assembly that implements it", row => row.Run.Identity.Library),
                new("library_version", "Its version", row => row.Run.Identity.LibraryVersion),
                new("operation", "Operation", row => row.Run.Identity.Operation),
                new("kind", "Measured, WarmUp or FirstCall", row => row.Run.Identity.Kind.ToString()),
                new("objects", "Objects in the graph; 0 when this does not apply", row => row.Run.Identity.ObjectCount),
                new("payload_bytes", "Extra bytes in each object", row => row.Run.Identity.PayloadBytes),
                new("threads", "Threads that run the operation at the same time", row => row.Run.Identity.ThreadCount),
                new("run_number", "Number of the run among its repetitions, from 1", row => row.Run.Identity.RunNumber),
                new("runtime", "Runtime of the run", row => row.Run.Runtime),
                new("several_runtimes", "Whether the trace has runs on other runtimes", row => row.Run.IsOneOfSeveralRuntimes),
                new(
                    "operations",
                    "Number of operations in the run: 1, except in an iteration of BenchmarkDotNet",
                    row => row.Run.Operations
                ),
                new("measuring_thread", "Operating-system id of the measuring thread", row => row.Run.MeasuringThread),
                new("delimiter", "Source of start and end", row => row.Run.Delimiter.ToString()),
                new("start_ticks", "Start on the trace's clock", row => row.Run.StartTicks),
                new("stop_ticks", "End on the trace's clock", row => row.Run.StopTicks),
                new("own_start_ticks", "Start by the program's own clock, in ticks of the trace's clock", row => row.Run.OwnClock?.Start),
                new("own_stop_ticks", "End by the program's own clock, in ticks of the trace's clock", row => row.Run.OwnClock?.Stop),
                new("start_ms", "Start relative to the start of the process's trace", row => row.Run.StartMs),
                new("stop_ms", "End relative to the start of the process's trace", row => row.Run.StopMs),
                new(
                    "launch_ms",
                    "Time from the launch of the process to the start of the run's clock; only for a process's first run",
                    row => row.Run.LaunchMs
                ),
                .. MeasureColumns.OfRuns([
                    .. WallMeasures.All,
                    .. GcMeasures.All,
                    .. AllocationMeasures.All,
                    .. JitMeasures.All,
                    MachineMeasures.Dump,
                    .. ExceptionMeasures.All,
                    .. LockMeasures.All,
                    .. CpuMeasures.All,
                    .. SchedulingMeasures.All,
                    .. SampleMeasures.All,
                    .. CauseMeasures.All,
                    .. MachineMeasures.Probes,
                    .. DataMeasures.All,
                    .. FootprintMeasures.All,
                ]),
                new("error", "Exception that ended the run; empty when it completed", row => row.Run.Error),
            ]
        );
}

/// <summary>A run.</summary>
/// <param name="Process">Number of its process in the trace.</param>
/// <param name="Run">The run.</param>
public sealed record StoredRun(int Process, Run Run);
