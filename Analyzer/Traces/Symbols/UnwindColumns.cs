namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>Numbers of registers in DWARF of an architecture.</summary>
/// <param name="StackPointer">Stack pointer.</param>
/// <param name="FramePointer">Frame pointer.</param>
/// <param name="IsReturnAddressPushed">Whether a call puts the return address on the stack; else it is in a register first.</param>
internal readonly record struct UnwindColumns(int StackPointer, int FramePointer, bool IsReturnAddressPushed)
{
    /// <summary>e_machine of ELF.</summary>
    private const int X64 = 62;
    private const int Arm64 = 183;

    /// <summary>The numbers of an ELF machine; null for one that is not known. x64: psABI, figure 3.36. arm64: AADWARF64, section 4.1.</summary>
    public static UnwindColumns? Of(int machine) => machine switch
    {
        X64 => new UnwindColumns(7, 6, true),
        Arm64 => new UnwindColumns(31, 29, false),
        _ => null,
    };
}
