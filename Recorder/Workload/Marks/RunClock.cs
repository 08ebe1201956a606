using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Marks;

/// <summary>Runs operations under a clock and marks each run in the trace. One instance a process; not thread-safe.</summary>
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

    /// <summary>Whether the machine's speed is read before and after each run.</summary>
    private readonly bool _probesSpeed;

    /// <summary>Runs so far by name, operation, objects and kind, where the caller does not number them.</summary>
    private readonly Dictionary<(string Name, string Operation, int ObjectCount, RunKind Kind), int> _numbers = [];

    /// <summary>Starts the marker thread.</summary>
    /// <param name="probesSpeed">
    /// Whether <see cref="SpeedProbe"/> is read before and after each run, outside of all that is measured of it: some 0.2 ms each. False where a program measures
    /// what it does first, as the probe's own code would be compiled before.
    /// </param>
    /// <exception cref="TimeoutException">It did not block within ten seconds.</exception>
    public RunClock(bool probesSpeed = true)
    {
        _probesSpeed = probesSpeed;
        if (probesSpeed)
            SpeedProbe.WarmUp();

        // What runs between the marker's edges and the clock's is compiled now: in a first run, compiling it would widen the marker's window.
        RuntimeHelpers.PrepareDelegate(RunEventSource.Log.RunStart);
        RuntimeHelpers.PrepareDelegate(RunEventSource.Log.RunClockStopped);
        _marker.End();
    }

    /// <summary>Runs measured so far; the id of a run is its number in this process, from 1.</summary>
    public int Runs { get; private set; }

    /// <summary>When this process was launched by its launcher's reading of <see cref="Stopwatch"/>; -1 when it did not tell. The first run carries it.</summary>
    public long LaunchedTicks { get; init; } = -1;

    /// <summary>Waits of the marker thread so far; equals <see cref="Runs"/>, whatever fails in between.</summary>
    public int MarkerWaits => _marker.Waits;

    /// <summary>
    /// Measures one run of a benchmark of one's own. It is the next of its name, operation and object count; what it returns needs no look, as the trace holds it.
    /// </summary>
    /// <param name="name">What is measured, a serializer for example; the first column of the tables.</param>
    /// <param name="operation">One of <see cref="RunOperation"/>, or a name of your own.</param>
    /// <param name="objectCount">Objects in the graph, column N; 0 when it does not apply.</param>
    /// <param name="action">What to measure. Its exception ends the run in order and is in <see cref="RunTruth.Error"/>.</param>
    /// <param name="kind">Runs that pay for compilation are <see cref="RunKind.WarmUp"/>; tables show the measured ones.</param>
    /// <returns>What this process knows of the run.</returns>
    public RunTruth Measure(string name, string operation, int objectCount, Action action, RunKind kind = RunKind.Measured)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(operation);
        ArgumentNullException.ThrowIfNull(action);
        var series = (name, operation, objectCount, kind);
        _numbers[series] = _numbers.TryGetValue(series, out var before) ? before + 1 : 1;
        return Measure(new RunIdentity(name, "", "", operation, kind, objectCount, 0, _numbers[series], 1), () =>
        {
            action();
            return -1;
        });
    }

    /// <summary>
    /// Measures one run. An exception of <paramref name="operation"/> ends the run in order (clock stopped, marker woken, RunStop written with the
    /// error) and is returned in <see cref="RunTruth.Error"/>, not thrown: what was measured before it is not lost.
    /// </summary>
    /// <param name="identity">Names the run.</param>
    /// <param name="operation">What to measure; returns the size of the serialized data in bytes, -1 for none.</param>
    /// <returns>What this process knows of the run.</returns>
    public RunTruth Measure(RunIdentity identity, Func<long> operation)
    {
        ArgumentNullException.ThrowIfNull(identity);
        ArgumentNullException.ThrowIfNull(operation);

        var runId = ++Runs;
        var log = RunEventSource.Log;
        long dataBytes = -1;
        Exception? failure = null;

        var probeBefore = _probesSpeed ? SpeedProbe.Nanoseconds() : SpeedProbe.NotRead;

        // Read before the marker waits: the exact reading suspends the runtime, and the marker's window is to hug the clock's. Nothing from here to
        // the clock's start allocates.
        var allocatedBefore = AllocationCounter.Bytes();
        int gen0 = GC.CollectionCount(0), gen1 = GC.CollectionCount(1), gen2 = GC.CollectionCount(2);
        var cpuBefore = ThreadCpuClock.Nanoseconds();
        _marker.Begin(runId, identity.Operation);
        log.RunStart(
            runId, identity.Serializer, identity.Library, identity.LibraryVersion, identity.Operation, (int)identity.Kind, identity.ObjectCount, identity.PayloadBytes,
            identity.RunNumber, identity.ThreadCount);
        if (cpuBefore >= 0)
            cpuBefore = ThreadCpuClock.Nanoseconds();
        var start = Stopwatch.GetTimestamp();
        try
        {
            dataBytes = operation();
        }
#pragma warning disable CA1031 // whatever a serializer throws is the run's result
        catch (Exception exception)
#pragma warning restore CA1031
        {
            failure = exception;
        }

        var stop = Stopwatch.GetTimestamp();
        var cpuAfter = ThreadCpuClock.Nanoseconds();
        _marker.End(); // before the mark: writing an event walks the stack, which takes some 25 µs
        log.RunClockStopped(runId);
        _marker.WaitUntilIdle();

        gen0 = GC.CollectionCount(0) - gen0;
        gen1 = GC.CollectionCount(1) - gen1;
        gen2 = GC.CollectionCount(2) - gen2;
        var allocated = allocatedBefore >= 0 ? AllocationCounter.Bytes() - allocatedBefore : -1;

        // CollectionCount(g) counts every collection of generation g or higher.
        var truth = new RunTruth(
            start, stop, Stopwatch.Frequency, cpuBefore >= 0 && cpuAfter >= 0 ? cpuAfter - cpuBefore : -1, allocated, gen0 - gen1, gen1 - gen2, gen2, dataBytes,
            failure is null ? "" : RunError.Of(failure))
        {
            LaunchedTicks = runId == 1 ? LaunchedTicks : -1,
        };
        if (truth.LaunchedTicks >= 0)
            log.ProcessLaunched(runId, truth.LaunchedTicks);
        log.RunStop(
            runId, identity.Serializer, identity.Library, identity.LibraryVersion, identity.Operation, (int)identity.Kind, identity.ObjectCount, identity.PayloadBytes,
            identity.RunNumber, identity.ThreadCount, truth.StartTicks, truth.StopTicks, truth.TicksPerSecond, truth.ThreadCpuNanoseconds, truth.AllocatedBytes, truth.Gen0,
            truth.Gen1, truth.Gen2, truth.DataBytes, truth.Error);
        return truth with { ProbeBeforeNanoseconds = probeBefore, ProbeAfterNanoseconds = _probesSpeed ? SpeedProbe.Nanoseconds() : SpeedProbe.NotRead };
    }

    /// <summary>Ends the marker thread.</summary>
    public void Dispose() => _marker.Dispose();
}
