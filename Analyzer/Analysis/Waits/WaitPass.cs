using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>
/// Waits of threads by runtime events, as far as they overlap runs, and GC pauses. Memory grows with these. In a program without marks,
/// waits of all threads count, including those for locks; else only handle waits of the measuring threads.
/// </summary>
/// <param name="scope">The process.</param>
/// <param name="places">Finds the locations of the waits.</param>
internal sealed class WaitPass(EventScope scope, WaitPlaces places) : IEventSubscriber
{
    private readonly bool _isProgram = WaitTables.IsProgram(scope.Runs);
    private readonly HashSet<long> _measuring = [.. scope.Runs.Select(run => run.MeasuringThread).OfType<long>()];
    private readonly Suspensions _suspensions = new();
    private readonly List<(long Start, long Stop)> _pauses = [];

    /// <summary>Current wait of each thread.</summary>
    private readonly Dictionary<long, (long Start, WaitPlace Place, bool IsLock)> _waiting = [];

    private readonly List<EventWait> _waits = [];

    /// <summary>Finds sleeps without events; null where no samples show them, or stacks of context switches do.</summary>
    private SampledSleeps? _sleeps;

    /// <summary>Finds idle waits without stacks.</summary>
    public IdleThreads Idle { get; } = new(scope);

    /// <summary>Waits, in no order.</summary>
    public IReadOnlyList<EventWait> Waits => _waits;

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<WaitStarted>(OnWaitStarted, withStack: true);
        hub.Subscribe<WaitStopped>(OnWaitStopped);
        if (!_isProgram)
            return;
        hub.Subscribe<ContentionStarted>(OnContentionStarted, withStack: true);
        hub.Subscribe<ContentionStopped>(OnContentionStopped);
        hub.Subscribe<SuspendStarted>(OnSuspendStarted);
        hub.Subscribe<RuntimeResumed>(OnRuntimeResumed);
        Idle.Subscribe(hub);
        if ((scope.Process.Details & EventDetails.ManagedSamples) == 0 || (scope.Process.Kinds & EventKinds.SwitchOutStacks) != 0)
            return;
        _sleeps ??= new SampledSleeps(places, Add);
        _sleeps.Subscribe(hub);
    }

    /// <summary>The trace has ended.</summary>
    public void End() => _sleeps?.End();

    /// <summary>Whether GC pauses cover more than half of a time.</summary>
    public bool IsPause(long start, long stop)
    {
        var index = _pauses.BinarySearch((start, long.MaxValue));
        var paused = 0L;
        for (index = Math.Max(0, (index < 0 ? ~index : index) - 1); index < _pauses.Count && _pauses[index].Start < stop; index++)
            paused += Math.Max(0, Math.Min(stop, _pauses[index].Stop) - Math.Max(start, _pauses[index].Start));
        return 2 * paused > stop - start;
    }

    private void OnWaitStarted(in WaitStarted wait)
    {
        // A wait for a lock also waits for an event.
        if (
            (_isProgram || _measuring.Contains(wait.At.ThreadId))
            && !(_waiting.TryGetValue(wait.At.ThreadId, out var outer) && outer.IsLock)
        )
            _waiting[wait.At.ThreadId] = (wait.At.Time, places.Of(wait.At, wait.Stack), false);
    }

    private void OnWaitStopped(in WaitStopped stopped) => Stop(stopped.At, isLock: false);

    private void OnContentionStarted(in ContentionStarted contention)
    {
        if (contention.IsNative)
            return;
        var place = places.Of(contention.At, contention.Stack);

        // A wait for a task or an event takes a lock, too.
        if (place.Reason is not (WaitReason.Task or WaitReason.Signal))
            place = place with { Reason = WaitReason.Lock };
        _waiting[contention.At.ThreadId] = (contention.At.Time, place, true);
    }

    private void OnContentionStopped(in ContentionStopped contention)
    {
        if (!contention.IsNative)
            Stop(contention.At, isLock: true);
    }

    private void OnSuspendStarted(in SuspendStarted suspension) => _suspensions.Begin(suspension.At, suspension.Reason);

    private void OnRuntimeResumed(in RuntimeResumed resumed)
    {
        if (_suspensions.TryEnd(resumed.At, out var start))
            _pauses.Add((start, resumed.At.Time));
    }

    private void Stop(in EventAt at, bool isLock)
    {
        if (!_waiting.TryGetValue(at.ThreadId, out var wait) || wait.IsLock != isLock)
            return;
        _waiting.Remove(at.ThreadId);
        Add(new EventWait(at.ThreadId, wait.Start, at.Time, wait.Place, WaitSource.Events));
    }

    private void Add(EventWait wait)
    {
        if (scope.Windows.Clip(wait.Start, wait.Stop).GetEnumerator().MoveNext())
            _waits.Add(wait);
    }
}

/// <summary>A wait by runtime events or samples.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="Start">Start in ticks.</param>
/// <param name="Stop">End in ticks.</param>
/// <param name="Place">Location and reason.</param>
/// <param name="Source">The runtime's events, or samples.</param>
internal readonly record struct EventWait(long Thread, long Start, long Stop, WaitPlace Place, WaitSource Source);
