using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>First pass, marks: one draft a run, from any of its marks, so that a lost RunStart does not lose the run.</summary>
internal sealed class MarkCollector : IEventSubscriber
{
    private readonly Dictionary<int, RunDraft> _open = [];

    /// <summary>Runs in the order of their first mark.</summary>
    public List<RunDraft> Drafts { get; } = [];

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
        var draft = Get(waiting.RunId, draft => draft.MarkerWaiting is null && draft.MarkStart is null && !draft.Stopped);
        draft.MarkerWaiting = waiting.At.Time;
        draft.MarkerThread = waiting.At.ThreadId;
    }

    private void OnRunStarted(in RunStarted run)
    {
        var draft = Get(run.RunId, draft => draft.MarkStart is null && !draft.Stopped);
        draft.MarkStart = run.At.Time;
        draft.MeasuringThread = run.At.ThreadId;
        draft.Identity = run.Identity;
    }

    private void OnRunClockStopped(in RunClockStopped stopped)
    {
        var draft = Get(stopped.RunId, draft => draft.MarkClockStopped is null && !draft.Stopped);
        draft.MarkClockStopped = stopped.At.Time;
        draft.MeasuringThread ??= stopped.At.ThreadId;
    }

    private void OnProcessLaunched(in ProcessLaunched launched)
    {
        var draft = Get(launched.RunId, draft => draft.LaunchedTicks is null && !draft.Stopped);
        draft.LaunchedTicks = launched.LaunchedTicks;
        draft.MeasuringThread ??= launched.At.ThreadId;
    }

    private void OnRunStopped(in RunStopped run)
    {
        var draft = Get(run.RunId, draft => !draft.Stopped);
        draft.Stopped = true;
        draft.Identity ??= run.Identity;
        draft.Truth = run.Truth;
        draft.MeasuringThread ??= run.At.ThreadId;
    }

    /// <summary>The run of this number, or a new one when that has this mark already (a second clock in the process).</summary>
    private RunDraft Get(int runId, Func<RunDraft, bool> fits)
    {
        if (_open.TryGetValue(runId, out var draft) && fits(draft))
            return draft;
        draft = new RunDraft(runId);
        _open[runId] = draft;
        Drafts.Add(draft);
        return draft;
    }
}
