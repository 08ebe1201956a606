namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A thread was found running by the sampler; a view, valid during the call.</summary>
public readonly ref struct CpuSample
{
    /// <summary>Creates a sample.</summary>
    /// <param name="at">When and where.</param>
    /// <param name="cpuTicks">CPU time it stands for, in ticks of the trace's clock.</param>
    /// <param name="isKernel">Whether the processor was in kernel mode.</param>
    /// <param name="frames">Addresses, leaf first; may be empty.</param>
    /// <param name="kernelFrames">How many of the first frames are the kernel's.</param>
    public CpuSample(EventAt at, long cpuTicks, bool isKernel, ReadOnlySpan<ulong> frames, int kernelFrames)
    {
        At = at;
        CpuTicks = cpuTicks;
        IsKernel = isKernel;
        Frames = frames;
        KernelFrames = kernelFrames;
    }

    /// <summary>When and where.</summary>
    public EventAt At { get; }

    /// <summary>CPU time the sample stands for: the sampling period, in ticks of the trace's clock.</summary>
    public long CpuTicks { get; }

    /// <summary>Whether the processor was in kernel mode.</summary>
    public bool IsKernel { get; }

    /// <summary>
    /// Addresses, leaf first: those of the kernel, if any, then those of the program. The first one of each part is where the thread was, the others
    /// are return addresses: the call lies before them.
    /// </summary>
    public ReadOnlySpan<ulong> Frames { get; }

    /// <summary>How many of the first frames are the kernel's.</summary>
    public int KernelFrames { get; }

    /// <summary>Registers and top of the user stack, when they were recorded.</summary>
    public StackDump Dump { get; init; }

    /// <summary>Whether the stack is known to end on its way to the begin of its thread (true), or to reach it (false); null when only its frames can tell.</summary>
    public bool? IsCut { get; init; }

    /// <summary>The address to look frame <paramref name="index"/> up by: one byte before a return address, so that it lies in the call; 0 stays 0.</summary>
    public ulong CodeAddress(int index) => index == 0 || index == KernelFrames ? Frames[index] : Math.Max(Frames[index], 1) - 1;
}
