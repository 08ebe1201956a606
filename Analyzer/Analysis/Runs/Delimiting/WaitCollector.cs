using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.Delimiting;

/// <summary>
/// Finds the first wait of each run's marker thread after MarkerWaiting, by the runtime's wait events. Marks and waits may come from two
/// files, joined by their order on one thread. (The wait may begin some µs after RunStart: the runtime shows a thread as waiting shortly
/// before it writes the event.)
/// </summary>
/// <param name="runs">The runs, which receive their waits.</param>
/// <param name="ticksPerSecond">Ticks of the trace's clock in one second.</param>
internal sealed class WaitCollector(IEnumerable<AnnouncedRun> runs, long ticksPerSecond) : IEventSubscriber
{
    private readonly Dictionary<long, Waiter> _threads = MarkerThread.ByThread(runs, own => new Waiter(own, ticksPerSecond));

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<WaitStarted>(OnWaitStarted);
        hub.Subscribe<WaitStopped>(OnWaitStopped);
    }

    private void OnWaitStarted(in WaitStarted wait)
    {
        if (_threads.TryGetValue(wait.At.ThreadId, out var thread))
            thread.Begin(wait.At.Time);
    }

    private void OnWaitStopped(in WaitStopped stopped)
    {
        if (_threads.TryGetValue(stopped.At.ThreadId, out var thread))
            thread.End(stopped.At.Time);
    }

    private sealed class Waiter(AnnouncedRun[] runs, long ticksPerSecond) : MarkerThread(runs, ticksPerSecond)
    {
        /// <summary>The run with an unfinished wait.</summary>
        private AnnouncedRun? _waiting;

        public void Begin(long time)
        {
            _waiting = RunThatMayWaitFrom(time) is { Wait.EventStart: null } run ? run : null;
            if (_waiting is not null)
                _waiting.Wait = _waiting.Wait with { EventStart = time };
        }

        public void End(long time)
        {
            if (_waiting is not null)
                _waiting.Wait = _waiting.Wait with { EventStop = time };
            _waiting = null;
        }
    }
}
