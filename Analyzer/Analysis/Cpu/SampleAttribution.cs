using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Adds the CPU samples of one process that lie in the windows of its runs to rows. Allocates for new symbols and threads, not for samples.</summary>
/// <param name="windows">Windows of all runs of the process.</param>
/// <param name="counts">For each window, whether its run counts.</param>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="layout">Names of its threads.</param>
/// <param name="grouping">What the rows stand for.</param>
/// <param name="totals">The sums.</param>
/// <param name="tree">Gets the stacks, null when they are not asked for.</param>
internal sealed class SampleAttribution(
    RunWindows windows, IReadOnlyList<bool> counts, SymbolResolver resolver, ProcessLayout layout, CpuGrouping grouping, CpuTotals totals, CallTree? tree) : TraceVisitor
{
    /// <summary>Rows by number of the symbol.</summary>
    private readonly List<CpuTally> _rows = [];
    private readonly StackEnds _ends = new(resolver);
    private readonly Dictionary<long, CpuTally> _threads = [];

    /// <summary>Of the tree: nodes by number of the symbol, those of threads, and the path that is being walked.</summary>
    private readonly List<int> _nodes = [];
    private readonly Dictionary<long, int> _threadNodes = [];
    private int[] _path = new int[256];
    private int _length;

    public override void OnCpuSample(in CpuSample sample)
    {
        var window = windows.IndexAt(sample.At.Time);
        if (window < 0 || !counts[window])
            return;
        totals.Begin(sample);

        // A sample without any frame counts as an unknown address.
        var frames = sample.Frames.Length;
        var leaf = frames > 0 ? SymbolOf(sample, 0) : Known(resolver.Resolve(0, sample.At.Time, isKernel: false));
        CountLeaf(resolver.Symbols[leaf]);
        if (grouping == CpuGrouping.Thread)
        {
            var tally = ThreadRow(sample.At.ThreadId);
            AddExclusive(tally, sample);
            AddInclusive(tally, sample);
        }
        else
        {
            AddExclusive(_rows[leaf], sample);
            _rows[leaf].Tiers |= 1 << (int)resolver.Symbols[leaf].Tier;
            AddInclusive(_rows[leaf], sample);
        }

        _length = 0;
        AddToPath(leaf);
        var previous = leaf;
        for (var i = 1; i < frames; i++)
        {
            var symbol = SymbolOf(sample, i);
            if (IsPhantom(resolver.Symbols[symbol], resolver.Symbols[previous]))
                continue;
            previous = symbol;
            AddToPath(symbol);
            if (grouping != CpuGrouping.Thread)
                AddInclusive(_rows[symbol], sample);
        }

        var isBroken = _ends.IsBroken(sample);
        if (isBroken)
            totals.BrokenStacks++;
        if (tree is not null)
            AddToTree(tree, sample, isBroken);
    }

    private void AddToTree(CallTree to, in CpuSample sample, bool isBroken)
    {
        if (isBroken)
            Append(to.KeyOf(CallTree.MissingCallers));
        if (grouping == CpuGrouping.Thread)
        {
            if (!_threadNodes.TryGetValue(sample.At.ThreadId, out var node))
                _threadNodes.Add(sample.At.ThreadId, node = to.KeyOf(ThreadKey(sample.At.ThreadId)));
            Append(node);
        }

        to.Add(sample, _path.AsSpan(0, _length));
    }

    private void AddToPath(int symbol)
    {
        if (tree is null)
            return;

        // Below a thread stand its methods.
        for (var known = _nodes.Count; known <= symbol; known++)
            _nodes.Add(tree.KeyOf(CpuRowKey.Of(resolver.Symbols[known], grouping == CpuGrouping.Thread ? CpuGrouping.Method : grouping)));
        Append(_nodes[symbol]);
    }

    private void Append(int node)
    {
        if (_length == _path.Length)
            Array.Resize(ref _path, 2 * _length);
        _path[_length++] = node;
    }

    /// <summary>
    /// Whether a frame is the quickly compiled code whose loop the frame above it took over (on-stack replacement): it has no call under way, and the
    /// method would count as its own caller. It stands in the place of the true caller, which a chain of frame pointers then lacks: the new code saves
    /// the caller's frame pointer, and its return address is the old code.
    /// </summary>
    private static bool IsPhantom(CodeSymbol frame, CodeSymbol above) =>
        above.Tier == CodeTier.Tier1Osr && frame.MethodId == above.MethodId && frame.Tier != CodeTier.Tier1Osr;

    private void CountLeaf(CodeSymbol leaf)
    {
        if (leaf.IsNamed)
            totals.NamedLeafs++;
        if (leaf.Kind != CodeKind.Managed)
            return;
        totals.ManagedLeafs++;
        if (leaf.IsStub)
            totals.StubLeafs++;
        if (leaf.IsNamed)
            totals.NamedManagedLeafs++;
    }

    private static void AddExclusive(CpuTally tally, in CpuSample sample)
    {
        tally.Samples++;
        tally.Ticks += sample.CpuTicks;
    }

    private void AddInclusive(CpuTally tally, in CpuSample sample)
    {
        if (tally.LastStack == totals.Stack)
            return;
        tally.LastStack = totals.Stack;
        tally.InclusiveSamples++;
        tally.InclusiveTicks += sample.CpuTicks;
        if (sample.IsKernel)
            tally.KernelSamples++;
    }

    private int SymbolOf(in CpuSample sample, int frame) => Known(resolver.Resolve(sample.CodeAddress(frame), sample.At.Time, frame < sample.KernelFrames));

    /// <summary>Sees to it that the symbol has a row.</summary>
    private int Known(int symbol)
    {
        while (_rows.Count <= symbol)
        {
            var added = resolver.Symbols[_rows.Count];
            _rows.Add(totals.Row(CpuRowKey.Of(added, grouping)));
        }

        return symbol;
    }

    private CpuTally ThreadRow(long thread)
    {
        if (_threads.TryGetValue(thread, out var tally))
            return tally;
        _threads.Add(thread, tally = totals.Row(ThreadKey(thread)));
        return tally;
    }

    private CpuRowKey ThreadKey(long thread) => new(layout.ThreadName(thread) is { Length: > 0 } name ? name : "(no name)", "", "", null, thread);
}
