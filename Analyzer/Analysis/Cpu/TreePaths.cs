using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Turns walked stacks of a process into paths of a call tree: one buffer, used again for each stack. Allocates for new symbols and threads, not for stacks.</summary>
/// <param name="tree">The tree.</param>
/// <param name="symbols">Symbols of the process, and names of its threads.</param>
/// <param name="grouping">What the nodes stand for.</param>
/// <param name="runtime">Runtime where the result has runs on several, empty where it has one.</param>
internal sealed class TreePaths(CallTree tree, ProcessSymbols symbols, CpuGrouping grouping, string runtime)
{
    /// <summary>Nodes by number of the symbol, and those of threads.</summary>
    private readonly List<int> _nodes = [];
    private readonly Dictionary<long, int> _threads = [];
    private readonly SymbolResolver _resolver = symbols.Resolver;
    private int? _collection;
    private int? _missingCallers;
    private int? _runtime;
    private int[] _path = new int[256];
    private int _length;

    /// <summary>The path of the stack that was walked last, leaf first; valid until the next one is asked for.</summary>
    /// <param name="stack">The stack.</param>
    /// <param name="thread">Its thread.</param>
    /// <param name="leaf">Key in the tree of what stands below the stack, in the kernel's place; null for nothing, and for the kernel's own frames.</param>
    public ReadOnlySpan<int> Of(SampleStack stack, long thread, int? leaf = null)
    {
        _length = 0;
        if (leaf is { } below)
            Append(below);
        var frames = stack.Symbols;
        for (var i = 0; i < frames.Length; i++)
        {
            if (i == stack.CollectedBy)
                Append(_collection ??= tree.KeyOf(CallTree.Collection));

            // Below a thread stand its methods.
            for (var known = _nodes.Count; known <= frames[i]; known++)
                _nodes.Add(tree.KeyOf(CpuRowKey.Of(_resolver.Symbols[known], grouping == CpuGrouping.Thread ? CpuGrouping.Method : grouping)));
            if (leaf is null || _resolver.Symbols[frames[i]].Kind != CodeKind.Kernel)
                Append(_nodes[frames[i]]);
        }

        if (frames.Length == stack.CollectedBy)
            Append(_collection ??= tree.KeyOf(CallTree.Collection));
        if (stack.IsBroken)
            Append(_missingCallers ??= tree.KeyOf(CallTree.MissingCallers));
        if (grouping == CpuGrouping.Thread)
        {
            if (!_threads.TryGetValue(thread, out var node))
                _threads.Add(thread, node = tree.KeyOf(CpuRowKey.OfThread(symbols.Layout.ThreadName(thread), thread)));
            Append(node);
        }

        // Outermost, so that each runtime has a tree of its own.
        if (runtime.Length > 0)
            Append(_runtime ??= tree.KeyOf(new CpuRowKey(runtime, "", "", null, null)));
        return _path.AsSpan(0, _length);
    }

    private void Append(int node)
    {
        if (_length == _path.Length)
            Array.Resize(ref _path, 2 * _length);
        _path[_length++] = node;
    }
}
