using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Marks;

/// <summary>Runs operations under a clock and marks each run in the trace. One instance per process; not thread-safe.</summary>
/// <example>
/// <code>
/// using var clock = new RunClock();
/// for (var run = 0; run &lt; 10; run++)
///     clock.Measure("MySerializer", RunOperation.Serialize, 1000, () => serializer.Serialize(shelf, stream));
/// </code>
/// </example>
public sealed class RunClock : IDisposable
{
    /// <summary>The thread whose wait delimits the run.</summary>
    private readonly RunMarker _marker = new();

    /// <summary>Whether to read the machine's speed before and after each run.</summary>
    private readonly bool _probesSpeed;

    /// <summary>Number of runs by name, operation, objects and kind, for callers that do not number them.</summary>
    private readonly Dictionary<(string Name, string Operation, int ObjectCount, RunKind Kind), int> _numbers = [];

    /// <summary>Starts the marker thread.</summary>
    /// <param name="probesSpeed">
    /// Whether to read <see cref="SpeedProbe"/> before and after each run, outside of the measurement; about 0.2 ms each. Pass false if a
    /// program measures its first calls, because the probe's own code would be compiled before them.
    /// </param>
    /// <exception cref="TimeoutException">The marker thread did not block within ten seconds.</exception>
    public RunClock(bool probesSpeed = true)
    {
        _probesSpeed = probesSpeed;
        if (probesSpeed)
            SpeedProbe.WarmUp();

        // Compiles the code between the marker's and the clock's start and end. Otherwise its compilation would widen the marker's window
        // in the first run.
        RuntimeHelpers.PrepareDelegate(RunEventSource.Log.RunStart);
        RuntimeHelpers.PrepareDelegate(RunEventSource.Log.RunClockStopped);
        _marker.End();
    }

    /// <summary>Number of measured runs. The id of a run is its number in this process, from 1.</summary>
    public int Runs { get; private set; }

    /// <summary>
    /// Launch time of this process as <see cref="Stopwatch"/> ticks of its launcher; -1 when unknown. Written with the first run.
    /// </summary>
    public long LaunchedTicks { get; init; } = -1;

    /// <summary>Number of waits of the marker thread; always equals <see cref="Runs"/>, even after failures.</summary>
    public int MarkerWaits => _marker.Waits;

