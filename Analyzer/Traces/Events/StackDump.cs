namespace EtwSerializerProfiler.Traces.Events;

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
