using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.Delimiting;

/// <summary>
/// Finds the sleep of each run's marker thread by context switches: the last switch-out before RunStart, and the ready event and switch-in
/// that end it. A sleep in pieces (Mono interrupts waits with its suspend signals) counts as one and ends with its last piece before the
/// run's clock stopped. The marker is the thread that wrote MarkerWaiting; for runs that only the run CSV names, it is the first thread
/// with the marker's name.
/// </summary>
/// <param name="runs">The runs, which receive their switches.</param>
/// <param name="ticksPerSecond">Ticks of the trace's clock in one second.</param>
internal sealed class SwitchCollector(IReadOnlyCollection<AnnouncedRun> runs, long ticksPerSecond) : IEventSubscriber
{
    /// <summary>Runs that only the run CSV names, until their marker is known.</summary>
    private AnnouncedRun[] _unannounced =
    [
        .. runs.Where(run => run.Marks is { MarkerWaiting: null, NotBefore: not null }).OrderBy(run => run.Marks.NotBefore),
    ];

    private readonly Dictionary<long, Sleeper> _threads = MarkerThread.ByThread(runs, own => new Sleeper(own, ticksPerSecond));

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
        _threads[named.At.ThreadId] = new Sleeper(_unannounced, ticksPerSecond);
        _unannounced = [];
    }

    private void OnSwitchedOut(in SwitchedOut switched)
    {
        if (_threads.TryGetValue(switched.At.ThreadId, out var thread))
            thread.SwitchOut(switched.At.Time);
    }

    private void OnThreadReadied(in ThreadReadied readied)
    {
        if (_threads.TryGetValue(readied.At.ThreadId, out var thread))
            thread.Ready(readied);
    }

    private void OnSwitchedIn(in SwitchedIn switched)
    {
        if (_threads.TryGetValue(switched.At.ThreadId, out var thread))
            thread.SwitchIn(switched.At.Time);
    }

    private sealed class Sleeper(AnnouncedRun[] runs, long ticksPerSecond) : MarkerThread(runs, ticksPerSecond)
    {
        /// <summary>The run for which the thread sleeps; null while it idles.</summary>
        private AnnouncedRun? _run;

        public void SwitchOut(long time)
        {
            _run = RunThatMayWaitFrom(time);
            if (_run is null)
                return;

            // A sleep that was over when the run's clock started is not the run's: it was the idle one, or the thread seemed to sleep just
            // before it really did.
            var started = _run.Marks.ClockStarted;
            var left = _run.Wait.SwitchedOut is null || time <= started || _run.Wait.SwitchedIn <= started ? time : _run.Wait.SwitchedOut;
            // The event that ended the previous piece was not the end.
            _run.Wait = _run.Wait with
            {
                SwitchedOut = left,
                Readied = null,
                SwitchedIn = null,
            };
        }

        public void Ready(in ThreadReadied readied)
        {
            if (_run is not { Wait.SwitchedOut: not null } run)
                return;
            if (run.Wait is { Readied: null, SwitchedIn: null })
                run.Wait = run.Wait with { Readied = readied.At.Time };
            if (readied.ByThread is { } by && run.Wait.Readied == readied.At.Time)
                run.Wait = run.Wait with { ReadiedBy = by };
        }

        public void SwitchIn(long time)
        {
            if (_run is { Wait: { SwitchedOut: not null, SwitchedIn: null } } run)
                run.Wait = run.Wait with { SwitchedIn = time };
        }
    }
}
