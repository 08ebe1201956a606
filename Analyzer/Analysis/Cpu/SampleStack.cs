using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Turns the addresses of a stack into the symbols that were on it: one buffer, used again for each stack. Everything that reads stacks walks them here, those of samples, of switches and
/// of the runtime's events, so that all reports see the same frames. Allocates for new symbols and deeper stacks, not for stacks.
/// </summary>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="pauses">Its collections, where samples are walked; null when they are not known.</param>
internal sealed class SampleStack(SymbolResolver resolver, GcPauses? pauses = null)
{
    private readonly StackEnds _ends = new(resolver);

    /// <summary>By number of the symbol, whether it is code that took over a running loop, and whether it dispatches exceptions.</summary>
    private readonly List<(bool IsOnStackReplacement, bool IsDispatch)> _kinds = [];
    private int[] _symbols = new int[256];
    private int _length;
    private bool _isCollecting;
    private int _collectedBy;

    /// <summary>Numbers of the symbols on the stack that was walked last, leaf first. Of a sample never empty: one without frames has an unknown address.</summary>
    public ReadOnlySpan<int> Symbols => _symbols.AsSpan(0, _length);

    /// <summary>Whether the stack that was walked last ends on its way to the begin of its thread.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>Whether methods that were inlined are on the stack that was walked last; each stands above the method whose code it became part of.</summary>
    public bool IsExpanded { get; private set; }

    /// <summary>Whether callers that the recorded chain lacks are among them (<see cref="CallerRecovery"/>).</summary>
    public bool IsRecovered { get; private set; }

    /// <summary>Address by which the leaf of the sample that was walked last was resolved; null for one without frames.</summary>
    public ulong? LeafAddress { get; private set; }

    /// <summary>
    /// Place in <see cref="Symbols"/> of the first managed frame when the thread collects garbage, their number when none is: what stands before it is the collection. Null when it does not collect.
    /// </summary>
    public int? CollectedBy => !_isCollecting ? null : _collectedBy < 0 ? _length : _collectedBy;

    /// <summary>Walks a sample's stack.</summary>
    public void Walk(in CpuSample sample)
    {
        LeafAddress = sample.Frames.Length == 0 ? null : sample.IsWalkedByRuntime ? InCall(sample.Frames[0]) : sample.CodeAddress(0);
        if (sample.IsWalkedByRuntime && sample.Frames.Length > 0)
        {
            Walk(sample.Frames, sample.At.Time);
            IsBroken = _ends.IsBroken(sample);
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
            // The kernel is entered from anywhere: the program's first frame is a leaf.
            var isCaller = i > sample.KernelFrames;
            if (isCaller)
                AddLost(ref trigger, sample.Frames[i], sample.At.Time, ref callee);
            callee = AddToChain(sample.CodeAddress(i), sample.At.Time, i < sample.KernelFrames, isCaller ? callee : SymbolResolver.NoCallee);
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

        // A chain that broke in the collection lacks the program's methods; one that broke further out, those behind its last one.
        if (_collectedBy < 0 || (IsBroken && trigger.Length < triggered))
            AddManaged(trigger, sample.At.Time, ref callee);
    }

    /// <summary>Walks the stack of a switch.</summary>
    public void Walk(in EventAt at, ReadOnlySpan<ulong> frames, int kernelFrames, StackDump dump = default) => Walk(new CpuSample(at, 0, isKernel: false, frames, kernelFrames) { Dump = dump });

    /// <summary>
    /// Walks the stack of an event that the runtime wrote. It wrote it on behalf of the leaf, which had called it: all addresses are return addresses, and the leaf's callee is the runtime's
    /// own code. Only an instruction that faulted called nothing: its own address is on the stack.
    /// </summary>
    /// <param name="addresses">Addresses, leaf first; those of ETW have native frames, too.</param>
    /// <param name="time">When, in ticks.</param>
    /// <param name="callee">What the leaf had called: <see cref="SymbolResolver.Allocator"/> where that is known, else <see cref="SymbolResolver.NoCallee"/>.</param>
    /// <param name="hasFaulted">Whether an instruction of the leaf faulted: of the first method that does not dispatch the exception (.NET 9 and later do that in managed code).</param>
    public void Walk(ReadOnlySpan<ulong> addresses, long time, int callee = SymbolResolver.NoCallee, bool hasFaulted = false)
    {
        Begin();
        foreach (var address in addresses)
        {
            // The runtime's unwinder leaves no frame out and finds none that is not there: nothing is recovered, nothing is a phantom.
            var inCall = InCall(address);
            var isFault = hasFaulted && !KindOf(resolver.Resolve(inCall, time, isKernel: false)).IsDispatch;
            callee = isFault ? Add(address, time, isKernel: false, SymbolResolver.NoCallee) : Add(inCall, time, isKernel: false, callee);
            hasFaulted &= !isFault;
        }
    }

    /// <summary>
    /// Adds the methods that a chain lacks before one of its frames, by the stack that triggered the collection: the runtime's unwinder made that one. Deep in a collection the recorded stack does not
    /// reach the methods without a frame pointer.
    /// </summary>
    /// <param name="trigger">What is left of the stack; without what was added and the frame itself afterwards.</param>
    /// <param name="frame">Return address of the chain's next frame.</param>
    /// <param name="time">When, in ticks.</param>
    /// <param name="callee">What the next frame called.</param>
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

    /// <summary>An address in the call that returns to another one.</summary>
    private static ulong InCall(ulong address) => Math.Max(address, 1) - 1;

    private void Begin()
    {
        _length = 0;
        (IsBroken, IsExpanded, IsRecovered) = (false, false, false);
        (_isCollecting, _collectedBy) = (false, -1);
    }

    /// <summary>Adds a frame of a chain of frame pointers, unless it stands for another one.</summary>
    /// <returns>The method whose code it is, for the frame that called it.</returns>
    private int AddToChain(ulong address, long time, bool isKernel, int callee)
    {
        // What was appended last is a method with code of its own: inlined ones stand before it.
        if (_length > 0 && KindOf(_symbols[_length - 1]).IsOnStackReplacement && IsPhantom(resolver.Symbols[resolver.Resolve(address, time, isKernel)], resolver.Symbols[_symbols[_length - 1]]))
            return callee;
        return Add(address, time, isKernel, callee);
    }

    private int Add(ulong address, long time, bool isKernel, int callee)
    {
        // A thread that collects got there from an allocation (or from GC.Collect, which calls the runtime's own code). The chain may lack the class library's method between, which keeps no frame pointer.
        var isCollection = _isCollecting && _collectedBy < 0;
        var symbol = resolver.Resolve(address, time, isKernel, isCollection && callee != SymbolResolver.NoCallee ? SymbolResolver.Allocator : callee, out var inlinees);
        if (isCollection && resolver.Symbols[symbol].Kind == CodeKind.Managed)
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
    /// Whether a frame is the quickly compiled code whose loop the frame above it took over (on-stack replacement): it has no call under way, and the
    /// method would count as its own caller. It stands in the place of the true caller, which a chain of frame pointers then lacks: the new code saves
    /// the caller's frame pointer, and its return address is the old code.
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
