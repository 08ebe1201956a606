using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// First pass, waits: gives each run the first wait of its marker thread after MarkerWaiting. Marks and waits may come from two files; order on
/// one thread joins them. A wait that begins after the run's clock has stopped is not the run's: its own wait was lost and this is the idle one.
/// (It may begin some µs after RunStart: the runtime shows a thread as waiting shortly before it writes the event.)
/// </summary>
internal sealed class WaitCollector : TraceVisitor
{
    private readonly Dictionary<long, MarkerThread> _threads = [];

    /// <summary>Takes the runs that <see cref="MarkCollector"/> found.</summary>
    /// <param name="drafts">The runs; they get their waits.</param>
    /// <param name="ticksPerSecond">Ticks of the trace's clock in one second.</param>
    public WaitCollector(IEnumerable<RunDraft> drafts, long ticksPerSecond)
    {
        foreach (var group in drafts.Where(draft => draft.MarkerWaiting is not null).GroupBy(draft => draft.MarkerThread))
            _threads.Add(group.Key, new MarkerThread([.. group.OrderBy(draft => draft.MarkerWaiting)], ticksPerSecond));
    }

    public override void OnWaitStarted(in EventAt at)
    {
        if (_threads.TryGetValue(at.ThreadId, out var thread))
            thread.Begin(at.Time);
    }

    public override void OnWaitStopped(in EventAt at)
    {
        if (_threads.TryGetValue(at.ThreadId, out var thread))
            thread.End(at.Time);
    }

    /// <summary>The runs a marker thread waits for, in order, and where it stands among them.</summary>
    private sealed class MarkerThread(RunDraft[] runs, long ticksPerSecond)
    {
        private int _next;
        private RunDraft? _waiting;

        public void Begin(long time)
        {
            _waiting = null;
            RunDraft? current = null;
            while (_next < runs.Length && runs[_next].MarkerWaiting <= time)
                current = runs[_next++];
            if (current is null || time > current.ClockStopped(ticksPerSecond))
                return;
            current.WaitStart = time;
            _waiting = current;
        }

        public void End(long time)
        {
            if (_waiting is null)
                return;
            _waiting.WaitStop = time;
            _waiting = null;
        }
    }
}
