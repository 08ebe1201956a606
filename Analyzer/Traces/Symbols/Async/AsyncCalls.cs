using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols.Async;

/// <summary>
/// The suspended calls of async methods of a process: which one a thread continued at a time, and which call awaits which. Filled by a pass
/// over <see cref="EventKinds.AsyncSteps"/>. Memory: 8 bytes a call, some 40 more for one that Task.WhenAll or WhenAny counts, and 16
/// bytes for each begin and end of a continuation.
/// </summary>
/// <remarks>
/// Who awaits a call is looked up after the whole trace was read: a call may continue on another thread before its caller has begun to
/// await it. A call awaited by two others, or also by a blocked thread, has no caller here.
/// <para>
/// A task of Task.WhenAll or Task.WhenAny is a call without a name that its callers skip. The task library does not say which tasks it
/// waits for, but while a thread notifies of a completed task, it says which of these tasks count the completion (Task.RunContinuations and
/// WhenAllPromise.Invoke in Task.cs of dotnet/runtime). So only completed calls are joined, and of WhenAny the one that completed first. A
/// relation of a task that was created inside the same notification is of a task that had completed before.
/// </para>
/// </remarks>
public sealed class AsyncCalls : IEventSubscriber
{
    /// <summary>No call; as awaiter: nothing awaits the call, or a blocked thread does.</summary>
    public const int None = -1;

    /// <summary>As awaiter: there are several, or it was not recorded.</summary>
    public const int Unknown = -2;

    private const int Blocked = -3;

    /// <summary>As name: a task of WhenAll or WhenAny.</summary>
    private const int Join = -1;

    /// <summary>Tasks of WhenAll and WhenAny between two methods; more come from no program that a person wrote.</summary>
    private const int MaxJoins = 50;

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

    /// <summary>By open task of WhenAll or WhenAny, the step of a thread in which it was created.</summary>
    private readonly Dictionary<int, (long Thread, long Work)> _joins = [];

    /// <summary>By call that a task of WhenAll or WhenAny counts, when its thread began to notify and when it named that task.</summary>
    private readonly Dictionary<int, (long Begin, long Time)> _joinTimes = [];

    /// <summary>Whether any call was recorded.</summary>
    public bool Any => _nameOfCall.Count > 0;

    /// <summary>Name of the type of a call's state machine, without namespace and containing types.</summary>
    public string StateMachine(int call) => _names[_nameOfCall[call]];

