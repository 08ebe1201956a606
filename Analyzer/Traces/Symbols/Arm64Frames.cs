using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Finds callers of arm64 leaf frames whose frame pointer is another frame's, from what JIT-compiled code does with its stack and the link
/// register.
/// </summary>
/// <remarks>
/// <para>
/// A call puts the return address into the link register (x30). Every method keeps a frame pointer (rpMustCreateEBPFrame of
/// dotnet/runtime): its prologue stores the pair, then sets x29; its epilogue loads the pair and returns. So the link register leads to the
/// caller up to the pair's store and after its load. Between the store and the setting of x29 the chain lacks the caller too, but the link
/// register still has it.
/// </para>
/// <para>
/// Elsewhere the frame is the method's own. Until the method's first call, the link register equals the chain's next return address; after
/// a call it points into the method itself; or the JIT uses it as scratch. So it is used only if it is none of these and points after a
/// call in a method: four bytes before it lies code of the same method. At the first instruction it is always the return address. Code that
/// replaced a loop is entered by a jump, which does not change the register.
/// </para>
/// <para>
/// A frame's pair lies at its bottom, below the locals, so the caller's stack pointer is unknown. It is known again after a native function
/// whose frame the frame pointer shows.
/// </para>
/// </remarks>
/// <param name="places">The process's code.</param>
internal sealed class Arm64Frames(CodePlaces places)
{
    private const ulong InstructionBytes = 4;

    /// <summary>Finds the caller of a leaf when the frame pointer chain lacks it.</summary>
    /// <param name="dump">Registers and stack.</param>
    /// <param name="method">The leaf.</param>
    /// <param name="frame">Its frame.</param>
    /// <param name="next">The return address that the chain has next; 0 when it has none.</param>
    /// <param name="time">Time in ticks of the trace's clock.</param>
    /// <param name="caller">The caller.</param>
    public bool TryFindCaller(in StackDump dump, MethodPlace method, in WalkedFrame frame, ulong next, long time, out WalkedFrame caller)
    {
        caller = new WalkedFrame(
            UserRegisterSet.WithoutSignature(dump.Link),
            frame.StackPointer,
            frame.FramePointer,
            IsStackPointerKnown: false
        );
        if (frame.Instruction == method.Start)
        {
            caller = caller with { IsStackPointerKnown = true };
            return dump.Link != 0;
        }

        if (next == 0 && dump.TryRead(frame.FramePointer + 8, out var follows))
            next = UserRegisterSet.WithoutSignature(follows);
        return next != 0
            && caller.Instruction != next
            && places.At(caller.Instruction - InstructionBytes, time).Method is { } called
            && called != method
            && places.At(caller.Instruction, time).Method == called;
    }

    /// <summary>
    /// The caller of a stub, which does not change the link register; default when the register does not point into a method.
    /// </summary>
    public WalkedFrame OfStub(in StackDump dump, in WalkedFrame frame, long time)
    {
        var instruction = UserRegisterSet.WithoutSignature(dump.Link);
        return places.At(instruction - InstructionBytes, time).Kind == CodePlaceKind.Method
            ? new WalkedFrame(instruction, frame.StackPointer, frame.FramePointer)
            : default;
    }
}
