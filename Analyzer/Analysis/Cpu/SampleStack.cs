using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Turns the addresses of a stack into the symbols that were on it: one buffer, used again for each stack. Everything that reads stacks walks them here, so that
/// all reports see the same frames. Allocates for new symbols and deeper stacks, not for samples.
/// </summary>
/// <param name="resolver">Symbols of the process.</param>
internal sealed class SampleStack(SymbolResolver resolver)
{
    private readonly StackEnds _ends = new(resolver);

    /// <summary>By number of the symbol, whether it is code that took over a running loop.</summary>
    private readonly List<bool> _isOnStackReplacement = [];
    private int[] _symbols = new int[256];
    private int _length;

    /// <summary>Numbers of the symbols on the stack that was walked last, leaf first; never empty: a stack without frames has an unknown address.</summary>
    public ReadOnlySpan<int> Symbols => _symbols.AsSpan(0, _length);

    /// <summary>Whether the stack that was walked last ends on its way to the begin of its thread.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>Whether methods that were inlined are on the stack that was walked last; each stands above the method whose code it became part of.</summary>
    public bool IsExpanded { get; private set; }

    /// <summary>Whether callers that the recorded chain lacks are among them (<see cref="CallerRecovery"/>).</summary>
    public bool IsRecovered { get; private set; }

    /// <summary>Walks a sample's stack.</summary>
    public void Walk(in CpuSample sample)
    {
        _length = 0;
        IsExpanded = false;
        var frames = sample.Frames.Length;
        if (frames == 0)
            Append(resolver.Resolve(0, sample.At.Time, isKernel: false));
        IsRecovered = resolver.Recovery.TryRecover(sample);
        var callee = SymbolResolver.NoCallee;
        for (var i = 0; i < frames; i++)
        {
            // The kernel is entered from anywhere: the program's first frame is a leaf.
            var isCaller = i > sample.KernelFrames;
            callee = Add(sample.CodeAddress(i), sample.At.Time, i < sample.KernelFrames, isCaller ? callee : SymbolResolver.NoCallee);
            if (i != sample.KernelFrames || !IsRecovered)
                continue;
            foreach (var caller in resolver.Recovery.Callers)
                callee = Add(caller - 1, sample.At.Time, isKernel: false, callee);
            i = resolver.Recovery.ResumesAt - 1;
        }

        IsBroken = sample.IsCut ?? (IsRecovered && resolver.Recovery.ResumesAt == frames ? !resolver.Recovery.ReachesStart : _ends.IsBroken(sample));
    }

    /// <summary>Adds a frame.</summary>
    /// <returns>The method whose code it is, for the frame that called it.</returns>
    private int Add(ulong address, long time, bool isKernel, int callee)
    {
        var symbol = resolver.Resolve(address, time, isKernel, callee, out var inlinees);

        // What was appended last is a method with code of its own: inlined ones stand before it.
        if (_length > 0 && IsOnStackReplacement(_symbols[_length - 1]) && IsPhantom(resolver.Symbols[symbol], resolver.Symbols[_symbols[_length - 1]]))
            return callee;
        foreach (var inlinee in inlinees)
            Append(inlinee);
        Append(symbol);
        IsExpanded |= inlinees.Length > 0;
        return symbol;
    }

    private bool IsOnStackReplacement(int symbol)
    {
        while (_isOnStackReplacement.Count <= symbol)
            _isOnStackReplacement.Add(resolver.Symbols[_isOnStackReplacement.Count].Tier == CodeTier.Tier1Osr);
        return _isOnStackReplacement[symbol];
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
