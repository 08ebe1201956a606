using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Inlining;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>Finds the return address of methods that keep no frame pointer.</summary>
/// <remarks>
/// <para>
/// On x64 the JIT gives optimized code a frame pointer when the method has more than 100 bytes of IL, more than 3 basic blocks, a loop, two
/// calls or an indirect one (rpMustCreateEBPFrame of dotnet/runtime). Other methods leave the register as it is, and a chain of frame
/// pointers goes from them to the caller of their caller. The JIT counts blocks and calls after inlining, and no trace contains them; IL
/// shows only which methods certainly have a frame pointer.
/// </para>
/// <para>
/// The chain's next frame reveals the gap: neither its method's IL nor that of the methods inlined into it names this method. The missing
/// caller's return address is then the first stack word that lies in a method which names it. Calls by delegates name no method: where the
/// next frame cannot have called this one at all, and no method that names it is found, the caller may be a method that calls delegates, if
/// the next frame can have called it. A trace has no IL of dynamic methods: only delegates and precompiled code, whose inlined methods are
/// unknown, count as their callers. The stack also has words of earlier calls: a misleading one was left at this depth by another caller of
/// the same method.
/// </para>
/// <para>
/// Code that was replaced in a loop (on-stack replacement) has a frame pointer, but the chain skips it: its frame lies between that of the
/// new code and the caller's, and the new code saved the frame pointer that it first restored, the caller's. The old code's prologue saved
/// the same value with the return address next to it, and the search looks for that pair. Earlier calls of the caller's caller leave such
/// pairs, too: where two point to different methods, neither is used.
/// </para>
/// <para>
/// Other samples are ignored, although the distance to the return address is the same in all of them: a stack must not depend on what was
/// read before it. So a caller stays lost where the chain's next frame also names the method.
/// </para>
/// </remarks>
/// <param name="places">The process's code.</param>
/// <param name="facts">What its methods can call.</param>
internal sealed class FramelessMethods(CodePlaces places, MethodFacts facts)
{
    /// <summary>A method with more IL has a frame pointer (DEFAULT_MAX_INLINE_SIZE of dotnet/runtime).</summary>
    private const int MaxIlBytes = 100;

    /// <summary>Bytes of the stack that are searched for a return address: small methods have small frames.</summary>
    private const ulong MaxFrameBytes = 512;

    private readonly Dictionary<(MethodPlace Caller, long Callee), CallEvidence> _evidence = [];

    /// <summary>Finds where a method's return address lies when the frame pointer is still its caller's.</summary>
    /// <param name="dump">The stack.</param>
    /// <param name="method">The method.</param>
    /// <param name="stackPointer">The stack pointer in its frame.</param>
    /// <param name="framePointer">The frame pointer there, its own or its caller's.</param>
    /// <param name="next">Return address in the chain's next frame: its caller when the frame pointer is its own.</param>
    /// <param name="time">Time in ticks of the trace's clock.</param>
    /// <param name="at">The address of the word.</param>
    /// <returns>False when the frame pointer is its own, or there is no evidence to the contrary.</returns>
    public bool TryFindReturn(
        in StackDump dump,
        MethodPlace method,
        ulong stackPointer,
        ulong framePointer,
        ulong next,
        long time,
        out ulong at
    )
    {
        at = stackPointer;
        if (!(method.MayLackFrame ??= MayLackFrame(method)))
            return false;
        var owner = EvidenceOf(next, method, time);
        if (owner == CallEvidence.Named)
            return false;
        var end = Math.Min(framePointer, stackPointer + MaxFrameBytes);
        return TryFindNamed(dump, method, end, time, ref at)
            || (owner == CallEvidence.Impossible && TryFindPossible(dump, method, end, next, time, ref at));
    }

