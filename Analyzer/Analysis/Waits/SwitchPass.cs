using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>
/// The waits of threads by their switches: those of the measuring threads, which make up the table's Wait and Waits, or those of all threads of a program without marks.
/// </summary>
internal sealed class SwitchPass : IEventSubscriber
{
    private readonly EventScope _scope;
    private readonly WaitTables _tables;
    private readonly WaitPlaces _places;
    private readonly WaitPass _events;
    private readonly bool _isProgram;
    private readonly ILookup<long, EventWait> _waits;
    private readonly Dictionary<long, WaitingThread> _threads = [];
    private long _last;

    /// <summary>Makes the pass.</summary>
    /// <param name="scope">The process.</param>
    /// <param name="tables">Gets the waits.</param>
    /// <param name="places">Finds where threads wait.</param>
    /// <param name="events">The same waits by events, which name their methods.</param>
    public SwitchPass(EventScope scope, WaitTables tables, WaitPlaces places, WaitPass events)
    {
        (_scope, _tables, _places, _events) = (scope, tables, places, events);
        _isProgram = WaitTables.IsProgram(scope.Runs);
        _waits = events.Waits.OrderBy(wait => wait.Start).ToLookup(wait => wait.Thread);
        foreach (var thread in scope.Runs.Select(run => run.MeasuringThread).OfType<long>().Distinct())
            _threads.Add(thread, Create(thread));
    }

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<SwitchOutStack>(OnSwitchOutStack);
        hub.Subscribe<SwitchInStack>(OnSwitchInStack);
        hub.Subscribe<SwitchedOut>(OnSwitchedOut);
        hub.Subscribe<SwitchedIn>(OnSwitchedIn);
        hub.Subscribe<ThreadReadied>(OnThreadReadied);
        hub.Subscribe<ThreadEnded>(OnThreadEnded);
    }

    private void OnSwitchOutStack(in SwitchOutStack stack) => Of(stack.At.ThreadId)?.LeavesFrom(stack);

    private void OnSwitchInStack(in SwitchInStack stack)
    {
        if (_threads.TryGetValue(stack.At.ThreadId, out var thread))
            thread.CameBackTo(stack);
    }

    private void OnSwitchedOut(in SwitchedOut switched)
    {
        _last = switched.At.Time;
        Of(switched.At.ThreadId)?.Leave(switched.At.Time, switched.IsPreempted);
    }

    private void OnSwitchedIn(in SwitchedIn switched)
    {
        _last = switched.At.Time;
        Of(switched.At.ThreadId)?.ComeBack(switched.At.Time);
    }

    // Threads of other processes are readied, too: only switches bring a new thread.
    private void OnThreadReadied(in ThreadReadied readied)
    {
        if (_threads.TryGetValue(readied.At.ThreadId, out var thread))
            thread.Ready(readied.At.Time, readied.ByThread);
    }

    private void OnThreadEnded(in ThreadEnded ended)
    {
        if (!_threads.TryGetValue(ended.At.ThreadId, out var thread))
            return;
        thread.Close(ended.At.Time);
        if (!_isProgram)
            return;

        // A program may have any number of short threads.
        thread.End(ended.At.Time);
        _threads.Remove(ended.At.ThreadId);
    }

    /// <summary>The trace has ended.</summary>
    public void End()
    {
        foreach (var thread in _threads.Values)
            thread.End(_last);
    }

    private WaitingThread? Of(long thread)
    {
        if (_threads.TryGetValue(thread, out var known) || !_isProgram)
            return known;
        _threads.Add(thread, known = Create(thread));
        return known;
    }

    private WaitingThread Create(long thread) => new(thread, _scope, _tables, _places, _events, [.. _waits[thread]]);
}
