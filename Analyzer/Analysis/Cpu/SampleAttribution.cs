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
internal sealed class SampleAttribution(RunWindows windows, IReadOnlyList<bool> counts, SymbolResolver resolver, ProcessLayout layout, CpuGrouping grouping, CpuTotals totals) : TraceVisitor
{
    /// <summary>Rows by number of the symbol.</summary>
    private readonly List<CpuTally> _rows = [];
    private readonly StackEnds _ends = new(resolver);
    private readonly Dictionary<long, CpuTally> _threads = [];

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

        var previous = leaf;
        for (var i = 1; i < frames; i++)
        {
            var symbol = SymbolOf(sample, i);
            if (IsPhantom(resolver.Symbols[symbol], resolver.Symbols[previous]))
                continue;
            previous = symbol;
            if (grouping != CpuGrouping.Thread)
                AddInclusive(_rows[symbol], sample);
        }

        if (_ends.IsBroken(sample))
            totals.BrokenStacks++;
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
        var name = layout.ThreadName(thread);
        _threads.Add(thread, tally = totals.Row(new CpuRowKey(name.Length > 0 ? name : "(no name)", "", "", null, thread)));
        return tally;
    }
}
