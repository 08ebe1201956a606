using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// First pass over a source that has the marks and the markers' waits or switches: which thread is a marker is known when its first wait is announced, so its
/// events can be kept (a few a run) until all marks are known, and the source need not be read again for them.
/// </summary>
internal sealed class MarkerEvents : TraceVisitor
{
    /// <summary>The markers.</summary>
    private readonly HashSet<long> _threads = [];

    private readonly List<(Kind Kind, EventAt At)> _events = [];

    private enum Kind
    {
        WaitStarted,
        WaitStopped,
        SwitchedOut,
        MadeReady,
        SwitchedIn,
    }

    public override void OnMarkerWaiting(in EventAt at, int runId) => _threads.Add(at.ThreadId);

    public override void OnWaitStarted(in WaitStarted wait) => Keep(Kind.WaitStarted, wait.At);

    public override void OnWaitStopped(in EventAt at) => Keep(Kind.WaitStopped, at);

    public override void OnSwitchedOut(in EventAt at, bool isPreempted) => Keep(Kind.SwitchedOut, at);

    public override void OnMadeReady(in EventAt at) => Keep(Kind.MadeReady, at);

    public override void OnSwitchedIn(in EventAt at) => Keep(Kind.SwitchedIn, at);

    /// <summary>Tells them to those that join them with the marks.</summary>
    public void Replay(WaitCollector waits, SwitchCollector switches)
    {
        foreach (var (kind, at) in _events)
        {
            switch (kind)
            {
                case Kind.WaitStarted: waits.OnWaitStarted(new WaitStarted { At = at }); break;
                case Kind.WaitStopped: waits.OnWaitStopped(at); break;
                case Kind.SwitchedOut: switches.OnSwitchedOut(at, isPreempted: false); break;
                case Kind.MadeReady: switches.OnMadeReady(at); break;
                default: switches.OnSwitchedIn(at); break;
            }
        }

        _events.Clear();
    }

    private void Keep(Kind kind, in EventAt at)
    {
        if (_threads.Contains(at.ThreadId))
            _events.Add((kind, at));
    }
}
