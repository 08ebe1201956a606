using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Analysis.Runs.Marking;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.SerializerTests;

/// <summary>
/// Second pass over a process of SerializerTests: each wait of its marker thread is a run, from the switch-out until it is readied. The
/// stack at the thread's switch-in identifies these waits.
/// </summary>
/// <param name="markers">The waiting methods.</param>
internal sealed class SerializerTestsWaits(SerializerTestsMarkers markers) : IEventSubscriber
{
    private readonly Dictionary<long, Waiter> _threads = [];
    private readonly List<(string Operation, long Thread, long Left, long? Ready, long Back)> _waits = [];

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<SwitchedOut>(OnSwitchedOut);
        hub.Subscribe<ThreadReadied>(OnThreadReadied);
        hub.Subscribe<SwitchedIn>(OnSwitchedIn);
        hub.Subscribe<SwitchInStack>(OnSwitchInStack);
    }

    private void OnSwitchedOut(in SwitchedOut switched) => Of(switched.At.ThreadId).SwitchOut(switched.At.Time, switched.IsPreempted);

    private void OnThreadReadied(in ThreadReadied readied) => Of(readied.At.ThreadId).Wake(readied.At.Time);

    private void OnSwitchedIn(in SwitchedIn switched) => Of(switched.At.ThreadId).SwitchIn(switched.At.Time);

    private void OnSwitchInStack(in SwitchInStack place)
    {
        var at = place.At;
        if (Of(at.ThreadId).WaitThatEndedAt(at.Time) is { } wait && markers.OperationOf(place.Frames, at.Time) is { Length: > 0 } operation)
            _waits.Add((operation, at.ThreadId, wait.Left, wait.Ready, at.Time));
    }

    /// <summary>The runs ordered by start; their serializers are still unknown.</summary>
    public IEnumerable<RunEvidence> Runs(TraceClock clock)
    {
        var numbers = new Dictionary<string, int>();
        foreach (var (index, (operation, thread, left, ready, back)) in _waits.OrderBy(wait => wait.Left).Index())
        {
            var number = numbers[operation] = numbers.GetValueOrDefault(operation) + 1;
            var marks = new RunMarks(index + 1)
            {
                Identity = new RunIdentity("", "", "", operation, RunKind.Measured, 0, 0, number, 1),
                MarkerThread = thread,
            };
            yield return new RunEvidence(
                marks,
                new MarkerThreadWait
                {
                    SwitchedOut = left,
                    Readied = ready,
                    SwitchedIn = back,
                },
                clock
            );
        }
    }

    private Waiter Of(long thread)
    {
        if (!_threads.TryGetValue(thread, out var waiter))
            _threads.Add(thread, waiter = new Waiter());
        return waiter;
    }

    /// <summary>The latest waits of one thread: the stack of a switch-in arrives after it.</summary>
    private sealed class Waiter
    {
        /// <summary>
        /// Maximum number of switches by which a stack may be late: the thread may be preempted before it leaves the kernel.
        /// </summary>
        private const int Remembered = 16;

        private readonly (long Back, long Left, long? Ready)[] _ended = new (long, long, long?)[Remembered];
        private int _next;
        private long? _left;
        private long? _ready;

        public void SwitchOut(long time, bool isPreempted)
        {
            _left = isPreempted ? null : time;
            _ready = null;
        }

        public void Wake(long time)
        {
            if (_left is not null)
                _ready ??= time;
        }

        public void SwitchIn(long time)
        {
            if (_left is { } left)
                _ended[_next++ % Remembered] = (time, left, _ready);
            _left = null;
        }

        public (long Left, long? Ready)? WaitThatEndedAt(long time)
        {
            foreach (var (back, left, ready) in _ended)
            {
                if (back == time && left > 0)
                    return (left, ready);
            }

            return null;
        }
    }
}
