using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>First pass, marks: one draft a run, from any of its marks, so that a lost RunStart does not lose the run.</summary>
internal sealed class MarkCollector : TraceVisitor
{
    private readonly Dictionary<int, RunDraft> _open = [];

    /// <summary>Runs in the order of their first mark.</summary>
    public List<RunDraft> Drafts { get; } = [];

    public override void OnMarkerWaiting(in EventAt at, int runId)
    {
        var draft = Get(runId, draft => draft.MarkerWaiting is null && draft.MarkStart is null && !draft.Stopped);
        draft.MarkerWaiting = at.Time;
        draft.MarkerThread = at.ThreadId;
    }

    public override void OnRunStarted(in RunStarted run)
    {
        var draft = Get(run.RunId, draft => draft.MarkStart is null && !draft.Stopped);
        draft.MarkStart = run.At.Time;
        draft.MeasuringThread = run.At.ThreadId;
        draft.Identity = run.Identity;
    }

    public override void OnRunClockStopped(in EventAt at, int runId)
    {
        var draft = Get(runId, draft => draft.MarkClockStopped is null && !draft.Stopped);
        draft.MarkClockStopped = at.Time;
        draft.MeasuringThread ??= at.ThreadId;
    }

    public override void OnProcessLaunched(in EventAt at, int runId, long launchedTicks)
    {
        var draft = Get(runId, draft => draft.LaunchedTicks is null && !draft.Stopped);
        draft.LaunchedTicks = launchedTicks;
        draft.MeasuringThread ??= at.ThreadId;
    }

    public override void OnRunStopped(in RunStopped run)
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
