using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Resolves the addresses of a stack to symbols, in one reused buffer. All readers of stacks use it, for samples, switches and
/// runtime events, so that all reports see the same frames. Allocates for new symbols and deeper stacks, not per stack.
/// </summary>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="pauses">Its GCs, for samples; null when unknown.</param>
internal sealed class SampleStack(SymbolResolver resolver, GcPauses? pauses = null)
{
    private readonly StackEnds _ends = new(resolver);
    private readonly AsyncJoin? _async = resolver.AsyncCalls is { } calls ? new AsyncJoin(resolver, calls) : null;

    /// <summary>By symbol index: whether it is code that took over a running loop, and whether it dispatches exceptions.</summary>
    private readonly List<(bool IsOnStackReplacement, bool IsDispatch)> _kinds = [];
    private int[] _symbols = new int[256];
    private int _length;
    private bool _isCollecting;
    private int _collectedBy;

    /// <summary>
    /// Symbol indexes of the last stack, leaf first. Never empty for a sample: one without frames has an unknown address.
    /// </summary>
    public ReadOnlySpan<int> Symbols => _async is { IsJoined: true } ? _async.Symbols : Walked;

    /// <summary>
    /// The last stack as the thread had it: an async method that continued after an await is below the thread pool's frames.
    /// </summary>
    public ReadOnlySpan<int> Walked => _symbols.AsSpan(0, _length);

    /// <summary>Whether the last stack ends before the start of its thread.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>Whether the last stack has inlined methods; each is above the method whose code contains it.</summary>
    public bool IsExpanded { get; private set; }

    /// <summary>Whether it has callers that the recorded chain lacks (<see cref="CallerRecovery"/>).</summary>
    public bool IsRecovered { get; private set; }

    /// <summary>Address by which the last sample's leaf was resolved; null for a sample without frames.</summary>
    public ulong? LeafAddress { get; private set; }

    /// <summary>
    /// Index in <see cref="Symbols"/> of the first managed frame during a GC on this thread, or their number if there is none: the frames
    /// before it are the GC. Null when the thread performs no GC.
    /// </summary>
    public int? CollectedBy =>
        !_isCollecting ? null
        : _collectedBy < 0 ? Symbols.Length
        : _collectedBy;

    /// <summary>Walks a sample's stack.</summary>
    public void Walk(in CpuSample sample)
    {
        LeafAddress =
            sample.Frames.Length == 0 ? null
            : sample.IsWalkedByRuntime ? InCall(sample.Frames[0])
            : sample.CodeAddress(0);
        if (sample.IsWalkedByRuntime && sample.Frames.Length > 0)
        {
            Walk(sample.Frames, sample.At);
            IsBroken = _async is { IsJoined: true } ? _async.IsCut : _ends.IsBroken(sample);
            return;
        }

        Begin();
        ReadOnlySpan<ulong> trigger = default;
        _isCollecting = pauses is not null && pauses.IsCollecting(sample.At.ThreadId, sample.At.Time, out trigger);
        var triggered = trigger.Length;
        var frames = sample.Frames.Length;
        if (frames == 0)
            Append(resolver.Resolve(0, sample.At.Time, isKernel: false));
        IsRecovered = resolver.Recovery.TryRecover(sample);
        var callee = SymbolResolver.NoCallee;
        for (var i = 0; i < frames; i++)
        {
            // Anything can enter the kernel, so the program's first frame is a leaf.
            var isCaller = i > sample.KernelFrames;
            if (isCaller)
                AddLost(ref trigger, sample.Frames[i], sample.At.Time, ref callee);
            callee = AddToChain(
                sample.CodeAddress(i),
                sample.At.Time,
                i < sample.KernelFrames,
                isCaller ? callee : SymbolResolver.NoCallee
            );
            if (i != sample.KernelFrames || !IsRecovered)
                continue;
            foreach (var caller in resolver.Recovery.Callers)
            {
                AddLost(ref trigger, caller, sample.At.Time, ref callee);
                callee = AddToChain(caller - 1, sample.At.Time, isKernel: false, callee);
            }

            i = resolver.Recovery.ResumesAt - 1;
        }

        var isCut = sample.IsCut ?? (IsRecovered && resolver.Recovery.ResumesAt == frames ? !resolver.Recovery.ReachesStart : null);
        IsBroken = isCut is { } known ? known && !_ends.HasLeftManagedCode(Symbols) : _ends.IsBroken(sample);

        // A chain that broke inside the GC lacks the program's methods; one that broke further out lacks those after its last one.
        if (_collectedBy < 0 || (IsBroken && trigger.Length < triggered))
            AddManaged(trigger, sample.At.Time, ref callee);
        Join(sample.At);
    }

    /// <summary>Removes the frames of the last stack that are not the user's own code, and the mark of its GC.</summary>
    public void Keep(MyFrames mine)
    {
        var kept = 0;
        var symbols = Symbols;
        if (_symbols.Length < symbols.Length)
            Array.Resize(ref _symbols, symbols.Length);
        foreach (var symbol in symbols)
        {
            if (mine.Includes(symbol))
                _symbols[kept++] = symbol;
        }

        (_length, _isCollecting) = (kept, false);
        _async?.Clear();
    }

    /// <summary>Walks the stack of a switch.</summary>
    public void Walk(in EventAt at, ReadOnlySpan<ulong> frames, int kernelFrames, StackDump dump = default) =>
        Walk(new CpuSample(at, 0, isKernel: false, frames, kernelFrames) { Dump = dump });

