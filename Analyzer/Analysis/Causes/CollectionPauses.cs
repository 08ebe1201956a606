using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>
/// When which thread kept the others suspended for a collection. What this thread does meanwhile is the collection: the workstation collector works on the thread that
/// allocates, and where the runtime's library has no symbols no frame tells it.
/// </summary>
internal sealed class CollectionPauses : TraceVisitor
{
    private readonly Suspensions _suspensions = new();
    private readonly Dictionary<long, Spans> _threads = [];

    public override void OnSuspendStarted(in EventAt at, SuspendReason reason) => _suspensions.Begin(at, reason);

    public override void OnRestarted(in EventAt at)
    {
        if (!_suspensions.TryEnd(at, out var start))
            return;
        if (!_threads.TryGetValue(at.ThreadId, out var spans))
            _threads.Add(at.ThreadId, spans = new Spans([], []));
        spans.Starts.Add(start);
        spans.Stops.Add(at.Time);
    }

    /// <summary>Whether a thread collects garbage at a time.</summary>
    public bool IsCollecting(long thread, long time)
    {
        if (!_threads.TryGetValue(thread, out var spans))
            return false;
        var index = spans.Starts.BinarySearch(time);
        index = index >= 0 ? index : ~index - 1;
        return index >= 0 && time < spans.Stops[index];
    }

    /// <summary>Pauses of a thread, in order of time; they do not overlap.</summary>
    /// <param name="Starts">Begins in ticks.</param>
    /// <param name="Stops">Ends in ticks.</param>
    private sealed record Spans(List<long> Starts, List<long> Stops);
}
