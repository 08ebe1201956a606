using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.Symbols.Unwinding;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Finds the callers that a chain of frame pointers has lost near its leaf, from a few registers and a copy of the top of the stack.
/// </summary>
/// <remarks>
/// <para>
/// The kernel follows frame pointers: the register holds the address of a pair (caller's frame pointer, return address), and that pair's
/// first word is the address of the next one. A function joins the chain once its prologue has pushed the pair and set the register. While
/// a thread is in a function that never does so (allocation helpers, memcpy, __tls_get_addr), or before or after it does, the register
/// still belongs to a function further out, the owner. The chain then goes from the leaf to the owner's caller: the owner and all functions
/// between it and the leaf are missing. This class recovers them.
/// </para>
/// <para>
/// The walk goes from the leaf outwards, with instruction pointer, stack pointer and frame pointer as they were in each frame, until it
/// meets the owner. In a library the call frame information (<see cref="UnwindTable"/>) says for every instruction where the return address
/// is and whether the caller's frame pointer was saved; the frame whose pair lies where the frame pointer points is the owner. A method is
/// the owner as long as nothing on the way has changed the register, except for small ones: the JIT gives them no frame pointer. Their
/// callers are found by <see cref="FramelessMethods"/>, at the leaf and anywhere on the chain. The owner's return address is then the next
/// one of the chain; where the copy reaches that far they are compared, and nothing is recovered if they differ. From there the walk
/// continues along the chain to the end of the copy: a helper without a frame pointer may have called functions that keep one, and then
/// hides its caller too.
/// </para>
/// <para>
/// Where a library used the register for something else, the saved value differs from it. What the kernel followed is then not a chain, and
/// the walk replaces it: by the table in libraries, by frame pointers in methods, as far as the copy reaches.
/// </para>
/// <para>
/// A trace does not contain the frame layout of methods. <see cref="X64Frames"/> and <see cref="Arm64Frames"/> know parts of it for leaf
/// methods and runtime stubs. Any other method is assumed to be the owner.
/// </para>
/// <para>
/// Every return address must lie in code, and no caller is used if a rule is violated: a wrong caller is worse than none. What an address
/// means for the walk is looked up once per distinct address; a sample allocates nothing.
/// </para>
/// </remarks>
public sealed class CallerRecovery
{
    /// <summary>
    /// Maximum number of recovered frames: a stack copy has a few KB, and a frame takes at least 16 bytes. Async methods that complete
    /// synchronously nest well over 64 deep.
    /// </summary>
    private const int MaxFrames = 512;

    /// <summary>A frame pointer and a return address.</summary>
    private const ulong PairBytes = 16;

    private readonly CodePlaces _places;
    private readonly FramelessMethods _frameless;
    private readonly X64Frames _x64;
    private readonly Arm64Frames _arm64;
    private readonly ulong[] _callers = new ulong[MaxFrames];
    private int _count;

    internal CallerRecovery(CodePlaces places, FramelessMethods frameless) =>
        (_places, _frameless, _x64, _arm64) = (places, frameless, new X64Frames(places), new Arm64Frames(places));

    private enum Step
    {
        /// <summary>No rule applies.</summary>
        None,

        /// <summary>The caller is known.</summary>
        Caller,

        /// <summary>The thread began here.</summary>
        Start,
    }

    /// <summary>
    /// Return addresses after the leaf, innermost first: those that the chain lacks and those of the chain between them. Valid until the
    /// next sample.
    /// </summary>
    public ReadOnlySpan<ulong> Callers => _callers.AsSpan(0, _count);

    /// <summary>Index of the sample's first frame after them; the number of frames when they replace the whole chain.</summary>
    public int ResumesAt { get; private set; }

    /// <summary>Whether the walk reached the start of the thread.</summary>
    public bool ReachesStart { get; private set; }