    /// <summary>
    /// Measures one run of a user's benchmark. Runs of equal name, operation and object count are numbered. The result may be ignored,
    /// because the trace contains it.
    /// </summary>
    /// <param name="name">What is measured, for example a serializer; the first column of the tables.</param>
    /// <param name="operation">One of <see cref="RunOperation"/>, or a name of your own.</param>
    /// <param name="objectCount">Objects in the graph (column N); 0 when it does not apply.</param>
    /// <param name="action">
    /// The operation to measure. An exception ends the run normally and is stored in <see cref="RunMeasurement.Error"/>.
    /// </param>
    /// <param name="kind"><see cref="RunKind.WarmUp"/> for runs that include compilation; tables show measured runs.</param>
    /// <returns>The self-measurement of the run.</returns>
    public RunMeasurement Measure(string name, string operation, int objectCount, Action action, RunKind kind = RunKind.Measured)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(operation);
        ArgumentNullException.ThrowIfNull(action);
        var series = (name, operation, objectCount, kind);
        _numbers[series] = _numbers.TryGetValue(series, out var before) ? before + 1 : 1;
        return Measure(
            new RunIdentity(name, "", "", operation, kind, objectCount, 0, _numbers[series], 1),
            () =>
            {
                action();
                return -1;
            }
        );
    }

    /// <summary>
    /// Measures one run. An exception of <paramref name="operation"/> ends the run normally (clock stopped, marker readied, RunStop written
    /// with the error) and is returned in <see cref="RunMeasurement.Error"/> instead of thrown, so that earlier results are not lost.
    /// </summary>
    /// <param name="identity">Names the run.</param>
    /// <param name="operation">The operation to measure; returns the size of the serialized data in bytes, -1 for none.</param>
    /// <returns>The self-measurement of the run.</returns>
    public RunMeasurement Measure(RunIdentity identity, Func<long> operation)
    {
        ArgumentNullException.ThrowIfNull(identity);
        ArgumentNullException.ThrowIfNull(operation);

        var runId = ++Runs;
        var log = RunEventSource.Log;
        long dataBytes = -1;
        Exception? failure = null;

        var probeBefore = _probesSpeed ? SpeedProbe.Nanoseconds() : SpeedProbe.NotRead;

        // Read before the marker waits, because the exact reading suspends the runtime and the marker's window should match the clock's.
        // From here to the clock's start, nothing allocates.
        var allocatedBefore = AllocationCounter.Bytes();
        int gen0 = GC.CollectionCount(0),
            gen1 = GC.CollectionCount(1),
            gen2 = GC.CollectionCount(2);
        var cpuBefore = ThreadCpuClock.Nanoseconds();
        _marker.Begin(runId, identity.Operation);
        log.RunStart(
            runId,
            identity.Serializer,
            identity.Library,
            identity.LibraryVersion,
            identity.Operation,
            (int)identity.Kind,
            identity.ObjectCount,
            identity.PayloadBytes,
            identity.RunNumber,
            identity.ThreadCount
        );
        if (cpuBefore >= 0)
            cpuBefore = ThreadCpuClock.Nanoseconds();
        var start = Stopwatch.GetTimestamp();
        try
        {
            dataBytes = operation();
        }
#pragma warning disable CA1031 // any exception of a serializer is the run's result
        catch (Exception exception)
#pragma warning restore CA1031
        {
            failure = exception;
        }

        var stop = Stopwatch.GetTimestamp();
        var cpuAfter = ThreadCpuClock.Nanoseconds();
        _marker.End(); // before the mark, because writing an event walks the stack, which takes about 25 µs
        log.RunClockStopped(runId);
        _marker.WaitUntilIdle();

        gen0 = GC.CollectionCount(0) - gen0;
        gen1 = GC.CollectionCount(1) - gen1;
        gen2 = GC.CollectionCount(2) - gen2;
        var allocated = allocatedBefore >= 0 ? AllocationCounter.Bytes() - allocatedBefore : -1;

        // CollectionCount(g) counts every GC of generation g or higher.
        var measurement = new RunMeasurement(
            start,
            stop,
            Stopwatch.Frequency,
            cpuBefore >= 0 && cpuAfter >= 0 ? cpuAfter - cpuBefore : -1,
            allocated,
            gen0 - gen1,
            gen1 - gen2,
            gen2,
            dataBytes,
            failure is null ? "" : RunError.Of(failure)
        )
        {
            LaunchedTicks = runId == 1 ? LaunchedTicks : -1,
        };
        if (measurement.LaunchedTicks >= 0)
            log.ProcessLaunched(runId, measurement.LaunchedTicks);
        log.RunStop(
            runId,
            identity.Serializer,
            identity.Library,
            identity.LibraryVersion,
            identity.Operation,
            (int)identity.Kind,
            identity.ObjectCount,
            identity.PayloadBytes,
            identity.RunNumber,
            identity.ThreadCount,
            measurement.StartTicks,
            measurement.StopTicks,
            measurement.TicksPerSecond,
            measurement.ThreadCpuNanoseconds,
            measurement.AllocatedBytes,
            measurement.Gen0,
            measurement.Gen1,
            measurement.Gen2,
            measurement.DataBytes,
            measurement.Error
        );
        return measurement with
        {
            ProbeBeforeNanoseconds = probeBefore,
            ProbeAfterNanoseconds = _probesSpeed ? SpeedProbe.Nanoseconds() : SpeedProbe.NotRead,
        };
    }

    /// <summary>Ends the marker thread.</summary>
    public void Dispose() => _marker.Dispose();
}
