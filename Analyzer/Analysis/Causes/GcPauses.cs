using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>
/// Records which thread kept the others suspended for a GC, and when. The thread's work in that time is the GC: workstation GC runs on the
/// allocating thread, and without symbols of the runtime's library no frame shows it. Keeps the stack that triggered each GC, because the
/// runtime's own unwinder walked it.
/// </summary>
internal sealed class GcPauses : IEventSubscriber
{
    private readonly Suspensions _suspensions = new();

    /// <summary>Stack that triggered the current GC, by thread.</summary>
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

    private void OnGcTriggered(in GcTriggered gc) => _triggers[gc.At.ThreadId] = gc.Stack.ToArray();

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

    /// <summary>Whether a thread performs a GC at a time.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="time">Time in ticks.</param>
    /// <param name="trigger">Managed return addresses of the stack that triggered the GC, leaf first; empty when unknown.</param>
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

    /// <summary>Pauses of a thread in time order, without overlap.</summary>
    /// <param name="Starts">Starts in ticks.</param>
    /// <param name="Stops">Ends in ticks.</param>
    /// <param name="Triggers">Stacks that triggered the GCs.</param>
    private sealed record Spans(List<long> Starts, List<long> Stops, List<ulong[]> Triggers);
}
