using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Forwards each context switch of a process, its stack, and ready events to the thread.</summary>
/// <param name="create">Creates a thread at its first switch; returns null for one that does not count.</param>
internal sealed class ThreadFollower(Func<long, FollowedThread?> create) : IEventSubscriber
{
    private readonly Dictionary<long, FollowedThread?> _threads = [];

    /// <summary>Ended threads: a system-wide trace has their last switch-out after their end.</summary>
    private readonly HashSet<long> _ended = [];
    private long _last;

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

    /// <summary>The trace has ended.</summary>
    public void End()
    {
        foreach (var thread in _threads.Values)
            thread?.End(_last);
        _threads.Clear();
    }

    private void OnSwitchOutStack(in SwitchOutStack stack) => Leaving(stack.At.ThreadId)?.LeavesFrom(stack);

    private void OnSwitchInStack(in SwitchInStack stack) => _threads.GetValueOrDefault(stack.At.ThreadId)?.CameBackTo(stack);

    private void OnSwitchedOut(in SwitchedOut switched)
    {
        _last = switched.At.Time;
        if (Leaving(switched.At.ThreadId) is not { } thread)
            return;
        if (switched is { IsStackOmitted: true, IsPreempted: false })
            thread.StackIsOmitted();
        thread.SwitchOut(switched.At.Time, switched.IsPreempted);
    }

    private void OnSwitchedIn(in SwitchedIn switched)
    {
        _last = switched.At.Time;
        if (_ended.Count > 0)
            _ended.Remove(switched.At.ThreadId);
        Of(switched.At.ThreadId)?.ComeBack(switched.At.Time);
    }

    // Ready events also occur for threads of other processes, so only switches create a thread.
    private void OnThreadReadied(in ThreadReadied readied) =>
        _threads.GetValueOrDefault(readied.At.ThreadId)?.Ready(readied.At.Time, readied.ByThread);

    // Removes the thread, because a program may have any number of short-lived threads.
    private void OnThreadEnded(in ThreadEnded ended)
    {
        if (_threads.Remove(ended.At.ThreadId, out var thread))
            thread?.End(ended.At.Time);
        _ended.Add(ended.At.ThreadId);
    }

    private FollowedThread? Leaving(long thread) => _ended.Count > 0 && _ended.Contains(thread) ? null : Of(thread);

    private FollowedThread? Of(long thread)
    {
        if (!_threads.TryGetValue(thread, out var known))
            _threads.Add(thread, known = create(thread));
        return known;
    }
}

/// <summary>A thread followed by <see cref="ThreadFollower"/>.</summary>
internal abstract class FollowedThread : SwitchedThread
{
    /// <summary>Receives the stack of the next switch-out.</summary>
    public abstract void LeavesFrom(in SwitchOutStack stack);

    /// <summary>The thread leaves to wait, without a stack because threads switched too often.</summary>
    public abstract void StackIsOmitted();

    /// <summary>Receives the stack of a switch-in.</summary>
    public abstract void CameBackTo(in SwitchInStack stack);

    /// <summary>The thread was switched in.</summary>
    public abstract void ComeBack(long time);

    /// <summary>The thread or the trace ended.</summary>
    public abstract void End(long time);

    /// <summary>The thread was readied.</summary>
    /// <param name="time">Time.</param>
    /// <param name="byThread">Thread that readied it; null when unknown.</param>
    public virtual void Ready(long time, long? byThread) => Ready(time);
}
