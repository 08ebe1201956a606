using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>
/// A sample or switch that waits for its stack; a node of two lists: all that wait for the same part, and all of its thread.
/// </summary>
internal sealed class PendingSample
{
    /// <summary>Maximum number of frames: ETW's own limit is 192 for each part.</summary>
    private const int MaxFrames = 512;

    private ulong[] _frames = new ulong[48];
    private int _count;

    /// <summary>Time of the sample.</summary>
    public long Time { get; private set; }

    /// <summary>Thread of the sample.</summary>
    public int Thread { get; private set; }

    /// <summary>Instruction pointer.</summary>
    public ulong Address { get; private set; }

    /// <summary>Whether it is a switch-in instead of a sample.</summary>
    public bool IsSwitch { get; private set; }

    /// <summary>Whether the trace marks the stack as cut; null when only the frames can show it.</summary>
    public bool? IsCut { get; private set; }

    /// <summary>Frames of the stack so far.</summary>
    public ReadOnlySpan<ulong> Frames => _frames.AsSpan(0, _count);

    /// <summary>Number of leading kernel frames.</summary>
    public int KernelFrames { get; private set; }

    /// <summary>Whether the kernel's part of the stack has arrived; the program's part arrives when the thread leaves the kernel.</summary>
    public bool HasKernelPart => KernelFrames > 0;

    /// <summary>The next waiting sample of the same thread.</summary>
    public PendingSample? NextOfThread { get; set; }

    /// <summary>The list in which it waits.</summary>
    public PendingSamples? Waiting { get; set; }

    /// <summary>Neighbours in that list.</summary>
    public PendingSample? Previous { get; set; }

    /// <inheritdoc cref="Previous"/>
    public PendingSample? Next { get; set; }

    /// <summary>Reuses it for a new sample.</summary>
    public void Begin(long time, int thread, ulong address, bool isSwitch, bool? isCut)
    {
        IsCut = isCut;
        IsSwitch = isSwitch;
        Time = time;
        Thread = thread;
        Address = address;
        _count = KernelFrames = 0;
    }

    /// <summary>Adds a part of the stack, in which the first frames are kernel frames.</summary>
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

    /// <summary>Returns the sample with its stack so far; without one, with the instruction pointer.</summary>
    public CpuSample Read(int processId, long cpuTicks, bool isKernel)
    {
        if (_count == 0)
        {
            _frames[_count++] = Address;
            KernelFrames = isKernel ? 1 : 0;
        }

        return new CpuSample(new EventAt(Time, processId, Thread), cpuTicks, isKernel, _frames.AsSpan(0, _count), KernelFrames)
        {
            IsCut = IsCut,
        };
    }
}
