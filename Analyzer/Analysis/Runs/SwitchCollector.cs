using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// First pass, context switches: gives each run the sleep of its marker thread: the last switch-out before RunStart, and the waking and switch-in that
/// end it. A sleep in pieces (Mono interrupts waits with its suspend signals) is one: it ends with its last piece before the run's clock stopped. The thread is the one that
/// wrote MarkerWaiting; of runs that only the run CSV tells it is the first one that is named as the marker.
/// </summary>
/// <param name="drafts">The runs that <see cref="MarkCollector"/> found or that the run CSV tells; they get their switches.</param>
/// <param name="ticksPerSecond">Ticks of the trace's clock in one second.</param>
internal sealed class SwitchCollector(IReadOnlyCollection<RunDraft> drafts, long ticksPerSecond) : IEventSubscriber
{
    /// <summary>Runs that only the run CSV tells, until their marker is known.</summary>
    private RunDraft[] _unannounced = [.. drafts.Where(draft => draft is { MarkerWaiting: null, NotBefore: not null }).OrderBy(draft => draft.NotBefore)];

    private readonly Dictionary<long, Sleeper> _threads = MarkerThread.ByThread(drafts, runs => new Sleeper(runs, ticksPerSecond));

    /// <summary>Whether a marker thread was seen.</summary>
    public bool HasMarker => _threads.Count > 0;

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<ThreadNamed>(OnThreadNamed);
        hub.Subscribe<SwitchedOut>(OnSwitchedOut);
        hub.Subscribe<ThreadReadied>(OnThreadReadied);
        hub.Subscribe<SwitchedIn>(OnSwitchedIn);
    }

    private void OnThreadNamed(in ThreadNamed named)
    {
        if (_unannounced.Length == 0 || named.Name != RunMarker.ThreadName)
            return;
        foreach (var draft in _unannounced)
            draft.MarkerThread = named.At.ThreadId;
        _threads[named.At.ThreadId] = new Sleeper(_unannounced, ticksPerSecond);
        _unannounced = [];
    }

    private void OnSwitchedOut(in SwitchedOut switched)
    {
        if (_threads.TryGetValue(switched.At.ThreadId, out var thread))
            thread.Leave(switched.At.Time);
    }

    private void OnThreadReadied(in ThreadReadied readied)
    {
        if (_threads.TryGetValue(readied.At.ThreadId, out var thread))
            thread.Ready(readied);
    }

    private void OnSwitchedIn(in SwitchedIn switched)
    {
        if (_threads.TryGetValue(switched.At.ThreadId, out var thread))
            thread.Come(switched.At.Time);
    }

    private sealed class Sleeper(RunDraft[] runs, long ticksPerSecond) : MarkerThread(runs, ticksPerSecond)
    {
        /// <summary>The run the thread sleeps for; null while it idles.</summary>
        private RunDraft? _run;

        public void Leave(long time)
        {
            _run = RunThatMayWaitFrom(time);
            if (_run is null)
                return;

            // A sleep that was over when the run's clock started is not the run's: it was the idle one, or the thread was seen to sleep just before it really left.
            if (_run.SwitchedOut is null || time <= _run.ClockStarted || _run.SwitchedIn <= _run.ClockStarted)
                _run.SwitchedOut = time;
            _run.MadeReady = _run.SwitchedIn = null; // what ended the piece before was no end
        }

        public void Ready(in ThreadReadied readied)
        {
            if (_run is { SwitchedOut: not null, SwitchedIn: null })
                _run.MadeReady ??= readied.At.Time;
            if (readied.ByThread is { } waker && _run?.MadeReady == readied.At.Time)
                _run.Waker = waker;
        }

        public void Come(long time)
        {
            if (_run is { SwitchedOut: not null })
                _run.SwitchedIn ??= time;
        }
    }
}
