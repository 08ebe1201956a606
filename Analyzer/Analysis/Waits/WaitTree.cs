using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>
/// Adds the waits of all threads of a process to a call tree of CPU time, each below the stack of its context switch, with its reason as
/// leaf. Idle waits for work are omitted, because they would fill the tree.
/// </summary>
/// <param name="windows">Windows of all runs of the process.</param>
/// <param name="counts">Whether the run of each window matches.</param>
/// <param name="symbols">Symbols of the process, and names of its threads.</param>
/// <param name="grouping">Grouping of the nodes.</param>
/// <param name="tree">The tree.</param>
/// <param name="runtime">Runtime; empty when the result has only one.</param>
/// <param name="mine">Folds other frames into the user's own code; null for all frames.</param>
internal sealed class WaitTree(
    RunWindows windows,
    IReadOnlyList<bool> counts,
    ProcessSymbols symbols,
    CpuGrouping grouping,
    CallTree tree,
    string runtime,
    MyFrames? mine = null
)
{
    private readonly SampleStack _stack = new(symbols.Resolver);
    private readonly WaitFrames _frames = new(symbols.Resolver);
    private readonly TreePaths _paths = new(tree, symbols, grouping, runtime, mine is not null);

    /// <summary>Keys of the reasons in the tree.</summary>
    private readonly Dictionary<WaitReason, int> _reasons = [];

    /// <summary>Follows the switches.</summary>
    public ThreadFollower Threads => field ??= new ThreadFollower(thread => new Waiter(thread, this));

    /// <summary>Time of idle waits for work, in ticks.</summary>
    public long IdleTicks { get; private set; }

    /// <summary>The path of the last stack, followed by the reason; empty for an idle wait for work.</summary>
    private ReadOnlySpan<int> Path(long thread)
    {
        var reason = _frames.Of(_stack.Walked, !_stack.IsBroken, symbols.Layout.ThreadName(thread), out _);
        if (reason == WaitReason.Idle)
            return [];
        if (!_reasons.TryGetValue(reason, out var leaf))
            _reasons.Add(reason, leaf = tree.KeyOf(new CpuRowKey($"[waiting: {reason.Name()}]", "", "", null, null)));
        if (mine is not null)
            _stack.Keep(mine);
        return _paths.Of(_stack, thread, leaf);
    }

    /// <summary>Adds the parts of a wait inside matching runs.</summary>
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

    /// <summary>A thread with the path of its current wait.</summary>
    private sealed class Waiter(long thread, WaitTree tree) : FollowedThread
    {
        private int[] _path = [];
        private bool _hasPath;

        /// <summary>Paths of the last waits with a stack.</summary>
        private readonly SampledWaits<int[]> _sampled = new();

        /// <summary>Whether the stack of the current wait was omitted.</summary>
        private bool _isOmitted;

        /// <summary>A completed wait without path: the stack of its switch-in may still come.</summary>
        private (long Start, long Stop) _pending;

        /// <summary>Time of the thread's last switch-in.</summary>
        private long _back;

        /// <inheritdoc />
        public override void LeavesFrom(in SwitchOutStack stack)
        {
            Flush(); // may walk a stack itself
            tree._stack.Walk(stack.At, stack.Frames, stack.KernelFrames, stack.Dump);
            Take();
        }

        /// <inheritdoc />
        public override void StackIsOmitted()
        {
            Flush();
            _isOmitted = true;
        }

        /// <inheritdoc />
        public override void CameBackTo(in SwitchInStack stack)
        {
            if (_back != stack.At.Time || _pending.Stop == 0)
                return;
            tree._stack.Walk(stack.At, stack.Frames, stack.KernelFrames);
            Take();
            Flush();
        }

        /// <inheritdoc />
        public override void SwitchOut(long time, bool isPreempted)
        {
            base.SwitchOut(time, isPreempted);
            if (isPreempted)
                _hasPath = false;
        }

        /// <inheritdoc />
        public override void ComeBack(long time)
        {
            Flush();
            SwitchIn(time);
            _back = time;
        }

        /// <inheritdoc />
        public override void End(long time)
        {
            Close(time);
            Flush();
        }

        /// <inheritdoc />
        protected override void Waited(long start, long stop)
        {
            _pending = (start, stop);
            if (_hasPath || _isOmitted)
                Flush();
        }

        /// <inheritdoc />
        protected override void Ran(long start, long stop) { }

        /// <inheritdoc />
        protected override void WasReady(long start, long stop) { }

        /// <summary>Copies the path of the last stack.</summary>
        private void Take()
        {
            var path = tree.Path(thread);
            if (_path.Length != path.Length)
                _path = new int[path.Length];
            path.CopyTo(_path);
            _hasPath = true;
        }

        /// <summary>Adds a completed wait.</summary>
        private void Flush()
        {
            var (start, stop) = _pending;
            _pending = default;
            if (stop == 0)
                return;
            if (_hasPath)
            {
                tree.Add(start, stop, _path);
                _path = _sampled.Add(stop - start, _path) ?? [];
            }
            else if (_isOmitted && _sampled.TryFind(stop - start, out var path))
            {
                tree.Add(start, stop, path);
            }
            else
            {
                tree._stack.Walk(new EventAt(start, 0, thread), [], 0);
                Take();
                tree.Add(start, stop, _path);
            }

            _hasPath = _isOmitted = false;
        }
    }
}
