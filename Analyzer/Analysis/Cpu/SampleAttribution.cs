using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Analysis.Stacktags;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Adds the CPU samples in the runs of one process to rows. Allocates for new symbols and threads, not for samples.
/// </summary>
/// <param name="windows">Windows of all runs of the process.</param>
/// <param name="counts">For each window, whether its samples count.</param>
/// <param name="symbols">Symbols of the process, and names of its threads.</param>
/// <param name="pauses">GCs of the process.</param>
/// <param name="grouping">Grouping of the rows.</param>
/// <param name="totals">Receives the sums.</param>
/// <param name="tree">Receives the stacks; null when not requested.</param>
/// <param name="tags">Tags, when grouped by tag.</param>
/// <param name="runtime">Runtime; empty when the result has only one.</param>
/// <param name="instructions">Receives the leaves in source lines; null when instructions are not requested.</param>
/// <param name="causes">Divides the time of lines by cause; null when not grouped by line.</param>
/// <param name="mine">Folds other frames into the user's own code; null for all frames.</param>
internal sealed class SampleAttribution(
    RunWindows windows,
    IReadOnlyList<bool> counts,
    ProcessSymbols symbols,
    GcPauses pauses,
    CpuGrouping grouping,
    CpuTotals totals,
    CallTree? tree,
    StacktagMatcher? tags = null,
    string runtime = "",
    InstructionTally? instructions = null,
    LineCauses? causes = null,
    MyFrames? mine = null
) : IEventSubscriber
{
    /// <summary>Rows by symbol index.</summary>
    private readonly List<CpuTally> _rows = [];
    private readonly SymbolResolver _resolver = symbols.Resolver;
    private readonly SampleStack _stack = new(symbols.Resolver, pauses);
    private readonly Dictionary<long, CpuTally> _threads = [];
    private readonly StackTagChoice? _tags = tags is null ? null : new StackTagChoice(tags, symbols.Resolver);
    private readonly Dictionary<(int Tag, int Hint), CpuTally> _tagRows = [];

    private readonly TreePaths? _paths = tree is null ? null : new TreePaths(tree, symbols, grouping, runtime, mine is not null);

    /// <inheritdoc />
    public void Subscribe(EventHub hub) => hub.Subscribe<CpuSample>(OnCpuSample);

    private void OnCpuSample(in CpuSample sample)
    {
        var window = windows.IndexAt(sample.At.Time, sample.At.ThreadId);
        if (window < 0 || !counts[window])
            return;
        totals.Begin(sample);

        _stack.Walk(sample);
        CountLeaf(_resolver.Symbols[_stack.Symbols[0]]);
        var cause = causes?.CauseOf(_stack) ?? CauseFrames.None;
        if (mine is not null)
            Fold(mine, sample.CpuTicks);
        var stack = _stack.Symbols;
        if (grouping is CpuGrouping.Thread or CpuGrouping.Tag)
        {
            var tally = _tags is null ? ThreadRow(sample.At.ThreadId) : TagRow(_tags);
            AddExclusive(tally, sample);
            AddInclusive(tally, sample);
        }
        else if (stack.IsEmpty)
        {
            var none = totals.Row(MyFrames.None with { Runtime = runtime });
            AddExclusive(none, sample);
            AddInclusive(none, sample);
        }
        else
        {
            var leaf = Known(stack[0]);
            AddExclusive(_rows[leaf], sample);
            if (instructions is not null && _stack.LeafAddress is { } address)
                instructions.Add(_resolver.Symbols[leaf], address, sample.At.Time, sample.CpuTicks);
            _rows[leaf].Tiers |= 1 << (int)_resolver.Symbols[leaf].Tier;
            foreach (var symbol in stack)
            {
                if (AddInclusive(_rows[Known(symbol)], sample) && causes is not null && _resolver.Symbols[symbol].Line is not null)
                    causes.Add(_rows[symbol], cause, sample.CpuTicks);
            }
        }

        if (_stack.IsBroken)
            totals.BrokenStacks++;
        if (_stack.IsExpanded)
            totals.ExpandedStacks++;
        if (_stack.IsRecovered)
            totals.RecoveredStacks++;
        if (tree is not null)
            tree.Add(sample, _paths!.Of(_stack, sample.At.ThreadId));
    }

    /// <summary>Keeps only the user's frames of the stack, and counts the time that moves to a caller or is without such frames.</summary>
    private void Fold(MyFrames frames, long ticks)
    {
        var isOwn = frames.Includes(_stack.Symbols[0]);
        _stack.Keep(frames);
        if (_stack.Symbols.IsEmpty)
            totals.TicksWithoutMine += ticks;
        else if (!isOwn)
            totals.FoldedTicks += ticks;
    }

    private void CountLeaf(CodeSymbol leaf)
    {
        if (leaf.IsNamed)
            totals.NamedLeaves++;
        if (leaf.Kind != CodeKind.Managed)
            return;
        totals.ManagedLeaves++;
        if (leaf.IsStub)
            totals.StubLeaves++;
        if (leaf.IsNamed)
            totals.NamedManagedLeaves++;
        if (leaf.Line is not null)
            totals.LeavesWithLine++;
    }

    private static void AddExclusive(CpuTally tally, in CpuSample sample)
    {
        tally.Samples++;
        tally.Ticks += sample.CpuTicks;
    }

    /// <summary>Adds a sample to a row.</summary>
    /// <returns>False when the sample is already in the row, by a recursive call.</returns>
    private bool AddInclusive(CpuTally tally, in CpuSample sample)
    {
        if (tally.LastStack == totals.Stack)
            return false;
        tally.LastStack = totals.Stack;
        tally.InclusiveSamples++;
        tally.InclusiveTicks += sample.CpuTicks;
        if (sample.IsKernel)
            tally.KernelSamples++;
        return true;
    }

    /// <summary>Ensures that the symbol has a row.</summary>
    private int Known(int symbol)
    {
        while (_rows.Count <= symbol)
        {
            var added = _resolver.Symbols[_rows.Count];
            _rows.Add(
                totals.Row((mine is null ? CpuRowKey.Of(added, grouping) : MyFrames.KeyOf(added, grouping)) with { Runtime = runtime })
            );
        }

        return symbol;
    }

    private CpuTally TagRow(StackTagChoice choice)
    {
        var chosen = choice.Choose(_stack.Symbols);
        if (!_tagRows.TryGetValue(chosen, out var tally))
            _tagRows.Add(chosen, tally = totals.Row(new CpuRowKey(choice.NameOf(chosen), "", "", null, null) { Runtime = runtime }));
        return tally;
    }

    private CpuTally ThreadRow(long thread)
    {
        if (_threads.TryGetValue(thread, out var tally))
            return tally;
        _threads.Add(thread, tally = totals.Row(CpuRowKey.OfThread(symbols.Layout.ThreadName(thread), thread) with { Runtime = runtime }));
        return tally;
    }
}
