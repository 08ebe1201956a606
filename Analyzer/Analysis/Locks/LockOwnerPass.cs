using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Locks;

/// <summary>
/// Finds what the owners of locks did while others waited for these: by samples, and by the stacks of their own waits where context
/// switches have them. Time in which an owner was ready without a processor, or waited without a stack, belongs to no method.
/// </summary>
/// <typeparam name="TSite">Identifies where threads wait.</typeparam>
/// <param name="scope">The process.</param>
/// <param name="owners">Owners of its locks.</param>
/// <param name="methods">Receives the methods.</param>
internal sealed class LockOwnerPass<TSite>(EventScope scope, LockOwners<TSite> owners, MethodInterner methods) : IEventSubscriber
    where TSite : notnull
{
    private readonly SampleStack _stack = new(scope.Symbols!.Resolver);
    private readonly StackNames _names = StackNames.OutsideOfWaits(scope.Symbols!.Resolver, methods);
    private readonly StackNames _own = StackNames.OwnOutsideOfWaits(scope.Symbols!.Resolver, methods);
    private readonly Dictionary<(TSite Site, int Method), long> _ticks = [];
    private ThreadFollower? _threads;

    /// <summary>Ticks by site and method.</summary>
    public IReadOnlyDictionary<(TSite Site, int Method), long> Ticks => _ticks;

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<CpuSample>(OnCpuSample);
        if ((scope.Process.Kinds & (EventKinds.SwitchOutStacks | EventKinds.SwitchInStacks)) == 0)
            return;
        _threads ??= new ThreadFollower(thread => owners.HasOwned(thread) ? new Owner(thread, this) : null);
        _threads.Subscribe(hub);
    }

    /// <summary>The trace has ended.</summary>
    public void End() => _threads?.End();

    private void OnCpuSample(in CpuSample sample)
    {
        var (thread, time) = (sample.At.ThreadId, sample.At.Time);
        if (owners.Overlaps(thread, time, time) is not { Count: > 0 } owned)
            return;
        _stack.Walk(sample);
        var method = Method();
        foreach (var (site, _) in owned)
            Add(site, method, sample.CpuTicks);
    }

    /// <summary>The program's own method of the last stack, else its first managed one outside of waiting code.</summary>
    private int Method() => _own.FindOnly(_stack.Symbols) is >= 0 and var own ? own : _names.FindOnly(_stack.Symbols);

    private void AddWait(long thread, long start, long stop, int method)
    {
        foreach (var (site, ticks) in owners.Overlaps(thread, start, stop))
            Add(site, method, ticks);
    }

    private void Add(TSite site, int method, long ticks)
    {
        if (method != MethodInterner.None)
            _ticks[(site, method)] = _ticks.GetValueOrDefault((site, method)) + ticks;
    }

    /// <summary>A thread that owned locks, and its own waits.</summary>
    private sealed class Owner(long thread, LockOwnerPass<TSite> pass) : FollowedThread
    {
        private int _method = MethodInterner.None;

        /// <summary>Its last wait, until its stack came.</summary>
        private (long Start, long Stop)? _waited;

        /// <inheritdoc />
        public override void LeavesFrom(in SwitchOutStack stack)
        {
            pass._stack.Walk(stack.At, stack.Frames, stack.KernelFrames, stack.Dump);
            _method = pass.Method();
        }

        /// <inheritdoc />
        public override void StackIsOmitted() => _method = MethodInterner.None;

        /// <inheritdoc />
        public override void SwitchOut(long time, bool isPreempted)
        {
            _waited = null;
            if (isPreempted)
                _method = MethodInterner.None;
            base.SwitchOut(time, isPreempted);
        }

        /// <inheritdoc />
        public override void ComeBack(long time)
        {
            SwitchIn(time);
            if (_method != MethodInterner.None)
                AddWait();
        }

        /// <inheritdoc />
        public override void CameBackTo(in SwitchInStack stack)
        {
            if (_waited is null)
                return;
            pass._stack.Walk(stack.At, stack.Frames, stack.KernelFrames);
            _method = pass.Method();
            AddWait();
        }

        /// <inheritdoc />
        public override void End(long time) => Close(time);

        /// <inheritdoc />
        protected override void Ran(long start, long stop) { }

        /// <inheritdoc />
        protected override void WasReady(long start, long stop) { }

        /// <inheritdoc />
        protected override void Waited(long start, long stop) => _waited = (start, stop);

        private void AddWait()
        {
            if (_waited is var (start, stop))
                pass.AddWait(thread, start, stop, _method);
            (_waited, _method) = (null, MethodInterner.None);
        }
    }
}
