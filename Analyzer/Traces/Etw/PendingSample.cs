using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>A sample, or a switch, that waits for its stack; a node of two lists: all that wait for the same, and those of its thread.</summary>
internal sealed class PendingSample
{
    /// <summary>Most frames of a sample: ETW's own limit is 192 for each part.</summary>
    private const int MaxFrames = 512;

    private ulong[] _frames = new ulong[48];
    private int _count;

    /// <summary>When the sample was taken.</summary>
    public long Time { get; private set; }

    /// <summary>On which thread.</summary>
    public int Thread { get; private set; }

    /// <summary>Where the processor was.</summary>
    public ulong Address { get; private set; }

    /// <summary>Whether it is a thread's coming to a processor, not a sample.</summary>
    public bool IsSwitch { get; private set; }

    /// <summary>What the trace says of the stack's end; null when only its frames can tell.</summary>
    public bool? IsCut { get; private set; }

    /// <summary>What has come of the stack.</summary>
    public ReadOnlySpan<ulong> Frames => _frames.AsSpan(0, _count);

    /// <summary>How many of the first frames are the kernel's.</summary>
    public int KernelFrames { get; private set; }

    /// <summary>Whether the kernel's part of the stack has come: the program's part comes when the thread leaves the kernel.</summary>
    public bool HasKernelPart => KernelFrames > 0;

    /// <summary>The next sample of the same thread that waits.</summary>
    public PendingSample? NextOfThread { get; set; }

    /// <summary>The list that it waits in.</summary>
    public PendingSamples? Waiting { get; set; }

    /// <summary>The samples before and behind it in that list.</summary>
    public PendingSample? Previous { get; set; }

    /// <inheritdoc cref="Previous"/>
    public PendingSample? Next { get; set; }

    /// <summary>Begins anew.</summary>
    public void Begin(long time, int thread, ulong address, bool isSwitch, bool? isCut)
    {
        IsCut = isCut;
        IsSwitch = isSwitch;
        Time = time;
        Thread = thread;
        Address = address;
        _count = KernelFrames = 0;
    }

    /// <summary>Adds a part of the stack, in which the first frames are the kernel's.</summary>
    public void Add(ReadOnlySpan<byte> addresses, int pointerSize, int kernelFrames)
    {
        var count = Math.Min(addresses.Length / pointerSize, MaxFrames - _count);
        if (_count + count > _frames.Length)
            Array.Resize(ref _frames, Math.Max(_count + count, 2 * _frames.Length));
        if (kernelFrames > 0)
            KernelFrames = _count + Math.Min(kernelFrames, count);
        for (var i = 0; i < count; i++)
            _frames[_count + i] = KernelPayload.Pointer(addresses[(i * pointerSize)..], pointerSize);
        _count += count;
    }

    /// <summary>The sample with what has come of its stack; without any, its instruction pointer alone.</summary>
    public CpuSample Read(int processId, long cpuTicks, bool isKernel)
    {
        if (_count == 0)
        {
            _frames[_count++] = Address;
            KernelFrames = isKernel ? 1 : 0;
        }

        return new CpuSample(new EventAt(Time, processId, Thread), cpuTicks, isKernel, _frames.AsSpan(0, _count), KernelFrames) { IsCut = IsCut };
    }
}
