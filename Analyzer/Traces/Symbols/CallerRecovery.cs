using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Unwinding;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>Finds the callers that a chain of frame pointers has lost near its leaf, from a few registers and a copy of the top of the stack.</summary>
/// <remarks>
/// <para>
/// The kernel follows frame pointers: the register holds the address of a pair (caller's frame pointer, return address), and that pair's first word is the address of the
/// next one. A function takes part once its prologue has pushed the pair and set the register. While a thread is in a function that never does so (allocation
/// helpers, memcpy, __tls_get_addr), or not yet, or no longer, the register still belongs to a function further out, the owner. The chain then goes from the
/// leaf to the caller of the owner: the owner and all functions between it and the leaf are missing. They are what is recovered here.
/// </para>
/// <para>
/// The walk goes from the leaf outwards, with instruction pointer, stack pointer and frame pointer as they were in each frame, until it meets the owner. In a
/// library the call frame information (<see cref="UnwindTable"/>) says for every instruction where the return address is and whether the caller's frame pointer was
/// saved; the frame whose pair lies where the frame pointer points is the owner. A method is the owner as long as nothing on the way has changed the register, except for small ones: the JIT gives
/// them no frame pointer. Their callers are found by <see cref="FramelessMethods"/>, at the leaf and anywhere on the chain. The owner's return address is then the next one of the chain; where
/// the copy reaches that far they are compared, and nothing is recovered if they differ. From there the walk goes on along the chain to the end of the copy: a helper
/// without a frame pointer may have called functions that keep one, and hides its caller as well.
/// </para>
/// <para>
/// Where a library used the register for something else, the saved value differs from it. What the kernel followed is no chain then, and the walk stands in its place: by
/// the table in libraries, by frame pointers in methods, as far as the copy reaches.
/// </para>
/// <para>
/// A trace does not say where methods keep what. Of a leaf that is one, four things are certain (x64): at its first instruction and at its last byte, a return,
/// the return address is on top of the stack; a pair with the present frame pointer that lies below the place it points to was pushed by a prologue which has not set the register
/// yet; and optimized code that is too short for a frame and a call has none. Else it is taken as the owner. In the runtime's stubs, which push nothing, the return address
/// is on top if that lies in a method.
/// </para>
/// <para>
/// Every return address has to lie in code, and nothing is taken where a rule is not met: a wrong caller is worse than none. What an address means for the walk is found
/// once for each distinct address; a sample allocates nothing.
/// </para>
/// </remarks>
public sealed class CallerRecovery
{
    /// <summary>Max. number of frames that are recovered: the copy of a stack is a few KB, and a frame takes 16 bytes or more. Async methods that run synchronously stand on one another, well over 64 deep.</summary>
    private const int MaxFrames = 512;

    /// <summary>push rbp; mov rbp, rsp; call; pop rbp; ret: the shortest code that has a frame and needs it.</summary>
    private const ulong ShortestFramed = 11;

    /// <summary>Words that a prologue pushes behind the pair: five registers, and one to align the stack.</summary>
    private const int MostPushed = 6;

    private readonly CodePlaces _places;
    private readonly FramelessMethods _frameless;
    private readonly ulong[] _callers = new ulong[MaxFrames];
    private int _count;

    internal CallerRecovery(CodePlaces places, FramelessMethods frameless) => (_places, _frameless) = (places, frameless);

    private enum Step
    {
        /// <summary>No rule applies.</summary>
        None,

        /// <summary>The caller is known.</summary>
        Caller,

        /// <summary>The thread began here.</summary>
        Start,
    }

    /// <summary>Return addresses behind the leaf, innermost first: what the chain lacks, and what it has between. Valid until the next sample.</summary>
    public ReadOnlySpan<ulong> Callers => _callers.AsSpan(0, _count);

    /// <summary>The first frame of the sample that follows them; the number of frames when they stand for the whole chain.</summary>
    public int ResumesAt { get; private set; }

    /// <summary>Whether the walk came to where the thread began.</summary>
    public bool ReachesStart { get; private set; }

    /// <summary>Looks for callers that a sample's chain lacks.</summary>
    /// <returns>Whether there are <see cref="Callers"/>.</returns>
    public bool TryRecover(in CpuSample sample)
    {
        _count = 0;
        ReachesStart = false;
        var chain = sample.Frames[sample.KernelFrames..];
        if (!sample.Dump.IsRecorded || chain.Length == 0 || chain[0] != sample.Dump.Instruction)
            return false;
        _count = Walk(sample.Dump, chain, sample.At.Time, out var resumesAt);
        ResumesAt = sample.KernelFrames + resumesAt;
        return _count > 0;
    }

