namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A thread was found running by the sampler; a view, valid during the call.</summary>
public readonly ref struct CpuSample : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.CpuSamples;

    static bool ITraceEvent.ShowsKind => true;

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

    /// <summary>Whether the runtime walked the stack: managed frames alone, none of them missing or too many, and the first one is a return address, too.</summary>
    public bool IsWalkedByRuntime { get; init; }

    /// <summary>The address to look frame <paramref name="index"/> up by: one byte before a return address, so that it lies in the call; 0 stays 0.</summary>
    public ulong CodeAddress(int index) => index == 0 || index == KernelFrames ? Frames[index] : Math.Max(Frames[index], 1) - 1;
}

/// <summary>A thread of another process was found running; the idle process does not count. Only where the whole machine was sampled.</summary>
/// <param name="At">When, which process, which thread.</param>
/// <param name="CpuTicks">CPU time the sample stands for, in ticks.</param>
public readonly record struct OtherProcessSample(EventAt At, long CpuTicks) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.OtherProcesses;
}

/// <summary>Registers of the thread in user mode and a copy of the top of its stack, as they were at a sample; a view, valid during the call.</summary>
public readonly ref struct StackDump
{
    /// <summary>Creates a dump.</summary>
    /// <param name="instruction">Instruction pointer.</param>
    /// <param name="stackPointer">Stack pointer.</param>
    /// <param name="framePointer">Frame pointer.</param>
    /// <param name="link">Link register, 0 on an architecture without one.</param>
    /// <param name="bytes">The stack from the stack pointer on.</param>
    public StackDump(ulong instruction, ulong stackPointer, ulong framePointer, ulong link, ReadOnlySpan<byte> bytes)
    {
        IsRecorded = true;
        Instruction = instruction;
        StackPointer = stackPointer;
        FramePointer = framePointer;
        Link = link;
        Bytes = bytes;
    }

    /// <summary>Whether there is one.</summary>
    public bool IsRecorded { get; }

    /// <summary>Instruction pointer.</summary>
    public ulong Instruction { get; }

    /// <summary>Stack pointer.</summary>
    public ulong StackPointer { get; }

    /// <summary>Frame pointer.</summary>
    public ulong FramePointer { get; }

    /// <summary>Link register, 0 on an architecture without one.</summary>
    public ulong Link { get; }

    /// <summary>The stack from <see cref="StackPointer"/> on.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>Reads a word of the stack.</summary>
    /// <param name="address">Where it is.</param>
    /// <param name="word">The word.</param>
    /// <returns>False when it is not in the copy.</returns>
    public bool TryRead(ulong address, out ulong word)
    {
        var offset = address - StackPointer;
        if (address < StackPointer || offset > (ulong)Bytes.Length || (ulong)Bytes.Length - offset < 8)
        {
            word = 0;
            return false;
        }

        word = System.Buffers.Binary.BinaryPrimitives.ReadUInt64LittleEndian(Bytes[(int)offset..]);
        return true;
    }
}
