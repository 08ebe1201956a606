using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>
/// Joins runtime events with their stacks, like <see cref="SampleQueue"/> does for samples. A stack has one of three forms: part of the
/// event (an extended item), the runtime's own event directly after it on the same thread (ClrStackWalk, .NET Framework), or the kernel's
/// StackWalk event, which identifies the event by time and thread. Events wait here in order, so that none overtakes another; one whose
/// stack never comes continues without it. Run marks do not wait, because they are joined with switches, which do not pass through here.
/// </summary>
/// <param name="clr">Receives the events.</param>
/// <param name="patience">Maximum waiting time of an event, in ticks.</param>
internal sealed class ClrEventQueue(ClrEventDispatcher clr, long patience)
{
    /// <summary>Instance of the runtime (2), reserved (2), number of frames (4).</summary>
    private const int ClrStackHeader = 8;

    private readonly Queue<Pending> _waiting = new();
    private readonly Dictionary<(long Time, long Thread), Pending> _byEvent = [];

    /// <summary>Last event without a stack, by thread.</summary>
    private readonly Dictionary<long, Pending> _last = [];

    /// <summary>Events for reuse.</summary>
    private readonly Stack<Pending> _free = new();

    /// <summary>Adds an event.</summary>
    /// <param name="provider">Its provider.</param>
    /// <param name="id">Its id.</param>
    /// <param name="at">Time, process and thread.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="pointerSize">Size of a pointer in the payload.</param>
    /// <param name="stack">Addresses that came with the event, as in the trace; empty for none.</param>
    /// <param name="stackPointerSize">Size of an address.</param>
    public void Add(
        in Guid provider,
        int id,
        in EventAt at,
        ReadOnlySpan<byte> payload,
        int pointerSize,
        ReadOnlySpan<byte> stack,
        int stackPointerSize
    )
    {
        Expire(at.Time - patience);
        var waits = ClrEventDispatcher.HasStack(provider, id) && stack.IsEmpty;
        if (ClrEventDispatcher.IsMarks(provider) || (!waits && stack.IsEmpty && _waiting.Count == 0))
        {
            clr.Dispatch(provider, id, at, payload, new ClrEventDetail(default, pointerSize));
            return;
        }

        if (!_free.TryPop(out var pending))
            pending = new Pending();
        pending.Begin(provider, id, at, payload, pointerSize, isComplete: !waits);
        pending.AddStack(stack, stackPointerSize);
        _waiting.Enqueue(pending);
        if (waits)
        {
            _byEvent[(at.Time, at.ThreadId)] = pending;
            _last[at.ThreadId] = pending;
        }

        PassOn();
    }

    /// <summary>Adds the stack that the runtime logged after the last event of a thread (payload of ClrStackWalk).</summary>
    public void AddRuntimeStack(long thread, ReadOnlySpan<byte> payload, int pointerSize)
    {
        if (payload.Length < ClrStackHeader || !_last.Remove(thread, out var pending))
            return;
        var frames = BinaryPrimitives.ReadInt32LittleEndian(payload[4..]);
        var addresses = payload[ClrStackHeader..];
        if (frames >= 0 && frames <= addresses.Length / pointerSize)
            addresses = addresses[..(frames * pointerSize)];
        pending.AddStack(addresses, pointerSize);
        PassOn();
    }

    /// <summary>
    /// Adds a part of the stack of the event at <paramref name="time"/> on <paramref name="thread"/>, if the event waits here.
    /// </summary>
    public void AddStack(long time, long thread, ReadOnlySpan<byte> addresses, int pointerSize)
    {
        if (!_byEvent.TryGetValue((time, thread), out var pending))
            return;
        pending.AddStack(addresses, pointerSize);
        PassOn();
    }

    /// <summary>Publishes all waiting events.</summary>
    public void End() => Expire(long.MaxValue);

    private void PassOn() => Expire(long.MinValue);

    private void Expire(long before)
    {
        while (_waiting.TryPeek(out var first) && (first.IsComplete || first.At.Time < before))
        {
            _waiting.Dequeue();
            _byEvent.Remove((first.At.Time, first.At.ThreadId));
            if (_last.TryGetValue(first.At.ThreadId, out var last) && ReferenceEquals(last, first))
                _last.Remove(first.At.ThreadId);
            first.Dispatch(clr);
            _free.Push(first);
        }
    }

    /// <summary>A waiting event.</summary>
    private sealed class Pending
    {
        private byte[] _payload = new byte[256];
        private ulong[] _frames = new ulong[64];
        private int _payloadBytes;
        private int _count;
        private Guid _provider;
        private int _id;
        private int _pointerSize;

        public EventAt At { get; private set; }

        public bool IsComplete { get; private set; }

        public void Begin(in Guid provider, int id, in EventAt at, ReadOnlySpan<byte> payload, int pointerSize, bool isComplete)
        {
            (_provider, _id, _pointerSize, At, IsComplete, _count) = (provider, id, pointerSize, at, isComplete, 0);
            if (_payload.Length < payload.Length)
                _payload = new byte[payload.Length];
            payload.CopyTo(_payload);
            _payloadBytes = payload.Length;
        }

        /// <summary>Adds the program's frames; kernel frames are irrelevant for an event of the runtime.</summary>
        public void AddStack(ReadOnlySpan<byte> addresses, int pointerSize)
        {
            for (; addresses.Length >= pointerSize; addresses = addresses[pointerSize..])
            {
                var address = KernelPayload.Pointer(addresses, pointerSize);
                if (address == 0 || KernelPayload.IsKernelAddress(address))
                    continue;
                if (_count == _frames.Length)
                    Array.Resize(ref _frames, 2 * _count);
                _frames[_count++] = address;
                IsComplete = true;
            }
        }

        public void Dispatch(in ClrEventDispatcher clr) =>
            clr.Dispatch(
                _provider,
                _id,
                At,
                _payload.AsSpan(0, _payloadBytes),
                new ClrEventDetail(_frames.AsSpan(0, _count), _pointerSize)
            );
    }
}