    /// <summary>Finds the callers that a sample's chain lacks.</summary>
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
    /// <returns>How many to use; 0 when no missing callers were found.</returns>
    private int Walk(in StackDump dump, ReadOnlySpan<ulong> chain, long time, out int resumesAt)
    {
        var frame = new WalkedFrame(dump.Instruction, dump.StackPointer, dump.FramePointer);
        var isChain = chain.Length > 1; // whether the rest of the chain is one
        var next = 1; // the frame of the chain that the owner of the frame pointer returns to
        var missing = 0; // found, but not yet confirmed by the chain's next frame
        var sure = 0;
        MethodPlace? callee = null;
        resumesAt = 1;
        for (var count = 0; count < MaxFrames; count++)
        {
            var place = _places.At(count == 0 ? frame.Instruction : frame.Instruction - 1, time);
            var isOwner = false;
            WalkedFrame caller = default;
            var step = place.Kind switch
            {
                CodePlaceKind.Described => ByTable(dump, place.Row, frame, count == 0, out caller, out isOwner),
                CodePlaceKind.Method => OutOfMethod(
                    dump,
                    place.Method!,
                    frame,
                    callee,
                    isChain && next < chain.Length ? chain[next] : 0,
                    time,
                    count == 0,
                    out caller,
                    out isOwner
                ),
                CodePlaceKind.PrecompiledStub when count > 0 => ByFramePointer(dump, frame, out caller, out isOwner),
                CodePlaceKind.Stub when count == 0 => OutOfStub(dump, frame, time, out caller),
                _ => Step.None,
            };
            if (isChain && isOwner)
            {
                if (
                    next == chain.Length
                    || (dump.TryRead(frame.FramePointer + 8, out var follows) && UserRegisterSet.WithoutSignature(follows) != chain[next])
                )
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
            else if (
                step == Step.None
                || caller.StackPointer < frame.StackPointer
                || _places.At(caller.Instruction - 1, time).Kind == CodePlaceKind.None
            )
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

    private static Step ByTable(
        in StackDump dump,
        in UnwindRow row,
        in WalkedFrame frame,
        bool isLeaf,
        out WalkedFrame caller,
        out bool isOwner
    )
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
        if (row.Base != UnwindBase.FramePointer && !frame.IsStackPointerKnown)
        {
            if (row.Base != UnwindBase.StackPointer || isLeaf || !row.SavesPair || frame.FramePointer < frame.StackPointer)
                return Step.None;
            top = frame.FramePointer - (ulong)row.FramePointerAt; // code that saves the pair and calls has set the frame pointer to it
        }

        if (top < frame.StackPointer)
            return Step.None;
        var (returnAt, pointerAt) = (top + (ulong)row.ReturnAddressAt, top + (ulong)row.FramePointerAt);
        isOwner = row.SavesPair && pointerAt == frame.FramePointer;

        var instruction = row.ReturnAddress == UnwindPlace.Register && isLeaf ? dump.Link : 0;
        var framePointer = frame.FramePointer;
        if (row.ReturnAddress == UnwindPlace.Stack && !dump.TryRead(returnAt, out instruction))
            return Step.None;
        if (
            row.FramePointer != UnwindPlace.Register
            && (row.FramePointer != UnwindPlace.Stack || !dump.TryRead(pointerAt, out framePointer))
        )
            return Step.None;
        caller = new WalkedFrame(UserRegisterSet.WithoutSignature(instruction), top, framePointer);
        return instruction == 0 ? Step.None : Step.Caller;
    }

    /// <summary>A method that has set the frame pointer: the register points to its pair.</summary>
    private static Step ByFramePointer(in StackDump dump, in WalkedFrame frame, out WalkedFrame caller, out bool isOwner)
    {
        caller = default;
        isOwner = frame.FramePointer >= frame.StackPointer;
        if (
            !isOwner
            || !dump.TryRead(frame.FramePointer, out var framePointer)
            || !dump.TryRead(frame.FramePointer + 8, out var instruction)
        )
            return Step.None;
        caller = new WalkedFrame(
            UserRegisterSet.WithoutSignature(instruction),
            frame.FramePointer + PairBytes,
            framePointer,
            IsStackPointerKnown: !dump.HasLink // arm64: the pair lies at the bottom of a frame whose size no trace has
        );
        return Step.Caller;
    }

    /// <summary>Steps out of a method: by its first and last instructions, as one without a frame pointer, or as the owner.</summary>
    private Step OutOfMethod(
        in StackDump dump,
        MethodPlace method,
        in WalkedFrame frame,
        MethodPlace? callee,
        ulong next,
        long time,
        bool isLeaf,
        out WalkedFrame caller,
        out bool isOwner
    )
    {
        isOwner = false;
        if (dump.HasLink)
        {
            if (isLeaf && method.Tier != CodeTier.Tier1Osr && _arm64.TryFindCaller(dump, method, frame, next, time, out caller))
                return Step.Caller;
        }
        else if (method.Tier != CodeTier.Tier1Osr) // replaced code is entered by a jump
        {
            if (isLeaf && _x64.TryFindCaller(dump, method, frame, time, out caller))
                return caller == default ? Step.None : Step.Caller;

            var isReplaced = callee is { Tier: CodeTier.Tier1Osr } && callee.MethodId == method.MethodId;
            var at = 0UL;
            var isFound = isReplaced
                ? _frameless.TryFindReturnOfReplaced(dump, frame.StackPointer, frame.FramePointer, time, out at)
                : next != 0 && _frameless.TryFindReturn(dump, method, frame.StackPointer, frame.FramePointer, next, time, out at);
            if (isFound && dump.TryRead(at, out var found))
            {
                caller = new WalkedFrame(found, at + 8, frame.FramePointer);
                return Step.Caller;
            }
        }

        return ByFramePointer(dump, frame, out caller, out isOwner);
    }

    private Step OutOfStub(in StackDump dump, in WalkedFrame frame, long time, out WalkedFrame caller)
    {
        caller = dump.HasLink ? _arm64.OfStub(dump, frame, time) : _x64.FromTop(dump, frame, time);
        return caller == default ? Step.None : Step.Caller;
    }
}
