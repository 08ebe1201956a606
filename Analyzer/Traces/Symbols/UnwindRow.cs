namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Where a function keeps what its caller needs, at one instruction: a row of DWARF's call frame table. The canonical frame address (CFA) is the stack pointer
/// of the caller; offsets count from it.
/// </summary>
internal record struct UnwindRow
{
    /// <summary>What the CFA is computed from.</summary>
    public UnwindBase Base { get; set; }

    /// <summary>What is added to it; with <see cref="UnwindBase.LinkageStub"/> at which byte of a stub its push has happened.</summary>
    public long Offset { get; set; }

    /// <summary>Where the return address is.</summary>
    public UnwindPlace ReturnAddress { get; set; }

    /// <summary>Where on the stack, from the CFA.</summary>
    public long ReturnAddressAt { get; set; }

    /// <summary>Where the caller's frame pointer is.</summary>
    public UnwindPlace FramePointer { get; set; }

    /// <summary>Where on the stack, from the CFA.</summary>
    public long FramePointerAt { get; set; }
}