    /// <summary>Finds where the return address of replaced code lies.</summary>
    /// <param name="dump">The stack.</param>
    /// <param name="stackPointer">The stack pointer in its frame.</param>
    /// <param name="framePointer">The frame pointer that the new code saved.</param>
    /// <param name="time">When, in ticks of the trace's clock.</param>
    /// <param name="at">The address of the word.</param>
    /// <returns>False when the stack copy does not reach that far, or when other such pairs make the caller ambiguous.</returns>
    public bool TryFindReturnOfReplaced(in StackDump dump, ulong stackPointer, ulong framePointer, long time, out ulong at)
    {
        at = 0;
        CodePlace found = default;
        for (var word = stackPointer + 8; word < framePointer && dump.TryRead(word, out var instruction); word += 8)
        {
            if (
                !dump.TryRead(word - 8, out var saved)
                || saved != framePointer
                || places.At(instruction - 1, time) is not { Kind: not CodePlaceKind.None } place
            )
                continue;
            if (at != 0 && place.Method != found.Method)
                return false;
            if (at == 0)
                (at, found) = (word, place);
        }

        return at != 0;
    }

    /// <summary>The first return address in a method that names this one.</summary>
    private bool TryFindNamed(in StackDump dump, MethodPlace method, ulong end, long time, ref ulong at)
    {
        for (var word = at; word < end; word += 8)
        {
            if (EvidenceOf(dump, word, method, time) == CallEvidence.Named)
            {
                at = word;
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// The first return address in a method that may call any method (by a delegate) and that the chain's next frame can have called.
    /// </summary>
    private bool TryFindPossible(in StackDump dump, MethodPlace method, ulong end, ulong next, long time, ref ulong at)
    {
        for (var word = at; word < end; word += 8)
        {
            if (
                EvidenceOf(dump, word, method, time) == CallEvidence.Possible
                && dump.TryRead(word, out var instruction)
                && EvidenceOf(next, places.At(instruction - 1, time).Method!, time) != CallEvidence.Impossible
            )
            {
                at = word;
                return true;
            }
        }

        return false;
    }

    private bool MayLackFrame(MethodPlace method) =>
        method.IsDynamicMethod
        || (
            method.Tier is CodeTier.Tier1 or CodeTier.Optimized or CodeTier.ReadyToRun
            && facts.Calls(method.MethodId) is { IlBytes: <= MaxIlBytes, HasLoop: false }
        );

    private CallEvidence EvidenceOf(in StackDump dump, ulong at, MethodPlace callee, long time) =>
        dump.TryRead(at, out var word) ? EvidenceOf(word, callee, time) : CallEvidence.Impossible;

    /// <summary>Whether the code before a return address can have called a method, by IL.</summary>
    private CallEvidence EvidenceOf(ulong returnAddress, MethodPlace callee, long time)
    {
        if (places.At(returnAddress - 1, time).Method is not { } caller)
            return CallEvidence.Impossible;
        ref var evidence = ref CollectionsMarshal.GetValueRefOrAddDefault(_evidence, (caller, callee.MethodId), out var known);
        if (!known)
            evidence = Compare(caller, callee);
        return evidence;
    }

    private CallEvidence Compare(MethodPlace caller, MethodPlace callee)
    {
        var called = facts.Identity(callee.MethodId);
        if (called is null or { IsHelper: true } && !callee.IsDynamicMethod)
            return CallEvidence.Possible;

        // No trace has the inlined methods of precompiled code, so it may contain a delegate call.
        if (callee.IsDynamicMethod && caller.Tier == CodeTier.ReadyToRun)
            return CallEvidence.Possible;
        var evidence = CallEvidence.Impossible;
        for (var node = 0; node < (caller.Tree?.Count ?? 1); node++)
        {
            var calls = facts.Calls(node == 0 ? caller.MethodId : caller.Tree!.Method(node));
            if (called is not null && calls?.Names(called) == true)
                return CallEvidence.Named;
            if (calls is null or { CallsUnknown: true })
                evidence = CallEvidence.Possible;
        }

        return evidence;
    }

    /// <summary>What IL shows about a call.</summary>
    private enum CallEvidence
    {
        /// <summary>The caller cannot make the call.</summary>
        Impossible = 0,

        /// <summary>The caller makes calls whose target its IL does not name: delegates, function pointers, runtime helpers.</summary>
        Possible,

        /// <summary>The caller's IL names the method.</summary>
        Named,
    }
}