    /// <summary>The call that awaits a call; <see cref="None"/> or <see cref="Unknown"/> if no single one does.</summary>
    public int AwaiterOf(int call)
    {
        for (var left = MaxJoins; left > 0; left--)
        {
            var awaiter = _awaiterOfCall[call];
            if (awaiter < 0)
                return awaiter == Blocked ? None : awaiter;
            if (_nameOfCall[awaiter] != Join)
                return awaiter;
            if (
                _joinTimes.TryGetValue(call, out var times)
                && LastGap(times.Time) is >= 0 and var gap
                && Gaps[gap].StopTicks >= times.Begin
            )
                return Unknown;
            call = awaiter;
        }

        return Unknown;
    }

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
                Open(step.TaskId, _names.GetOrAdd(_texts.Of(step.StateMachine)));
                break;
            case AsyncStepKind.JoinCreated:
                Open(step.TaskId, Join);
                _joins[step.TaskId] = (step.At.ThreadId, StepsOf(step.At.ThreadId).Innermost.Number);
                break;
            case AsyncStepKind.Completed when _open.ContainsKey(step.TaskId):
                _completed.Enqueue(step.TaskId);
                if (_completed.Count > KeptCompleted)
                    Close(_completed.Dequeue());
                break;
            case AsyncStepKind.Awaits when _open.TryGetValue(step.TaskId, out var awaited):
                SetAwaiter(awaited, _open.GetValueOrDefault(step.AwaiterId, Unknown));
                break;
            case AsyncStepKind.Blocks when _open.TryGetValue(step.TaskId, out var awaited):
                SetAwaiter(awaited, Blocked);
                break;
            case AsyncStepKind.Resumed:
                var call = _open.GetValueOrDefault(step.TaskId, None);
                StepsOf(step.At.ThreadId).Begin(step.At.Time, call >= 0 && _nameOfCall[call] == Join ? None : call);
                break;
            case AsyncStepKind.Left:
                StepsOf(step.At.ThreadId).End(step.At.Time);
                break;
            case AsyncStepKind.Notifies:
                StepsOf(step.At.ThreadId).BeginToNotify(step.At.Time, _open.GetValueOrDefault(step.TaskId, None));
                break;
            case AsyncStepKind.Notified:
                StepsOf(step.At.ThreadId).EndToNotify();
                break;
            case AsyncStepKind.Joined when _joins.TryGetValue(step.TaskId, out var created):
                var work = StepsOf(step.At.ThreadId).Innermost;
                if (work.Notified < 0 || created == (step.At.ThreadId, work.Number))
                    break;
                SetAwaiter(work.Notified, _open[step.TaskId]);
                _joinTimes[work.Notified] = (work.Begin, step.At.Time);
                break;
        }
    }

    private void Open(int task, int name)
    {
        _open[task] = _nameOfCall.Count;
        _nameOfCall.Add(name);
        _awaiterOfCall.Add(None);
    }

    private void Close(int task)
    {
        _open.Remove(task);
        _joins.Remove(task);
    }

    private void SetAwaiter(int call, int awaiter) =>
        _awaiterOfCall[call] = _awaiterOfCall[call] == None || _awaiterOfCall[call] == awaiter ? awaiter : Unknown;

    private ThreadSteps StepsOf(long thread)
    {
        if (!_threads.TryGetValue(thread, out var steps))
            _threads.Add(thread, steps = new ThreadSteps());
        return steps;
    }

    /// <summary>What a thread does for a task: it continues a call, or notifies of a completed one.</summary>
    /// <param name="Number">Its number on the thread; 0 for nothing.</param>
    /// <param name="Notified">The completed call; <see cref="None"/> for a continuation, or when the call is not known.</param>
    /// <param name="Begin">Its begin.</param>
    /// <param name="IsNotification">Whether the thread notifies.</param>
    private readonly record struct Work(long Number, int Notified, long Begin, bool IsNotification);

    /// <summary>The continuations and notifications of a thread; one may run inside another.</summary>
    private sealed class ThreadSteps
    {
        private readonly Stack<Work> _works = new();
        private long _workCount;

        private readonly List<long> _times = [];

        /// <summary>From each time on the innermost call, and the step with which it began.</summary>
        private readonly List<(int Call, int Begin)> _calls = [];
        private readonly Stack<(int Call, int Begin)> _running = new();

        /// <summary>What the thread does, inside of all other.</summary>
        public Work Innermost => _works.TryPeek(out var work) ? work : new Work(0, None, 0, IsNotification: false);

        public void BeginToNotify(long time, int call) => _works.Push(new Work(++_workCount, call, time, IsNotification: true));

        public void EndToNotify() => Pop(isNotification: true);

        public void Begin(long time, int call)
        {
            _works.Push(new Work(++_workCount, None, time, IsNotification: false));
            _running.Push((call, _times.Count));
            Add(time);
        }

        public void End(long time)
        {
            // Nothing is running when the session began inside a continuation.
            _running.TryPop(out _);
            Pop(isNotification: false);
            Add(time);
        }

        public (int Call, long Begin)? At(long time)
        {
            var index = _times.BinarySearch(time);
            if (index < 0)
                index = ~index - 1;
            return index < 0 || _calls[index].Call == None ? null : (_calls[index].Call, _times[_calls[index].Begin]);
        }

        /// <summary>Ends what began last of a kind, and what it contains: an exception leaves a notification without an end.</summary>
        private void Pop(bool isNotification)
        {
            if (_works.TryPeek(out var last) && last.IsNotification == isNotification)
            {
                _works.Pop();
                return;
            }

            if (!_works.Any(work => work.IsNotification == isNotification))
                return;
            while (_works.Pop().IsNotification != isNotification) { }
        }

        private void Add(long time)
        {
            _calls.Add(_running.TryPeek(out var innermost) ? innermost : (None, 0));
            _times.Add(time);
        }
    }
}
