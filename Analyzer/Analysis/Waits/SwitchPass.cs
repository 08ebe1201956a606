using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>The waits of the measuring threads by their switches: the same times that the table's Wait and Waits are made of.</summary>
internal sealed class SwitchPass : IEventSubscriber
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
        var stack = new SampleStack(scope.Symbols.Resolver);
        _threads = scope.Runs.Select(run => run.MeasuringThread).OfType<long>().Distinct()
            .ToDictionary(thread => thread, thread => new Waiter(thread, scope, rows, methods, stack, names, [.. events.Waits.Where(wait => wait.Thread == thread).OrderBy(wait => wait.Start)]));
    }

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

    private void OnSwitchOutStack(in SwitchOutStack place)
    {
        if (_threads.TryGetValue(place.At.ThreadId, out var thread))
            thread.LeavesFrom(place);
    }

    private void OnSwitchInStack(in SwitchInStack place)
    {
        if (_threads.TryGetValue(place.At.ThreadId, out var thread))
            thread.CameBackTo(place);
    }

    private void OnSwitchedOut(in SwitchedOut switched)
    {
        _last = switched.At.Time;
        if (_threads.TryGetValue(switched.At.ThreadId, out var thread))
            thread.Leave(switched.At, switched.IsPreempted);
    }

    private void OnSwitchedIn(in SwitchedIn switched)
    {
        _last = switched.At.Time;
        if (_threads.TryGetValue(switched.At.ThreadId, out var thread))
            thread.ComeBack(switched.At.Time);
    }

    private void OnThreadReadied(in ThreadReadied readied)
    {
        if (_threads.TryGetValue(readied.At.ThreadId, out var thread))
            thread.Wake(readied.At.Time);
    }

    private void OnThreadEnded(in ThreadEnded ended)
    {
        if (_threads.TryGetValue(ended.At.ThreadId, out var thread))
            thread.Close(ended.At.Time);
    }

    /// <summary>The trace has ended.</summary>
    public void End()
    {
        foreach (var thread in _threads.Values)
            thread.End(_last);
    }

    /// <summary>A measuring thread, and where it waits.</summary>
    private sealed class Waiter(
        long thread, EventScope scope, EventRows<WaitKey, WaitTally> rows, MethodTable methods, SampleStack stack, StackNames names, (long Thread, long Start, long Stop, int Method)[] events)
        : MeasuringThread(thread, scope.Windows)
    {
        /// <summary>Waits that have ended and may get their stack yet: the thread may be preempted before it leaves the kernel, where its stack is taken.</summary>
        private const int Remembered = 16;

        private readonly long _thread = thread;
        private readonly Wait[] _ended = new Wait[Remembered];
        private int _next;

        /// <summary>Where the thread was when it left its processor; <see cref="MethodTable.None"/> when no stack came.</summary>
        private int _place = MethodTable.None;

        /// <summary>The wait under way, or one that ends now; null for none.</summary>
        private Wait? _wait;

        /// <summary>The first wait by events that has not ended.</summary>
        private int _nextEvent;

        public void LeavesFrom(in SwitchOutStack place) => _place = PlaceOf(place.At, place.Frames, place.KernelFrames);

        public void Leave(in EventAt at, bool isPreempted)
        {
            base.Leave(at.Time, isPreempted);
            Add(_wait); // its switch-in was lost
            _wait = null;
            var place = _place;
            _place = MethodTable.None;
            if (isPreempted)
                return;
            while (_nextEvent < events.Length && events[_nextEvent].Stop < at.Time)
                _nextEvent++;
            var method = _nextEvent < events.Length && events[_nextEvent].Start <= at.Time && events[_nextEvent].Method != MethodTable.None ? events[_nextEvent].Method : place;
            _wait = new Wait(at.Time, 0, 0, 0, method);
        }

        public void ComeBack(long time)
        {
            Come(time);
            if (_wait is not { } wait)
                return;
            _wait = null;
            ref var oldest = ref _ended[_next++ % Remembered];
            Add(oldest);
            oldest = wait with { Back = time };
        }

        /// <summary>The stack of a switch-in came.</summary>
        public void CameBackTo(in SwitchInStack place)
        {
            foreach (ref var wait in _ended.AsSpan())
            {
                if (wait.Left > 0 && wait.Back == place.At.Time && wait.Method == MethodTable.None)
                    wait = wait with { Method = PlaceOf(place.At, place.Frames, place.KernelFrames) };
            }
        }

        /// <summary>The trace has ended.</summary>
        public void End(long time)
        {
            Close(time);
            Add(_wait);
            foreach (var wait in _ended)
                Add(wait);
        }

        protected override void Waited(long start, long stop)
        {
            if (_wait is { } wait)
                _wait = wait with { Start = start, Stop = stop };
        }

        /// <summary>Adds a wait of which no more will come.</summary>
        private void Add(Wait? ended)
        {
            if (ended is { Left: > 0 } wait)
                WaitAnalysis.Add(scope, rows, _thread, wait.Left, wait.Start, wait.Stop, new WaitKey(wait.Method, WaitSource.Switches));
        }

        /// <summary>The first managed frame outside of waiting; else, the chain being broken in native code, the library or the kernel's function where it waits.</summary>
        private int PlaceOf(in EventAt at, ReadOnlySpan<ulong> addresses, int kernelFrames)
        {
            if (addresses.Length == 0)
                return MethodTable.None;
            stack.Walk(at, addresses, kernelFrames);
            if (names.FindOnly(stack.Symbols) is >= 0 and var method)
                return method;
            var frames = scope.Symbols!.Resolver.Symbols;
            var fallback = frames[stack.Symbols[0]];
            foreach (var symbol in stack.Symbols)
            {
                if (frames[symbol].Kind == CodeKind.Kernel)
                    continue;
                fallback = frames[symbol];
                break;
            }

            return methods.NumberOf(StackNames.Name(fallback));
        }

        /// <summary>A wait of the thread.</summary>
        /// <param name="Left">When it left its processor; 0 for no wait.</param>
        /// <param name="Start">Begin of the time it waited.</param>
        /// <param name="Stop">End of that time: its waking, else its switch-in; the same as <paramref name="Start"/> when that was lost.</param>
        /// <param name="Back">When it came back to a processor, 0 when it has not.</param>
        /// <param name="Method">Where it waits.</param>
        private readonly record struct Wait(long Left, long Start, long Stop, long Back, int Method);
    }
}
