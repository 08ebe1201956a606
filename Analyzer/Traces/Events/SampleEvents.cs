namespace EtwSerializerProfiler.Traces.Events;

/// <summary>The sampler found a running thread; a view, valid during the call.</summary>
public readonly ref struct CpuSample : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.CpuSamples;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>Creates a sample.</summary>
    /// <param name="at">Time, process and thread.</param>
    /// <param name="cpuTicks">CPU time that it represents, in ticks of the trace's clock.</param>
    /// <param name="isKernel">Whether the processor was in kernel mode.</param>
    /// <param name="frames">Addresses, leaf first; may be empty.</param>
    /// <param name="kernelFrames">Number of leading kernel frames.</param>
    public CpuSample(EventAt at, long cpuTicks, bool isKernel, ReadOnlySpan<ulong> frames, int kernelFrames)
    {
        At = at;
        CpuTicks = cpuTicks;
        IsKernel = isKernel;
        Frames = frames;
        KernelFrames = kernelFrames;
    }

    /// <summary>Time, process and thread.</summary>
    public EventAt At { get; }

    /// <summary>CPU time that the sample represents: the sampling period, in ticks of the trace's clock.</summary>
    public long CpuTicks { get; }

    /// <summary>Whether the processor was in kernel mode.</summary>
    public bool IsKernel { get; }

    /// <summary>
    /// Addresses, leaf first: those of the kernel, if any, then those of the program. The first one of each part is the current
    /// instruction, the others are return addresses after their calls.
    /// </summary>
    public ReadOnlySpan<ulong> Frames { get; }

    /// <summary>Number of leading kernel frames.</summary>
    public int KernelFrames { get; }

    /// <summary>Registers and the top of the user stack, if recorded.</summary>
    public StackDump Dump { get; init; }

    /// <summary>
    /// Whether the stack is known to be cut (true), or to reach the start of its thread (false); null when only its frames can show it.
    /// </summary>
    public bool? IsCut { get; init; }

    /// <summary>
    /// Whether the runtime walked the stack: exactly the managed frames, of which the first one is a return address, too.
    /// </summary>
    public bool IsWalkedByRuntime { get; init; }

    /// <summary>
    /// The address for looking up frame <paramref name="index"/>: one byte before a return address, inside the call; 0 stays 0.
    /// </summary>
    public ulong CodeAddress(int index) => index == 0 || index == KernelFrames ? Frames[index] : Math.Max(Frames[index], 1) - 1;
}

/// <summary>
/// The sample profiler found a thread with managed frames, which may run or wait; a view, valid during the call. CPU time is in
/// <see cref="CpuSample"/> only.
/// </summary>
public readonly ref struct ProfilerSample : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.CpuSamples;

    /// <summary>Time, process and thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Whether it was in managed code; else in native code or in a wait.</summary>
    public required bool IsManaged { get; init; }

    /// <summary>Managed return addresses, leaf first.</summary>
    public required ReadOnlySpan<ulong> Frames { get; init; }
}

/// <summary>
/// The sampler found a running thread of another process, except the idle process. Only if the whole machine was sampled.
/// </summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="CpuTicks">CPU time that the sample represents, in ticks.</param>
public readonly record struct OtherProcessSample(EventAt At, long CpuTicks) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.OtherProcesses;
}

/// <summary>User-mode registers of the thread and a copy of the top of its stack at a sample; a view, valid during the call.</summary>
public readonly ref struct StackDump
{
    /// <summary>Creates a dump.</summary>
    /// <param name="instruction">Instruction pointer.</param>
    /// <param name="stackPointer">Stack pointer.</param>
    /// <param name="framePointer">Frame pointer.</param>
    /// <param name="link">Link register; null on an architecture without one.</param>
    /// <param name="bytes">The stack from the stack pointer on.</param>
    public StackDump(ulong instruction, ulong stackPointer, ulong framePointer, ulong? link, ReadOnlySpan<byte> bytes)
    {
        IsRecorded = true;
        Instruction = instruction;
        StackPointer = stackPointer;
        FramePointer = framePointer;
        HasLink = link is not null;
        Link = link ?? 0;
        Bytes = bytes;
    }

    /// <summary>Whether there is a dump.</summary>
    public bool IsRecorded { get; }

    /// <summary>Instruction pointer.</summary>
    public ulong Instruction { get; }

    /// <summary>Stack pointer.</summary>
    public ulong StackPointer { get; }

    /// <summary>Frame pointer.</summary>
    public ulong FramePointer { get; }

    /// <summary>Whether the architecture has a link register.</summary>
    public bool HasLink { get; }

    /// <summary>Link register, which code may use for any value, 0 too; 0 on an architecture without one.</summary>
    public ulong Link { get; }

    /// <summary>The stack from <see cref="StackPointer"/> on.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>Reads a word of the stack.</summary>
    /// <param name="address">The address.</param>
    /// <param name="word">The word.</param>
    /// <returns>False when the copy does not contain it.</returns>
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