    /// <summary>
    /// Walks the stack of a runtime event. The runtime wrote the event for the leaf, which had called it, so all addresses are return
    /// addresses and the leaf's callee is the runtime's own code. Only a faulting instruction called nothing: its own address is on the
    /// stack.
    /// </summary>
    /// <param name="addresses">Addresses, leaf first; those of ETW include native frames.</param>
    /// <param name="at">Time and thread.</param>
    /// <param name="callee">
    /// Callee of the leaf: <see cref="SymbolResolver.Allocator"/> if known, else <see cref="SymbolResolver.NoCallee"/>.
    /// </param>
    /// <param name="hasFaulted">
    /// Whether an instruction of the leaf faulted; the leaf is the first method that does not dispatch the exception (.NET 9 and later
    /// dispatch in managed code).
    /// </param>
    public void Walk(ReadOnlySpan<ulong> addresses, in EventAt at, int callee = SymbolResolver.NoCallee, bool hasFaulted = false)
    {
        Begin();
        var time = at.Time;
        foreach (var address in addresses)
        {
            // The runtime's unwinder neither omits nor invents frames, so nothing is recovered or a phantom.
            var inCall = InCall(address);
            var isFault = hasFaulted && !KindOf(resolver.Resolve(inCall, time, isKernel: false)).IsDispatch;
            callee = isFault ? Add(address, time, isKernel: false, SymbolResolver.NoCallee) : Add(inCall, time, isKernel: false, callee);
            hasFaulted &= !isFault;
        }

        Join(at);
    }

    /// <summary>Replaces the thread pool's frames of a continued async method by the methods that await it.</summary>
    private void Join(in EventAt at)
    {
        if (_async is null || !_async.TryJoin(Walked, at))
            return;
        IsBroken = _async.IsCut;
    }

    /// <summary>
    /// Adds the methods that a chain lacks before one of its frames, from the stack that triggered the GC, which the runtime's unwinder
    /// walked. Deep in a GC, the recorded stack does not reach methods without a frame pointer.
    /// </summary>
    /// <param name="trigger">The rest of the stack; on return without the added methods and the frame itself.</param>
    /// <param name="frame">Return address of the chain's next frame.</param>
    /// <param name="time">Time in ticks.</param>
    /// <param name="callee">Callee of the next frame.</param>
    private void AddLost(ref ReadOnlySpan<ulong> trigger, ulong frame, long time, ref int callee)
    {
        if (trigger.IndexOf(frame) is not (>= 0 and var lost))
            return;
        AddManaged(trigger[..lost], time, ref callee);
        trigger = trigger[(lost + 1)..];
    }

    private void AddManaged(ReadOnlySpan<ulong> addresses, long time, ref int callee)
    {
        foreach (var address in addresses)
        {
            var inCall = InCall(address);
            if (resolver.Symbols[resolver.Resolve(inCall, time, isKernel: false)].Kind == CodeKind.Managed)
                callee = Add(inCall, time, isKernel: false, callee);
        }
    }

    /// <summary>An address inside the call that returns to another address.</summary>
    private static ulong InCall(ulong address) => Math.Max(address, 1) - 1;

    private void Begin()
    {
        _length = 0;
        _async?.Clear();
        (IsBroken, IsExpanded, IsRecovered) = (false, false, false);
        (_isCollecting, _collectedBy) = (false, -1);
    }

    /// <summary>Adds a frame of a frame pointer chain, unless it represents another one.</summary>
    /// <returns>The physical method, for the frame that called it.</returns>
    private int AddToChain(ulong address, long time, bool isKernel, int callee)
    {
        // The last appended symbol is a method with its own code; its inlined methods come before it.
        if (
            _length > 0
            && KindOf(_symbols[_length - 1]).IsOnStackReplacement
            && IsPhantom(resolver.Symbols[resolver.Resolve(address, time, isKernel)], resolver.Symbols[_symbols[_length - 1]])
        )
            return callee;
        return Add(address, time, isKernel, callee);
    }

    private int Add(ulong address, long time, bool isKernel, int callee)
    {
        // A thread that performs a GC got there from an allocation (or from GC.Collect, which calls the runtime's own code). The chain may
        // lack the class library's method in between, which keeps no frame pointer.
        var isGc = _isCollecting && _collectedBy < 0;
        var symbol = resolver.Resolve(
            address,
            time,
            isKernel,
            isGc && callee != SymbolResolver.NoCallee ? SymbolResolver.Allocator : callee,
            out var inlinees
        );
        if (isGc && resolver.Symbols[symbol].Kind == CodeKind.Managed)
            _collectedBy = _length;
        foreach (var inlinee in inlinees)
            Append(inlinee);
        Append(symbol);
        IsExpanded |= inlinees.Length > 0;
        return symbol;
    }

    private (bool IsOnStackReplacement, bool IsDispatch) KindOf(int symbol)
    {
        while (_kinds.Count <= symbol)
        {
            var added = resolver.Symbols[_kinds.Count];
            _kinds.Add((added.Tier == CodeTier.Tier1Osr, added.TypeName == RuntimeFrames.Dispatch));
        }

        return _kinds[symbol];
    }

    /// <summary>
    /// Whether a frame is quickly compiled code whose loop the frame above took over (on-stack replacement): it has no active call, and the
    /// method would count as its own caller. It replaces the true caller, which a frame pointer chain then lacks: the new code saves
    /// the caller's frame pointer, and its return address is in the old code.
    /// </summary>
    private static bool IsPhantom(CodeSymbol frame, CodeSymbol above) =>
        frame.MethodId == above.MethodId && frame.Tier != CodeTier.Tier1Osr;

    private void Append(int symbol)
    {
        if (_length == _symbols.Length)
            Array.Resize(ref _symbols, 2 * _length);
        _symbols[_length++] = symbol;
    }
}
