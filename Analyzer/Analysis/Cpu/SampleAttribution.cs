using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Analysis.Stacktags;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Adds the CPU samples of one process that lie in the windows of its runs to rows. Allocates for new symbols and threads, not for samples.</summary>
/// <param name="windows">Windows of all runs of the process.</param>
/// <param name="counts">For each window, whether its run counts.</param>
/// <param name="symbols">Symbols of the process, and names of its threads.</param>
/// <param name="pauses">Its collections.</param>
/// <param name="grouping">What the rows stand for.</param>
/// <param name="totals">The sums.</param>
/// <param name="tree">Gets the stacks, null when they are not asked for.</param>
/// <param name="tags">Tags, when rows stand for them.</param>
/// <param name="runtime">Runtime where the result has runs on several, empty where it has one.</param>
internal sealed class SampleAttribution(
    RunWindows windows, IReadOnlyList<bool> counts, ProcessSymbols symbols, GcPauses pauses, CpuGrouping grouping, CpuTotals totals, CallTree? tree, StacktagMatcher? tags = null, string runtime = "") : IEventSubscriber
{
    /// <summary>Rows by number of the symbol.</summary>
    private readonly List<CpuTally> _rows = [];
    private readonly SymbolResolver _resolver = symbols.Resolver;
    private readonly SampleStack _stack = new(symbols.Resolver, pauses);
    private readonly Dictionary<long, CpuTally> _threads = [];
    private readonly StackTagChoice? _tags = tags is null ? null : new StackTagChoice(tags, symbols.Resolver);
    private readonly Dictionary<(int Tag, int Hint), CpuTally> _tagRows = [];

    /// <summary>Of the tree: nodes by number of the symbol, those of threads, and the path that is being walked.</summary>
    private readonly List<int> _nodes = [];
    private readonly Dictionary<long, int> _threadNodes = [];
    private int? _runtimeNode;
    private int? _collectionNode;
    private int[] _path = new int[256];
    private int _length;

    /// <inheritdoc />
    public void Subscribe(EventHub hub) => hub.Subscribe<CpuSample>(OnCpuSample);

    private void OnCpuSample(in CpuSample sample)
    {
        var window = windows.IndexAt(sample.At.Time);
        if (window < 0 || !counts[window])
            return;
        totals.Begin(sample);

        _stack.Walk(sample);
        var stack = _stack.Symbols;
        var leaf = Known(stack[0]);
        CountLeaf(_resolver.Symbols[leaf]);
        if (grouping is CpuGrouping.Thread or CpuGrouping.Tag)
        {
            var tally = _tags is null ? ThreadRow(sample.At.ThreadId) : TagRow(_tags);
            AddExclusive(tally, sample);
            AddInclusive(tally, sample);
        }
        else
        {
            AddExclusive(_rows[leaf], sample);
            _rows[leaf].Tiers |= 1 << (int)_resolver.Symbols[leaf].Tier;
            foreach (var symbol in stack)
                AddInclusive(_rows[Known(symbol)], sample);
        }

        if (_stack.IsBroken)
            totals.BrokenStacks++;
        if (_stack.IsExpanded)
            totals.ExpandedStacks++;
        if (_stack.IsRecovered)
            totals.RecoveredStacks++;
        if (tree is not null)
            AddToTree(tree, sample);
    }

    private void AddToTree(CallTree to, in CpuSample sample)
    {
        _length = 0;
        var stack = _stack.Symbols;
        for (var i = 0; i < stack.Length; i++)
        {
            if (i == _stack.CollectedBy)
                Append(_collectionNode ??= to.KeyOf(CallTree.Collection));

            // Below a thread stand its methods.
            for (var known = _nodes.Count; known <= stack[i]; known++)
                _nodes.Add(to.KeyOf(CpuRowKey.Of(_resolver.Symbols[known], grouping == CpuGrouping.Thread ? CpuGrouping.Method : grouping)));
            Append(_nodes[stack[i]]);
        }

        if (stack.Length == _stack.CollectedBy)
            Append(_collectionNode ??= to.KeyOf(CallTree.Collection));
        if (_stack.IsBroken)
            Append(to.KeyOf(CallTree.MissingCallers));
        if (grouping == CpuGrouping.Thread)
        {
            if (!_threadNodes.TryGetValue(sample.At.ThreadId, out var node))
                _threadNodes.Add(sample.At.ThreadId, node = to.KeyOf(ThreadKey(sample.At.ThreadId)));
            Append(node);
        }

        // Outermost, so that each runtime has a tree of its own.
        if (runtime.Length > 0)
            Append(_runtimeNode ??= to.KeyOf(new CpuRowKey(runtime, "", "", null, null)));
        to.Add(sample, _path.AsSpan(0, _length));
    }

    private void Append(int node)
    {
        if (_length == _path.Length)
            Array.Resize(ref _path, 2 * _length);
        _path[_length++] = node;
    }

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

    /// <summary>Sees to it that the symbol has a row.</summary>
    private int Known(int symbol)
    {
        while (_rows.Count <= symbol)
        {
            var added = _resolver.Symbols[_rows.Count];
            _rows.Add(totals.Row(CpuRowKey.Of(added, grouping) with { Runtime = runtime }));
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
        _threads.Add(thread, tally = totals.Row(ThreadKey(thread) with { Runtime = runtime }));
        return tally;
    }

    private CpuRowKey ThreadKey(long thread) => new(symbols.Layout.ThreadName(thread) is { Length: > 0 } name ? name : "(no name)", "", "", null, thread);
}