    /// <summary>Collects callers.</summary>
    /// <returns>How many are to be used, 0 when the chain lacks none that could be found.</returns>
    private int Walk(in StackDump dump, ReadOnlySpan<ulong> chain, long time, out int resumesAt)
    {
        var frame = new Frame(dump.Instruction, dump.StackPointer, dump.FramePointer);
        var isChain = chain.Length > 1; // whether the rest of the chain is one
        var next = 1; // the frame of the chain that the owner of the frame pointer returns to
        var missing = 0; // found, but not known yet to be followed by the next frame of the chain
        var sure = 0;
        MethodPlace? callee = null;
        resumesAt = 1;
        for (var count = 0; count < MaxFrames; count++)
        {
            var place = _places.At(count == 0 ? frame.Instruction : frame.Instruction - 1, time);
            var isOwner = false;
            Frame caller = default;
            var step = place.Kind switch
            {
                CodePlaceKind.Described => ByTable(dump, place.Row, frame, count == 0, out caller, out isOwner),
                CodePlaceKind.Method => OutOfMethod(dump, place.Method!, frame, callee, isChain && next < chain.Length ? chain[next] : 0, time, count == 0, out caller, out isOwner),
                CodePlaceKind.PrecompiledStub when count > 0 => ByFramePointer(dump, frame, out caller, out isOwner),
                CodePlaceKind.Stub when count == 0 => OutOfStub(dump, frame, time, out caller),
                _ => Step.None,
            };
            if (isChain && isOwner)
            {
                if (next == chain.Length || (dump.TryRead(frame.FramePointer + 8, out var follows) && Code(follows) != chain[next]))
                    break;
                if (missing > 0)
                    (sure, resumesAt) = (count, next);
                missing = 0;
                if (step != Step.Caller)
                    break;
                caller = caller with { Instruction = chain[next++] };
            }
            else if (isChain && next == chain.Length && missing == 0)
            {
                break; // the chain ends here: a thread begins in functions without a frame pointer
            }
            else if (step == Step.Start)
            {
                ReachesStart = true;
                (sure, resumesAt) = (count, chain.Length);
                break;
            }
            else if (step == Step.None || caller.StackPointer < frame.StackPointer || _places.At(caller.Instruction - 1, time).Kind == CodePlaceKind.None)
            {
                break;
            }
            else
            {
                missing++;
                isChain &= caller.FramePointer == frame.FramePointer;
                if (!isChain)
                    (sure, resumesAt) = (count + 1, chain.Length);
            }

            _callers[count] = caller.Instruction;
            frame = caller;
            callee = place.Method;
        }

        return sure;
    }

    private static Step ByTable(in StackDump dump, in UnwindRow row, in Frame frame, bool isLeaf, out Frame caller, out bool isOwner)
    {
        caller = default;
        isOwner = false;
        var top = row.Base switch
        {
            UnwindBase.StackPointer => frame.StackPointer + (ulong)row.Offset,
            UnwindBase.FramePointer => frame.FramePointer + (ulong)row.Offset,
            UnwindBase.LinkageStub => frame.StackPointer + ((frame.Instruction & 15) >= (ulong)row.Offset ? 16UL : 8UL),
            _ => 0UL,
        };
        if (row.ReturnAddress == UnwindPlace.Nowhere)
            return Step.Start;
        if (top < frame.StackPointer)
            return Step.None;
        var (returnAt, pointerAt) = (top + (ulong)row.ReturnAddressAt, top + (ulong)row.FramePointerAt);
        isOwner = row.ReturnAddress == UnwindPlace.Stack && row.FramePointer == UnwindPlace.Stack && pointerAt == frame.FramePointer && returnAt == pointerAt + 8;

        var instruction = row.ReturnAddress == UnwindPlace.Register && isLeaf ? dump.Link : 0;
        var framePointer = frame.FramePointer;
        if (row.ReturnAddress == UnwindPlace.Stack && !dump.TryRead(returnAt, out instruction))
            return Step.None;
        if (row.FramePointer != UnwindPlace.Register && (row.FramePointer != UnwindPlace.Stack || !dump.TryRead(pointerAt, out framePointer)))
            return Step.None;
        caller = new Frame(Code(instruction), top, framePointer);
        return instruction == 0 ? Step.None : Step.Caller;
    }

