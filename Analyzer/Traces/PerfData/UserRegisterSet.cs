using System.Numerics;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// Numbers of user registers in perf events (arch/x86/include/uapi/asm/perf_regs.h, arch/arm64/include/uapi/asm/perf_regs.h). A sample has
/// the registers in its event's mask, lowest number first.
/// </summary>
public static class UserRegisterSet
{
    private const int X64FramePointer = 6;
    private const int X64StackPointer = 7;
    private const int X64Instruction = 8;

    private const int Arm64FramePointer = 29;
    private const int Arm64Link = 30;
    private const int Arm64StackPointer = 31;
    private const int Arm64Instruction = 32;

    /// <summary>Mask of the registers needed to find the caller of a function without frame pointer, on x64: RBP, RSP, RIP.</summary>
    public const ulong X64 = 1UL << X64FramePointer | 1UL << X64StackPointer | 1UL << X64Instruction;

    /// <summary>The same on arm64: x29, LR, SP, PC.</summary>
    public const ulong Arm64 = 1UL << Arm64FramePointer | 1UL << Arm64Link | 1UL << Arm64StackPointer | 1UL << Arm64Instruction;

    /// <summary>
    /// Bits of an address of a program; what arm64 keeps above them in a return address is its signature (pointer authentication).
    /// </summary>
    private const ulong AddressBits = 0x0000_ffff_ffff_ffff;

    /// <summary>A return address without the signature that it may have.</summary>
    public static ulong WithoutSignature(ulong returnAddress) => returnAddress & AddressBits;

    /// <summary>Registers and stack of a sample in the event model; not recorded when one of the registers is missing.</summary>
    internal static StackDump Read(in PerfSample sample)
    {
        var mask = sample.Event.Settings.RegistersUser;
        var registers = sample.UserRegisters;
        if (registers.Length != BitOperations.PopCount(mask))
            return default;

        // x64 has no registers with the numbers 24 to 31.
        if ((mask & Arm64) == Arm64)
            return new StackDump(
                At(registers, mask, Arm64Instruction),
                At(registers, mask, Arm64StackPointer),
                At(registers, mask, Arm64FramePointer),
                At(registers, mask, Arm64Link),
                sample.UserStack
            );
        return (mask & X64) == X64
            ? new StackDump(
                At(registers, mask, X64Instruction),
                At(registers, mask, X64StackPointer),
                At(registers, mask, X64FramePointer),
                null,
                sample.UserStack
            )
            : default;
    }

    private static ulong At(ReadOnlySpan<ulong> registers, ulong mask, int number) =>
        registers[BitOperations.PopCount(mask & (1UL << number) - 1)];
}
