using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols.Async;

/// <summary>
/// The suspended calls of async methods of a process: which one a thread continued at a time, and which call awaits which. Filled by a pass
/// over <see cref="EventKinds.AsyncSteps"/>. Memory: 8 bytes a call, and 16 bytes for each begin and end of a continuation.
/// </summary>
/// <remarks>
/// Who awaits a call is looked up after the whole trace was read: a call may continue on another thread before its caller has begun to
/// await it. A call awaited by two others, or also by a blocked thread, has no caller here.
/// </remarks>
public sealed class AsyncCalls : IEventSubscriber
{
    /// <summary>No call; as awaiter: nothing awaits the call, or a blocked thread does.</summary>
    public const int None = -1;

    /// <summary>As awaiter: there are several, or it was not recorded.</summary>
    public const int Unknown = -2;

    private const int Blocked = -3;

    /// <summary>
    /// Completed calls whose ids are still known: a caller on another thread may report its await just after the completion.
    /// </summary>
    private const int KeptCompleted = 1024;

    private readonly TextPool _texts = new();
    private readonly Interner<string> _names = new();
    private readonly List<int> _nameOfCall = [];
    private readonly List<int> _awaiterOfCall = [];
    private readonly Dictionary<int, int> _open = [];
    private readonly Queue<int> _completed = new();
    private readonly Dictionary<long, ThreadSteps> _threads = [];

    /// <summary>Whether any call was recorded.</summary>
    public bool Any => _nameOfCall.Count > 0;

    /// <summary>Name of the type of a call's state machine, without namespace and containing types.</summary>
    public string StateMachine(int call) => _names[_nameOfCall[call]];

    /// <summary>The call that awaits a call; <see cref="None"/> or <see cref="Unknown"/> if no single one does.</summary>
    public int AwaiterOf(int call) => _awaiterOfCall[call] == Blocked ? None : _awaiterOfCall[call];

    /// <summary>
    /// Intervals in which events were lost, in order of time and without overlaps (<see cref="GapCollector"/>). A continuation that had
    /// begun before is not known after: another one may have begun inside it.
    /// </summary>
    public IReadOnlyList<EventGap> Gaps { get; set; } = [];

    /// <summary>The call that a thread continued last and has not left at a time; <see cref="None"/> when none is known.</summary>
    public int At(long thread, long time)
    {
        if (!_threads.TryGetValue(thread, out var steps) || steps.At(time) is not { } step)
            return None;
        var gap = LastGap(time);
        return gap >= 0 && Gaps[gap].StopTicks >= step.Begin ? None : step.Call;
    }

    /// <summary>Index of the last gap that began up to a time; -1 for none.</summary>
    private int LastGap(long time)
    {
        var (low, high) = (0, Gaps.Count);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (Gaps[middle].StartTicks <= time)
                low = middle + 1;
            else
                high = middle;
        }

        return low - 1;
    }

    /// <inheritdoc />
    public void Subscribe(EventHub hub) => hub.Subscribe<AsyncStep>(OnStep);

    private void OnStep(in AsyncStep step)
    {
        switch (step.Kind)
        {
            case AsyncStepKind.Created:
                _open[step.TaskId] = _nameOfCall.Count;
                _nameOfCall.Add(_names.GetOrAdd(_texts.Of(step.StateMachine)));
                _awaiterOfCall.Add(None);
                break;
            case AsyncStepKind.Completed when _open.ContainsKey(step.TaskId):
                _completed.Enqueue(step.TaskId);
                if (_completed.Count > KeptCompleted)
                    _open.Remove(_completed.Dequeue());
                break;
            case AsyncStepKind.Awaits when _open.TryGetValue(step.TaskId, out var awaited):
                SetAwaiter(awaited, _open.GetValueOrDefault(step.AwaiterId, Unknown));
                break;
            case AsyncStepKind.Blocks when _open.TryGetValue(step.TaskId, out var awaited):
                SetAwaiter(awaited, Blocked);
                break;
            case AsyncStepKind.Resumed:
                StepsOf(step.At.ThreadId).Begin(step.At.Time, _open.GetValueOrDefault(step.TaskId, None));
                break;
            case AsyncStepKind.Left:
                StepsOf(step.At.ThreadId).End(step.At.Time);
                break;
        }
    }

    private void SetAwaiter(int call, int awaiter) =>
        _awaiterOfCall[call] = _awaiterOfCall[call] == None || _awaiterOfCall[call] == awaiter ? awaiter : Unknown;

    private ThreadSteps StepsOf(long thread)
    {
        if (!_threads.TryGetValue(thread, out var steps))
            _threads.Add(thread, steps = new ThreadSteps());
        return steps;
    }

    /// <summary>The continuations of a thread; one may run inside another.</summary>
    private sealed class ThreadSteps
    {
        private readonly List<long> _times = [];

        /// <summary>From each time on the innermost call, and the step with which it began.</summary>
        private readonly List<(int Call, int Begin)> _calls = [];
        private readonly Stack<(int Call, int Begin)> _running = new();

        public void Begin(long time, int call)
        {
            _running.Push((call, _times.Count));
            Add(time);
        }

        public void End(long time)
        {
            // Nothing is running when the session began inside a continuation.
            _running.TryPop(out _);
            Add(time);
        }

        public (int Call, long Begin)? At(long time)
        {
            var index = _times.BinarySearch(time);
            if (index < 0)
                index = ~index - 1;
            return index < 0 || _calls[index].Call == None ? null : (_calls[index].Call, _times[_calls[index].Begin]);
        }

        private void Add(long time)
        {
            _calls.Add(_running.TryPeek(out var innermost) ? innermost : (None, 0));
            _times.Add(time);
        }
    }
}
