using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.Marking;

/// <summary>Collects the marks of each run. Any mark announces a run, so that a lost RunStart does not lose it.</summary>
internal sealed class MarkCollector : IEventSubscriber
{
    /// <summary>Index of the last run by run number.</summary>
    private readonly Dictionary<int, int> _open = [];

    private readonly List<RunMarks> _runs = [];

    /// <summary>Runs in the order of their first mark.</summary>
    public IReadOnlyList<RunMarks> Runs => _runs;

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<MarkerWaiting>(OnMarkerWaiting);
        hub.Subscribe<RunStarted>(OnRunStarted);
        hub.Subscribe<RunClockStopped>(OnRunClockStopped);
        hub.Subscribe<ProcessLaunched>(OnProcessLaunched);
        hub.Subscribe<RunStopped>(OnRunStopped);
    }

    private void OnMarkerWaiting(in MarkerWaiting waiting)
    {
        ref var run = ref Run(waiting.RunId, static run => run.MarkerWaiting is null && run.MarkStart is null && !run.Stopped);
        run = run with { MarkerWaiting = waiting.At.Time, MarkerThread = waiting.At.ThreadId };
    }

    private void OnRunStarted(in RunStarted started)
    {
        ref var run = ref Run(started.RunId, static run => run.MarkStart is null && !run.Stopped);
        run = run with { MarkStart = started.At.Time, MeasuringThread = started.At.ThreadId, Identity = started.Identity };
    }

    private void OnRunClockStopped(in RunClockStopped stopped)
    {
        ref var run = ref Run(stopped.RunId, static run => run.MarkClockStopped is null && !run.Stopped);
        run = run with { MarkClockStopped = stopped.At.Time, MeasuringThread = run.MeasuringThread ?? stopped.At.ThreadId };
    }

    private void OnProcessLaunched(in ProcessLaunched launched)
    {
        ref var run = ref Run(launched.RunId, static run => run.LaunchedTicks is null && !run.Stopped);
        run = run with { LaunchedTicks = launched.LaunchedTicks, MeasuringThread = run.MeasuringThread ?? launched.At.ThreadId };
    }

    private void OnRunStopped(in RunStopped stopped)
    {
        ref var run = ref Run(stopped.RunId, static run => !run.Stopped);
        run = run with
        {
            Stopped = true,
            Identity = run.Identity ?? stopped.Identity,
            SelfMeasurement = stopped.SelfMeasurement,
            MeasuringThread = run.MeasuringThread ?? stopped.At.ThreadId,
        };
    }

    /// <summary>The run with this number, or a new one if that already has this mark (a second clock in the process).</summary>
    private ref RunMarks Run(int runId, Func<RunMarks, bool> lacksMark)
    {
        if (!_open.TryGetValue(runId, out var place) || !lacksMark(_runs[place]))
        {
            _open[runId] = place = _runs.Count;
            _runs.Add(new RunMarks(runId));
        }

        return ref CollectionsMarshal.AsSpan(_runs)[place];
    }
}