    /// <summary>A method that has set the frame pointer: its pair is where the register points.</summary>
    private static Step ByFramePointer(in StackDump dump, in Frame frame, out Frame caller, out bool isOwner)
    {
        caller = default;
        isOwner = frame.FramePointer >= frame.StackPointer;
        if (!isOwner || !dump.TryRead(frame.FramePointer, out var framePointer) || !dump.TryRead(frame.FramePointer + 8, out var instruction))
            return Step.None;
        caller = new Frame(Code(instruction), frame.FramePointer + 16, framePointer);
        return Step.Caller;
    }

    /// <summary>A method: by its first and last instructions, as one without a frame pointer, or as the owner.</summary>
    private Step OutOfMethod(in StackDump dump, MethodPlace method, in Frame frame, MethodPlace? callee, ulong next, long time, bool isLeaf, out Frame caller, out bool isOwner)
    {
        isOwner = false;
        if (dump.Link == 0 && method.Tier != CodeTier.Tier1Osr) // replaced code is entered by a jump; a link register would hold the return address
        {
            if (isLeaf)
            {
                var offset = frame.Instruction - method.Start;
                var isShort = method.Size < ShortestFramed && method.Tier is CodeTier.Tier1 or CodeTier.Optimized or CodeTier.ReadyToRun;
                if (offset == 0 || offset == method.Size - 1 || isShort)
                    return FromTop(dump, frame, time, out caller);
                if (IsInPrologue(dump, offset, frame, out var pair) && IsReturn(dump, pair + 8, time, out var instruction))
                {
                    caller = new Frame(instruction, pair + 16, frame.FramePointer);
                    return Step.Caller;
                }
            }

            var isReplaced = callee is { Tier: CodeTier.Tier1Osr } && callee.MethodId == method.MethodId;
            var at = 0UL;
            var isFound = isReplaced
                ? _frameless.TryFindReturnOfReplaced(dump, frame.StackPointer, frame.FramePointer, time, out at)
                : next != 0 && _frameless.TryFindReturn(dump, method, frame.StackPointer, frame.FramePointer, next, time, out at);
            if (isFound && dump.TryRead(at, out var found))
            {
                caller = new Frame(found, at + 8, frame.FramePointer);
                return Step.Caller;
            }
        }

        return ByFramePointer(dump, frame, out caller, out isOwner);
    }

    /// <summary>
    /// Whether the pair has been pushed and the frame pointer not been set yet: it is on the stack below as many registers as the JIT's pushes up to here
    /// can have saved, of 2 bytes each (r12 to r15) but for the last ones (rbx, and rax to align the stack). The place in the code has to fit: such pairs are left in
    /// memory by earlier calls, too, and of frames at the same place.
    /// </summary>
    private static bool IsInPrologue(in StackDump dump, ulong offset, in Frame frame, out ulong pair)
    {
        var most = offset == 1 ? 0 : Math.Min((offset + 1) / 2, MostPushed);
        for (var pushed = offset / 2; pushed <= most; pushed++)
        {
            pair = frame.StackPointer + 8 * pushed;
            if (pair < frame.FramePointer && dump.TryRead(pair, out var word) && word == frame.FramePointer)
                return true;
        }

        pair = 0;
        return false;
    }

    private Step OutOfStub(in StackDump dump, in Frame frame, long time, out Frame caller)
    {
        if (dump.Link == 0)
            return FromTop(dump, frame, time, out caller);
        caller = new Frame(Code(dump.Link), frame.StackPointer, frame.FramePointer);
        return _places.At(caller.Instruction - 1, time).Kind == CodePlaceKind.Method ? Step.Caller : Step.None;
    }

    private Step FromTop(in StackDump dump, in Frame frame, long time, out Frame caller)
    {
        caller = default;
        if (!IsReturn(dump, frame.StackPointer, time, out var instruction))
            return Step.None;
        caller = new Frame(instruction, frame.StackPointer + 8, frame.FramePointer);
        return Step.Caller;
    }

    /// <summary>Whether a word of the stack lies in a method.</summary>
    private bool IsReturn(in StackDump dump, ulong at, long time, out ulong instruction) => dump.TryRead(at, out instruction) && _places.At(instruction - 1, time).Kind == CodePlaceKind.Method;

    /// <summary>The address without the signature that arm64 may keep in its upper bits.</summary>
    private static ulong Code(ulong instruction) => instruction & 0x0000_ffff_ffff_ffff;

    /// <summary>Registers as they were in a frame; of a caller the instruction is its return address.</summary>
    private readonly record struct Frame(ulong Instruction, ulong StackPointer, ulong FramePointer);
}
