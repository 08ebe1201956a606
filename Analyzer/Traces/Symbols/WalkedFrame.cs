namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>Registers as they were in a frame.</summary>
/// <param name="Instruction">Instruction pointer; of a caller, its return address.</param>
/// <param name="StackPointer">Stack pointer; where it is not known, the lowest that it can have been.</param>
/// <param name="FramePointer">Frame pointer.</param>
/// <param name="IsStackPointerKnown">Whether the stack pointer was that one.</param>
internal readonly record struct WalkedFrame(ulong Instruction, ulong StackPointer, ulong FramePointer, bool IsStackPointerKnown = true);
