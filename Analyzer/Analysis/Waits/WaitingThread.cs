using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>A thread with the locations and reasons of its waits.</summary>
/// <param name="thread">The thread.</param>
/// <param name="scope">Its process.</param>
/// <param name="tables">Receives its waits.</param>
/// <param name="places">Finds the locations of its waits.</param>
/// <param name="pauses">Provides the GC pauses.</param>
/// <param name="events">Its waits by events, ordered by start.</param>
/// <param name="sleeps">Its sleeps by samples, ordered by start.</param>
internal sealed class WaitingThread(
    long thread,
    EventScope scope,
    WaitTables tables,
    WaitPlaces places,
    WaitPass pauses,
    EventWait[] events,
    EventWait[] sleeps
) : FollowedThread
{
    /// <summary>
    /// Number of completed waits that may still get their stack: the thread may be preempted before it leaves the kernel, where its stack
    /// is taken.
    /// </summary>
    private const int Remembered = 16;

    private readonly Wait[] _ended = new Wait[Remembered];
    private int _next;

    /// <summary>Location of the thread at its switch-out; null when no stack came.</summary>
    private WaitPlace? _place;

    /// <summary>Locations of the last waits that only their stack shows.</summary>
    private readonly SampledWaits<WaitPlace> _sampled = new();

    /// <summary>Whether the stack of the next wait was omitted.</summary>
    private bool _isOmitted;

    /// <summary>The current wait, or one that just ended; null for none.</summary>
    private Wait? _wait;

    /// <summary>Index of the first unfinished wait by events.</summary>
    private int _nextEvent;

    /// <summary>End of the thread's last wait.</summary>
    private long _back = long.MinValue;

    /// <summary>Time at which the thread was first seen.</summary>
    private long? _first;

    /// <inheritdoc />
    public override void LeavesFrom(in SwitchOutStack stack) => _place = places.Of(stack.At, stack.Frames, stack.KernelFrames, stack.Dump);

    /// <inheritdoc />
    public override void StackIsOmitted() => _isOmitted = true;

    /// <inheritdoc />
    public override void SwitchOut(long time, bool isPreempted)
    {
        _first ??= time;
        base.SwitchOut(time, isPreempted);
        Add(_wait); // its switch-in was lost
        _wait = null;
        var (place, isOmitted) = (_place, _isOmitted);
        (_place, _isOmitted) = (null, false);
        if (isPreempted)
            return;
        while (_nextEvent < events.Length && events[_nextEvent].Stop < time)
            _nextEvent++;
        var byEvent = _nextEvent < events.Length && events[_nextEvent].Start <= time ? events[_nextEvent].Place : (WaitPlace?)null;
        _wait = new Wait(time, 0, 0, 0, Best(byEvent, place), null)
        {
            IsOmitted = isOmitted,
            IsSample = place is not null && byEvent is null,
            BackBefore = _back,
        };
    }

    /// <inheritdoc />
    public override void ComeBack(long time)
    {
        _first ??= time;
        SwitchIn(time);
        if (_wait is not { } wait)
            return;
        _wait = null;
        _back = time;
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

    /// <summary>The runtime walked its event's stack and missed no frame, so it takes precedence over the switch's stack.</summary>
    private static WaitPlace? Best(WaitPlace? byEvent, WaitPlace? bySwitch)
    {
        if (byEvent is not { } known || known.Method != MethodInterner.None)
            return byEvent ?? bySwitch;
        return bySwitch is { } found ? found with { Reason = known.Reason == WaitReason.Unknown ? found.Reason : known.Reason }
            : known.Reason == WaitReason.Unknown ? null
            : known;
    }

    /// <summary>Adds a complete wait.</summary>
    private void Add(Wait? ended)
    {
        if (ended is not { Left: > 0 } wait)
            return;
        var place = wait.Place ?? PlaceLike(wait) ?? SleepIn(wait) ?? places.OfThread(thread);
        if (wait.IsSample)
            _sampled.Add(wait.Stop - wait.Start, place);
        if (place.Reason == WaitReason.Unknown && pauses.Idle.IsIdle(thread, wait.BackBefore, wait.Left, Math.Max(wait.Left, wait.Stop)))
            place = place with { Reason = WaitReason.Idle };
        if (place.Reason is WaitReason.Unknown or WaitReason.Runtime && pauses.IsPause(wait.Start, wait.Stop))
            place = place with { Reason = WaitReason.Gc };
        if (place is { IsPool: true, Reason: not WaitReason.Idle })
            tables.PoolOf(scope)?.AddWait(wait.Start, wait.Stop);
        tables.Add(scope, thread, wait.Left, wait.Start, wait.Stop, WaitSource.Switches, place, wait.ReadiedBy);
    }

    /// <summary>The location of a wait whose stack was omitted, by a wait of its length; null when there is none.</summary>
    private WaitPlace? PlaceLike(Wait wait)
    {
        if (!wait.IsOmitted || !_sampled.TryFind(wait.Stop - wait.Start, out var place))
            return null;
        tables.WaitsLikeOthers++;
        return place;
    }

    /// <summary>The location of a sleep with samples in a wait; null for none.</summary>
    private WaitPlace? SleepIn(Wait wait)
    {
        var (low, high) = (0, sleeps.Length);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (sleeps[middle].Start <= wait.Stop)
                low = middle + 1;
            else
                high = middle;
        }

        return low > 0 && sleeps[low - 1].Stop >= wait.Start ? sleeps[low - 1].Place : null;
    }

    /// <summary>A wait of the thread.</summary>
    /// <param name="Left">Time of its switch-out; 0 for no wait.</param>
    /// <param name="Start">Start of the wait.</param>
    /// <param name="Stop">End of the wait: when it was readied, else its switch-in; equal to <paramref name="Start"/> when lost.</param>
    /// <param name="Back">Time of its switch-in; 0 if still off a processor.</param>
    /// <param name="Place">Location and reason; null before its stack came.</param>
    /// <param name="ReadiedBy">Thread that readied it; null when unknown.</param>
    private readonly record struct Wait(long Left, long Start, long Stop, long Back, WaitPlace? Place, long? ReadiedBy)
    {
        /// <summary>Whether its stack was omitted.</summary>
        public bool IsOmitted { get; init; }

        /// <summary>End of the thread's wait before.</summary>
        public long BackBefore { get; init; }

        /// <summary>Whether only its stack shows its location.</summary>
        public bool IsSample { get; init; }
    }
}
