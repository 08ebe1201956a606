using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>The waits of the measuring threads by their switches: the same times that the table's Wait and Waits are made of.</summary>
internal sealed class SwitchPass : TraceVisitor
{
    private readonly Dictionary<long, Waiter> _threads;
    private long _last;

    /// <summary>Makes the pass.</summary>
    /// <param name="scope">The process.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="methods">Gets the methods that wait.</param>
    /// <param name="events">The same waits by events, which name their methods.</param>
    public SwitchPass(EventScope scope, EventRows<WaitKey, WaitTally> rows, MethodTable methods, WaitPass events)
    {
        var names = new StackNames(scope.Symbols!.Resolver, methods, symbol => symbol.Kind != CodeKind.Managed || RuntimeFrames.IsWaiting(symbol));
        _threads = scope.Runs.Select(run => run.MeasuringThread).OfType<long>().Distinct()
            .ToDictionary(thread => thread, thread => new Waiter(thread, scope, rows, methods, names, [.. events.Waits.Where(wait => wait.Thread == thread).OrderBy(wait => wait.Start)]));
    }

    public override void OnSwitchPlace(in SwitchPlace place)
    {
        if (_threads.TryGetValue(place.At.ThreadId, out var thread))
            thread.At(place);
    }

    public override void OnSwitchedOut(in EventAt at, bool isPreempted)
    {
        _last = at.Time;
        if (_threads.TryGetValue(at.ThreadId, out var thread))
            thread.Leave(at, isPreempted);
    }

    public override void OnSwitchedIn(in EventAt at)
    {
        _last = at.Time;
        if (_threads.TryGetValue(at.ThreadId, out var thread))
            thread.Come(at.Time);
    }

    public override void OnMadeReady(in EventAt at)
    {
        if (_threads.TryGetValue(at.ThreadId, out var thread))
            thread.Wake(at.Time);
    }

    public override void OnThreadEnded(in EventAt at)
    {
        if (_threads.TryGetValue(at.ThreadId, out var thread))
            thread.Close(at.Time);
    }

    /// <summary>The trace has ended.</summary>
    public void End()
    {
        foreach (var thread in _threads.Values)
            thread.Close(_last);
    }

    /// <summary>A measuring thread, and where it waits.</summary>
    private sealed class Waiter(
        long thread, EventScope scope, EventRows<WaitKey, WaitTally> rows, MethodTable methods, StackNames names, (long Thread, long Start, long Stop, int Method)[] events)
        : MeasuringThread(thread, scope.Windows)
    {
        private readonly long _thread = thread;

        /// <summary>Where the thread was when it left its processor; <see cref="MethodTable.None"/> when no stack came.</summary>
        private int _place = MethodTable.None;

        /// <summary>The method of the wait under way.</summary>
        private int _method = MethodTable.None;

        /// <summary>The first wait by events that has not ended.</summary>
        private int _next;

        public void At(in SwitchPlace place) => _place = PlaceOf(place);

        public void Leave(in EventAt at, bool isPreempted)
        {
            base.Leave(at.Time, isPreempted);
            var place = _place;
            _place = MethodTable.None;
            if (isPreempted)
                return;
            while (_next < events.Length && events[_next].Stop < at.Time)
                _next++;
            _method = _next < events.Length && events[_next].Start <= at.Time && events[_next].Method != MethodTable.None ? events[_next].Method : place;
            if (scope.Windows.At(at.Time) is { } run && run.MeasuringThread == _thread && scope.GroupOf(run) is >= 0 and var group)
                rows.At(group, new WaitKey(_method, WaitSource.Switches)).Count++;
        }

        protected override void Waited(long start, long stop)
        {
            foreach (var (run, ticks) in scope.Windows.Clip(start, stop))
            {
                if (run.MeasuringThread != _thread || scope.GroupOf(run) is not (>= 0 and var group))
                    continue;
                var tally = rows.At(group, new WaitKey(_method, WaitSource.Switches));
                tally.Ticks += ticks;
                tally.LongestTicks = Math.Max(tally.LongestTicks, ticks);
            }
        }

        /// <summary>The first managed frame outside of waiting; else, the chain being broken in native code, the library or the kernel's function where it waits.</summary>
        private int PlaceOf(in SwitchPlace place)
        {
            var resolver = scope.Symbols!.Resolver;
            var fallback = -1;
            for (var i = 0; i < place.Frames.Length; i++)
            {
                var isKernel = i < place.KernelFrames;
                var isLeaf = i == 0 || i == place.KernelFrames;
                var symbol = resolver.Resolve(isLeaf ? place.Frames[i] : place.Frames[i] - 1, place.At.Time, isKernel);
                if (names.MethodOf(symbol) is >= 0 and var method)
                    return method;
                if (fallback < 0 || i == place.KernelFrames)
                    fallback = symbol;
            }

            return fallback < 0 ? MethodTable.None : methods.NumberOf(StackNames.Name(resolver.Symbols[fallback]));
        }
    }
}
