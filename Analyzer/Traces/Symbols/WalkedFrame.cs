namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>Registers as they were in a frame.</summary>
/// <param name="Instruction">Instruction pointer; of a caller, its return address.</param>
/// <param name="StackPointer">Stack pointer; if unknown, its lowest possible value.</param>
/// <param name="FramePointer">Frame pointer.</param>
/// <param name="IsStackPointerKnown">Whether the stack pointer is exact.</param>
internal readonly record struct WalkedFrame(ulong Instruction, ulong StackPointer, ulong FramePointer, bool IsStackPointerKnown = true);
