using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>
/// Adds the waits of all threads of a process to a call tree of CPU time, each below the stack of its context switch with its reason as leaf. Waits for work to come are left out: they would fill
/// the tree.
/// </summary>
/// <param name="windows">Windows of all runs of the process.</param>
/// <param name="counts">For each window, whether its run counts.</param>
/// <param name="symbols">Symbols of the process, and names of its threads.</param>
/// <param name="grouping">What the nodes stand for.</param>
/// <param name="tree">The tree.</param>
/// <param name="runtime">Runtime where the result has runs on several, empty where it has one.</param>
internal sealed class WaitTree(RunWindows windows, IReadOnlyList<bool> counts, ProcessSymbols symbols, CpuGrouping grouping, CallTree tree, string runtime) : IEventSubscriber
{
    private readonly SampleStack _stack = new(symbols.Resolver);
    private readonly WaitFrames _frames = new(symbols.Resolver);
    private readonly TreePaths _paths = new(tree, symbols, grouping, runtime);
    private readonly Dictionary<long, Waiter> _threads = [];
    private long _last;

    /// <summary>Time of waits for work to come, in ticks.</summary>
    public long IdleTicks { get; private set; }

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
            thread.End(_last);
        _threads.Clear();
    }

    private void OnSwitchOutStack(in SwitchOutStack stack)
    {
        var thread = Of(stack.At.ThreadId);
        thread.Flush(); // may walk a stack itself
        _stack.Walk(stack.At, stack.Frames, stack.KernelFrames, stack.Dump);
        thread.Take();
    }

    private void OnSwitchInStack(in SwitchInStack stack)
    {
        if (!_threads.TryGetValue(stack.At.ThreadId, out var thread) || thread.Back != stack.At.Time || !thread.IsPending)
            return;
        _stack.Walk(stack.At, stack.Frames, stack.KernelFrames);
        thread.Take();
        thread.Flush();
    }

    private void OnSwitchedOut(in SwitchedOut switched)
    {
        _last = switched.At.Time;
        Of(switched.At.ThreadId).Leave(switched.At.Time, switched.IsPreempted);
    }

    private void OnSwitchedIn(in SwitchedIn switched)
    {
        _last = switched.At.Time;
        Of(switched.At.ThreadId).ComeBack(switched.At.Time);
    }

    private void OnThreadReadied(in ThreadReadied readied)
    {
        if (_threads.TryGetValue(readied.At.ThreadId, out var thread))
            thread.Ready(readied.At.Time);
    }

    private void OnThreadEnded(in ThreadEnded ended)
    {
        if (_threads.Remove(ended.At.ThreadId, out var thread))
            thread.End(ended.At.Time);
    }

    private Waiter Of(long thread)
    {
        if (!_threads.TryGetValue(thread, out var known))
            _threads.Add(thread, known = new Waiter(thread, this));
        return known;
    }

    /// <summary>The path of the stack that was walked last, the reason below it; empty for a wait for work to come.</summary>
    private ReadOnlySpan<int> Path(long thread)
    {
        var reason = _frames.Of(_stack.Symbols, !_stack.IsBroken, symbols.Layout.ThreadName(thread), out _);
        return reason == WaitReason.Idle ? [] : _paths.Of(_stack, thread, new CpuRowKey($"[waiting: {reason.Name()}]", "", "", null, null));
    }

    /// <summary>Adds the parts of a wait that lie in runs that count.</summary>
    private void Add(long start, long stop, ReadOnlySpan<int> path)
    {
        foreach (var (run, ticks) in windows.Clip(start, stop))
        {
            if (!counts[run.Index])
                continue;
            if (path.IsEmpty)
                IdleTicks += ticks;
            else
                tree.AddWait(ticks, path);
        }
    }

    /// <summary>A thread, with the path on which it waits.</summary>
    private sealed class Waiter(long thread, WaitTree tree) : SwitchedThread
    {
        private int[] _path = [];
        private bool _hasPath;

        /// <summary>A wait that ended and has no path: the stack of the switch-in comes later, if at all.</summary>
        private (long Start, long Stop) _pending;

        /// <summary>Whether a wait that ended has no stack yet.</summary>
        public bool IsPending => _pending.Stop != 0;

        /// <summary>When the thread came to a processor last.</summary>
        public long Back { get; private set; }

        /// <inheritdoc />
        public override void Leave(long time, bool isPreempted)
        {
            base.Leave(time, isPreempted);
            if (isPreempted)
                _hasPath = false;
        }

        /// <summary>The thread came to a processor.</summary>
        public void ComeBack(long time)
        {
            Flush();
            Come(time);
            Back = time;
        }

        public void End(long time)
        {
            Close(time);
            Flush();
        }

        /// <inheritdoc />
        protected override void Waited(long start, long stop)
        {
            _pending = (start, stop);
            if (_hasPath)
                Flush();
        }

        /// <inheritdoc />
        protected override void Ran(long start, long stop)
        {
        }

        /// <inheritdoc />
        protected override void WasReady(long start, long stop)
        {
        }

        /// <summary>Takes the path of the stack that was walked last.</summary>
        public void Take()
        {
            var path = tree.Path(thread);
            if (_path.Length != path.Length)
                _path = new int[path.Length];
            path.CopyTo(_path);
            _hasPath = true;
        }

        /// <summary>Adds a wait that has ended.</summary>
        public void Flush()
        {
            var (start, stop) = _pending;
            _pending = default;
            if (stop == 0)
                return;
            if (!_hasPath)
            {
                tree._stack.Walk(new EventAt(start, 0, thread), [], 0);
                Take();
            }

            _hasPath = false;
            tree.Add(start, stop, _path);
        }
    }
}
