using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.Delimiting;

/// <summary>
/// First pass over a source with marks and the markers' waits or switches. The announcement of its first wait identifies a marker thread,
/// so its events can be kept (a few per run) until all marks are known, and the source need not be read again for them.
/// </summary>
internal sealed class MarkerEvents : IEventSubscriber
{
    /// <summary>The marker threads.</summary>
    private readonly HashSet<long> _threads = [];

    private readonly List<(Kind Kind, EventAt At)> _events = [];

    private enum Kind
    {
        WaitStarted,
        WaitStopped,
        SwitchedOut,
        Readied,
        SwitchedIn,
    }

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<MarkerWaiting>(OnMarkerWaiting);
        hub.Subscribe<WaitStarted>(OnWaitStarted);
        hub.Subscribe<WaitStopped>(OnWaitStopped);
        hub.Subscribe<SwitchedOut>(OnSwitchedOut);
        hub.Subscribe<ThreadReadied>(OnThreadReadied);
        hub.Subscribe<SwitchedIn>(OnSwitchedIn);
    }

    private void OnMarkerWaiting(in MarkerWaiting waiting) => _threads.Add(waiting.At.ThreadId);

    private void OnWaitStarted(in WaitStarted wait) => Keep(Kind.WaitStarted, wait.At);

    private void OnWaitStopped(in WaitStopped stopped) => Keep(Kind.WaitStopped, stopped.At);

    private void OnSwitchedOut(in SwitchedOut switched) => Keep(Kind.SwitchedOut, switched.At);

    private void OnThreadReadied(in ThreadReadied readied) => Keep(Kind.Readied, readied.At);

    private void OnSwitchedIn(in SwitchedIn switched) => Keep(Kind.SwitchedIn, switched.At);

    /// <summary>Publishes the kept events again, to join them with the marks.</summary>
    public void Replay(EventHub hub)
    {
        foreach (var (kind, at) in _events)
        {
            switch (kind)
            {
                case Kind.WaitStarted:
                    hub.Publish(new WaitStarted { At = at });
                    break;
                case Kind.WaitStopped:
                    hub.Publish(new WaitStopped(at));
                    break;
                case Kind.SwitchedOut:
                    hub.Publish(new SwitchedOut(at, IsPreempted: false));
                    break;
                case Kind.Readied:
                    hub.Publish(new ThreadReadied(at, null));
                    break;
                default:
                    hub.Publish(new SwitchedIn(at));
                    break;
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
