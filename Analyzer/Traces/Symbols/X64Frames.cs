using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Finds callers of x64 leaf frames whose frame pointer is another frame's, from what JIT-compiled code does with its stack.
/// </summary>
/// <remarks>
/// A call pushes the return address, then a prologue pushes the frame pointer (the pair), before or after other registers. Four facts are
/// certain: at a method's first instruction and at its last byte, a return, the return address is on top of the stack; a pair with the
/// current frame pointer that lies below the address it points to was pushed by a prologue which has not set the register yet; and
/// optimized code that is too short for a frame and a call has no frame. The runtime's stubs push nothing.
/// </remarks>
/// <param name="places">The process's code.</param>
internal sealed class X64Frames(CodePlaces places)
{
    /// <summary>push rbp; mov rbp, rsp; call; pop rbp; ret: the shortest code that has a frame and needs it.</summary>
    private const ulong MinFramedBytes = 11;

    /// <summary>Maximum number of words that a prologue pushes after the pair: five registers, and one to align the stack.</summary>
    private const int MaxPushed = 6;

    /// <summary>Bytes that a return takes from the stack.</summary>
    private const ulong ReturnBytes = 8;

    /// <summary>
    /// Whether a leaf's position in its method determines its return address; <paramref name="caller"/> is its caller, or default when that
    /// is not a method.
    /// </summary>
    public bool TryFindCaller(in StackDump dump, MethodPlace method, in WalkedFrame frame, long time, out WalkedFrame caller)
    {
        var offset = frame.Instruction - method.Start;
        var isShort = method.Size < MinFramedBytes && method.Tier is CodeTier.Tier1 or CodeTier.Optimized or CodeTier.ReadyToRun;
        if (offset == 0 || offset == method.Size - 1 || isShort)
        {
            caller = FromTop(dump, frame, time);
            return true;
        }

        caller =
            IsInPrologue(dump, offset, frame, out var pair) && IsReturn(dump, pair + 8, time, out var instruction)
                ? new WalkedFrame(instruction, pair + 16, frame.FramePointer)
                : default;
        return caller != default;
    }

    /// <summary>The caller of code that has pushed nothing; default when the top word does not point into a method.</summary>
    public WalkedFrame FromTop(in StackDump dump, in WalkedFrame frame, long time) =>
        IsReturn(dump, frame.StackPointer, time, out var instruction)
            ? new WalkedFrame(instruction, frame.StackPointer + ReturnBytes, frame.FramePointer)
            : default;

    /// <summary>
    /// Whether the pair has been pushed but the frame pointer not set yet: it is on the stack below as many registers as the JIT's pushes
    /// up to here can have saved, of 2 bytes each (r12 to r15) except the last ones (rbx, and rax to align the stack). The position in the
    /// code must match: such pairs are also left in memory by earlier calls with frames at the same place.
    /// </summary>
    private static bool IsInPrologue(in StackDump dump, ulong offset, in WalkedFrame frame, out ulong pair)
    {
        var max = offset == 1 ? 0 : Math.Min((offset + 1) / 2, MaxPushed);
        for (var pushed = offset / 2; pushed <= max; pushed++)
        {
            pair = frame.StackPointer + 8 * pushed;
            if (pair < frame.FramePointer && dump.TryRead(pair, out var word) && word == frame.FramePointer)
                return true;
        }

        pair = 0;
        return false;
    }

    /// <summary>Whether a stack word points into a method.</summary>
    private bool IsReturn(in StackDump dump, ulong at, long time, out ulong instruction) =>
        dump.TryRead(at, out instruction) && places.At(instruction - 1, time).Kind == CodePlaceKind.Method;
}
