using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>A thread, where it waits and for what.</summary>
/// <param name="thread">The thread.</param>
/// <param name="scope">Its process.</param>
/// <param name="tables">Gets its waits.</param>
/// <param name="places">Finds where it waits.</param>
/// <param name="pauses">Knows the pauses for GCs.</param>
/// <param name="events">Its waits by events, by begin.</param>
internal sealed class WaitingThread(long thread, EventScope scope, WaitTables tables, WaitPlaces places, WaitPass pauses, EventWait[] events) : FollowedThread
{
    /// <summary>Waits that have ended and may get their stack yet: the thread may be preempted before it leaves the kernel, where its stack is taken.</summary>
    private const int Remembered = 16;

    private readonly Wait[] _ended = new Wait[Remembered];
    private int _next;

    /// <summary>Where the thread was when it left its processor; null when no stack came.</summary>
    private WaitPlace? _place;

    /// <summary>The wait under way, or one that ends now; null for none.</summary>
    private Wait? _wait;

    /// <summary>The first wait by events that has not ended.</summary>
    private int _nextEvent;

    /// <summary>When the thread was seen first.</summary>
    private long? _first;

    /// <inheritdoc />
    public override void LeavesFrom(in SwitchOutStack stack) => _place = places.Of(stack.At, stack.Frames, stack.KernelFrames, stack.Dump);

    /// <inheritdoc />
    public override void Leave(long time, bool isPreempted)
    {
        _first ??= time;
        base.Leave(time, isPreempted);
        Add(_wait); // its switch-in was lost
        _wait = null;
        var place = _place;
        _place = null;
        if (isPreempted)
            return;
        while (_nextEvent < events.Length && events[_nextEvent].Stop < time)
            _nextEvent++;
        var byEvent = _nextEvent < events.Length && events[_nextEvent].Start <= time ? events[_nextEvent].Place : (WaitPlace?)null;
        _wait = new Wait(time, 0, 0, 0, Best(byEvent, place), null);
    }

    /// <inheritdoc />
    public override void ComeBack(long time)
    {
        _first ??= time;
        Come(time);
        if (_wait is not { } wait)
            return;
        _wait = null;
        ref var oldest = ref _ended[_next++ % Remembered];
        Add(oldest);
        oldest = wait with { Back = time };
    }

    /// <inheritdoc />
    public override void CameBackTo(in SwitchInStack stack)
    {
        foreach (ref var wait in _ended.AsSpan())
        {
            if (wait.Left > 0 && wait.Back == stack.At.Time && wait.Place is null)
                wait = wait with { Place = places.Of(stack.At, stack.Frames, stack.KernelFrames) };
        }
    }

    /// <inheritdoc />
    public override void Ready(long time, long? byThread)
    {
        base.Ready(time, byThread);
        if (_wait is { } wait)
            _wait = wait with { ReadiedBy = wait.ReadiedBy ?? byThread };
    }

    /// <inheritdoc />
    public override void End(long time)
    {
        if (scope.ThreadName(thread).StartsWith(WaitFrames.PoolWorker, StringComparison.Ordinal) && _first is { } first)
            tables.PoolOf(scope)?.AddWorker(first, time);
        Close(time);
        Add(_wait);
        foreach (var wait in _ended)
            Add(wait);
    }

    /// <inheritdoc />
    protected override void Ran(long start, long stop) => tables.Add(scope, thread, start, stop, isReady: false);

    /// <inheritdoc />
    protected override void WasReady(long start, long stop) => tables.Add(scope, thread, start, stop, isReady: true);

    /// <inheritdoc />
    protected override void Waited(long start, long stop)
    {
        if (_wait is { } wait)
            _wait = wait with { Start = start, Stop = stop };
    }

    /// <summary>The runtime walked the stack of its event and missed no frame, so it counts before that of the switch.</summary>
    private static WaitPlace? Best(WaitPlace? byEvent, WaitPlace? bySwitch)
    {
        if (byEvent is not { } known || known.Method != MethodTable.None)
            return byEvent ?? bySwitch;
        return bySwitch is { } found ? found with { Reason = known.Reason == WaitReason.Unknown ? found.Reason : known.Reason } : known.Reason == WaitReason.Unknown ? null : known;
    }

    /// <summary>Adds a wait that is complete.</summary>
    private void Add(Wait? ended)
    {
        if (ended is not { Left: > 0 } wait)
            return;
        var place = wait.Place ?? places.OfThread(thread);
        if (place.Reason is WaitReason.Unknown or WaitReason.Runtime && pauses.IsPause(wait.Start, wait.Stop))
            place = place with { Reason = WaitReason.Gc };
        if (place is { IsPool: true, Reason: not WaitReason.Idle })
            tables.PoolOf(scope)?.AddWait(wait.Start, wait.Stop);
        tables.Add(scope, thread, wait.Left, wait.Start, wait.Stop, WaitSource.Switches, place, wait.ReadiedBy);
    }

    /// <summary>A wait of the thread.</summary>
    /// <param name="Left">When it left its processor; 0 for no wait.</param>
    /// <param name="Start">Begin of the time it waited.</param>
    /// <param name="Stop">End of that time: when it was readied, else its switch-in; the same as <paramref name="Start"/> when that was lost.</param>
    /// <param name="Back">When it came back to a processor, 0 when it has not.</param>
    /// <param name="Place">Where it waits, and for what; null when no stack came yet.</param>
    /// <param name="ReadiedBy">Thread that readied it; null when that is not known.</param>
    private readonly record struct Wait(long Left, long Start, long Stop, long Back, WaitPlace? Place, long? ReadiedBy);
}
