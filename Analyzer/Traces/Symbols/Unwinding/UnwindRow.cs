namespace EtwSerializerProfiler.Traces.Symbols.Unwinding;

/// <summary>
/// Where a function keeps its caller's registers at one instruction: a row of DWARF's call frame table. The canonical frame address (CFA)
/// is the stack pointer of the caller; offsets count from it.
/// </summary>
internal record struct UnwindRow
{
    /// <summary>What the CFA is computed from.</summary>
    public UnwindBase Base { get; set; }

    /// <summary>
    /// Offset that is added to it; with <see cref="UnwindBase.LinkageStub"/> the byte of a stub from which its push has happened.
    /// </summary>
    public long Offset { get; set; }

    /// <summary>Where the return address is.</summary>
    public UnwindPlace ReturnAddress { get; set; }

    /// <summary>Where on the stack, from the CFA.</summary>
    public long ReturnAddressAt { get; set; }

    /// <summary>Where the caller's frame pointer is.</summary>
    public UnwindPlace FramePointer { get; set; }

    /// <summary>Where on the stack, from the CFA.</summary>
    public long FramePointerAt { get; set; }

    /// <summary>
    /// Whether both are on the stack, the return address after the frame pointer, as a chain of frame pointers needs them.
    /// </summary>
    public readonly bool SavesPair =>
        ReturnAddress == UnwindPlace.Stack && FramePointer == UnwindPlace.Stack && ReturnAddressAt == FramePointerAt + 8;
}

/// <summary>Base of a function's frame address.</summary>
internal enum UnwindBase
{
    /// <summary>A base that this reader does not track.</summary>
    Unknown = 0,

    /// <summary>The stack pointer.</summary>
    StackPointer = 1,

    /// <summary>The frame pointer.</summary>
    FramePointer = 2,

    /// <summary>
    /// The stack pointer plus 8, or plus 16 after a push within each 16 bytes of code: the linker's rule for all stubs of a linkage table
    /// (PLT, x64).
    /// </summary>
    LinkageStub = 3,
}

/// <summary>DWARF register numbers of an architecture.</summary>
/// <param name="StackPointer">Stack pointer.</param>
/// <param name="FramePointer">Frame pointer.</param>
/// <param name="IsReturnAddressPushed">Whether a call pushes the return address; otherwise it is first in a register.</param>
internal readonly record struct UnwindColumns(int StackPointer, int FramePointer, bool IsReturnAddressPushed)
{
    /// <summary>e_machine of ELF.</summary>
    private const int X64 = 62;
    private const int Arm64 = 183;

    /// <summary>
    /// The numbers of an ELF machine; null for one that is not known. x64: psABI, figure 3.36. arm64: AADWARF64, section 4.1.
    /// </summary>
    public static UnwindColumns? Of(int machine) =>
        machine switch
        {
            X64 => new UnwindColumns(7, 6, true),
            Arm64 => new UnwindColumns(31, 29, false),
            _ => null,
        };
}

/// <summary>Where a function keeps a register of its caller.</summary>
internal enum UnwindPlace
{
    /// <summary>In its register.</summary>
    Register = 0,

    /// <summary>On the stack.</summary>
    Stack = 1,

    /// <summary>It is undefined, as the return address of a thread's first function is.</summary>
    Nowhere = 2,

    /// <summary>At a location that this reader does not track.</summary>
    Unknown = 3,
}
