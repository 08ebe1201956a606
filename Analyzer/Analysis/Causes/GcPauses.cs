using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>
/// When which thread kept the others suspended for a collection. What this thread does meanwhile is the collection: the workstation collector works on the thread that
/// allocates, and where the runtime's library has no symbols no frame tells it. Keeps the stack that triggered each collection, in memory: the runtime's own unwinder made it.
/// </summary>
internal sealed class GcPauses : IEventSubscriber
{
    private readonly Suspensions _suspensions = new();

    /// <summary>By thread, the stack that triggered the collection which is under way.</summary>
    private readonly Dictionary<long, ulong[]> _triggers = [];
    private readonly Dictionary<long, Spans> _threads = [];

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<SuspendStarted>(OnSuspendStarted);
        hub.Subscribe<GcTriggered>(OnGcTriggered, withStack: true);
        hub.Subscribe<RuntimeResumed>(OnRuntimeResumed);
    }

    private void OnSuspendStarted(in SuspendStarted suspension) => _suspensions.Begin(suspension.At, suspension.Reason);

    private void OnGcTriggered(in GcTriggered collection) => _triggers[collection.At.ThreadId] = collection.Stack.ToArray();

    private void OnRuntimeResumed(in RuntimeResumed resumed)
    {
        if (!_suspensions.TryEnd(resumed.At, out var start))
            return;
        _triggers.Remove(resumed.At.ThreadId, out var trigger);
        if (!_threads.TryGetValue(resumed.At.ThreadId, out var spans))
            _threads.Add(resumed.At.ThreadId, spans = new Spans([], [], []));
        spans.Starts.Add(start);
        spans.Stops.Add(resumed.At.Time);
        spans.Triggers.Add(trigger ?? []);
    }

    /// <summary>Whether a thread collects garbage at a time.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="time">When, in ticks.</param>
    /// <param name="trigger">Managed return addresses of the stack that triggered the collection, leaf first; empty when it is not known.</param>
    public bool IsCollecting(long thread, long time, out ReadOnlySpan<ulong> trigger)
    {
        trigger = default;
        if (!_threads.TryGetValue(thread, out var spans))
            return false;
        var index = spans.Starts.BinarySearch(time);
        index = index >= 0 ? index : ~index - 1;
        if (index < 0 || time >= spans.Stops[index])
            return false;
        trigger = spans.Triggers[index];
        return true;
    }

    /// <summary>Pauses of a thread, in order of time; they do not overlap.</summary>
    /// <param name="Starts">Begins in ticks.</param>
    /// <param name="Stops">Ends in ticks.</param>
    /// <param name="Triggers">Stacks that triggered the collections.</param>
    private sealed record Spans(List<long> Starts, List<long> Stops, List<ulong[]> Triggers);
}
