using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>
/// Joins CPU samples with their stacks. ETW logs a sample without a stack; the kernel's part of it follows as an event of its own, the program's part
/// when the thread returns to user mode. Samples wait here for both and go on in their order. A sample is passed on when its program's part has come, or when
/// it has waited so long that none will.
/// </summary>
/// <param name="visitor">Receives the samples.</param>
/// <param name="processId">Their process.</param>
/// <param name="patience">How long a sample waits, in ticks.</param>
internal sealed class SampleQueue(TraceVisitor visitor, int processId, long patience)
{
    /// <summary>Most frames of a sample: ETW's own limit is 192 for each part.</summary>
    private const int MaxFrames = 512;

    /// <summary>Samples in the order of their time.</summary>
    private readonly Queue<Pending> _waiting = new();

    /// <summary>The same by time and thread, by which stacks name their event.</summary>
    private readonly Dictionary<(long Time, int Thread), Pending> _byEvent = [];

    /// <summary>Samples to use again.</summary>
    private readonly Stack<Pending> _free = new();

    /// <summary>CPU time that a sample stands for, in ticks.</summary>
    public long CpuTicks { get; set; }

    /// <summary>Adds a sample.</summary>
    public void Add(long time, int thread, ulong address)
    {
        Expire(time - patience);
        if (!_free.TryPop(out var pending))
            pending = new Pending();
        pending.Begin(time, thread, address, CpuTicks);
        _waiting.Enqueue(pending);
        _byEvent[(time, thread)] = pending;
    }

    /// <summary>Adds a part of the stack of the event at <paramref name="time"/> on <paramref name="thread"/>, if that is a sample.</summary>
    public void AddStack(long time, int thread, ReadOnlySpan<byte> addresses, int pointerSize)
    {
        if (!_byEvent.TryGetValue((time, thread), out var pending))
            return;
        pending.AddStack(addresses, pointerSize);
        while (_waiting.TryPeek(out var first) && first.HasUserPart)
            PassOn();
    }

    /// <summary>Passes on what still waits.</summary>
    public void End() => Expire(long.MaxValue);

    private void Expire(long before)
    {
        while (_waiting.TryPeek(out var first) && (first.HasUserPart || first.Time < before))
            PassOn();
    }

    private void PassOn()
    {
        var sample = _waiting.Dequeue();
        _byEvent.Remove((sample.Time, sample.Thread));
        visitor.OnCpuSample(sample.Read(processId));
        _free.Push(sample);
    }

    /// <summary>A sample that waits for its stack.</summary>
    private sealed class Pending
    {
        private readonly ulong[] _frames = new ulong[MaxFrames];
        private int _count;
        private int _kernel;
        private ulong _address;
        private long _cpuTicks;

        public long Time { get; private set; }

        public int Thread { get; private set; }

        public bool HasUserPart { get; private set; }

        public void Begin(long time, int thread, ulong address, long cpuTicks)
        {
            Time = time;
            Thread = thread;
            _address = address;
            _cpuTicks = cpuTicks;
            _count = _kernel = 0;
            HasUserPart = false;
        }

        public void AddStack(ReadOnlySpan<byte> addresses, int pointerSize)
        {
            for (; addresses.Length >= pointerSize && _count < MaxFrames; addresses = addresses[pointerSize..])
            {
                var address = KernelPayload.Pointer(addresses, pointerSize);
                if (KernelPayload.IsKernelAddress(address))
                    _kernel = _count + 1;
                else
                    HasUserPart = true;
                _frames[_count++] = address;
            }
        }

        public CpuSample Read(int processId)
        {
            if (_count == 0)
            {
                _frames[_count++] = _address;
                _kernel = KernelPayload.IsKernelAddress(_address) ? 1 : 0;
            }

            return new CpuSample(new EventAt(Time, processId, Thread), _cpuTicks, KernelPayload.IsKernelAddress(_address), _frames.AsSpan(0, _count), _kernel);
        }
    }
}
