using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Converts stacks of a process to paths of a call tree, in one reused buffer. Allocates for new symbols and threads, not per stack.
/// </summary>
/// <param name="tree">The tree.</param>
/// <param name="symbols">Symbols of the process, and names of its threads.</param>
/// <param name="grouping">Grouping of the nodes.</param>
/// <param name="runtime">Runtime; empty when the result has only one.</param>
/// <param name="isMine">Whether the stacks have only the user's own code.</param>
internal sealed class TreePaths(CallTree tree, ProcessSymbols symbols, CpuGrouping grouping, string runtime, bool isMine = false)
{
    /// <summary>Nodes by symbol index, and nodes of threads.</summary>
    private readonly List<int> _nodes = [];
    private readonly Dictionary<long, int> _threads = [];
    private readonly SymbolResolver _resolver = symbols.Resolver;
    private int? _gc;
    private int? _missingCallers;
    private int? _runtime;
    private int? _none;
    private int[] _path = new int[256];
    private int _length;

    /// <summary>The path of the last stack, leaf first; valid until the next call.</summary>
    /// <param name="stack">The stack.</param>
    /// <param name="thread">Its thread.</param>
    /// <param name="leaf">Key of an additional leaf in place of the kernel's frames; null for the kernel's own frames.</param>
    public ReadOnlySpan<int> Of(SampleStack stack, long thread, int? leaf = null)
    {
        _length = 0;
        if (leaf is { } below)
            Append(below);
        var frames = stack.Symbols;
        for (var i = 0; i < frames.Length; i++)
        {
            if (i == stack.CollectedBy)
                Append(_gc ??= tree.KeyOf(CallTree.GcFrame));

            // A thread's methods are below its node.
            for (var known = _nodes.Count; known <= frames[i]; known++)
                _nodes.Add(tree.KeyOf(KeyOf(_resolver.Symbols[known])));
            if (leaf is null || _resolver.Symbols[frames[i]].Kind != CodeKind.Kernel)
                Append(_nodes[frames[i]]);
        }

        if (frames.IsEmpty && isMine)
            Append(_none ??= tree.KeyOf(MyFrames.None));
        if (frames.Length == stack.CollectedBy)
            Append(_gc ??= tree.KeyOf(CallTree.GcFrame));
        if (stack.IsBroken && !(frames.IsEmpty && isMine))
            Append(_missingCallers ??= tree.KeyOf(CallTree.MissingCallers));
        if (grouping == CpuGrouping.Thread)
        {
            if (!_threads.TryGetValue(thread, out var node))
                _threads.Add(thread, node = tree.KeyOf(CpuRowKey.OfThread(symbols.Layout.ThreadName(thread), thread)));
            Append(node);
        }

        // Outermost node, so that each runtime has its own tree.
        if (runtime.Length > 0)
            Append(_runtime ??= tree.KeyOf(new CpuRowKey(runtime, "", "", null, null)));
        return _path.AsSpan(0, _length);
    }

    private CpuRowKey KeyOf(CodeSymbol symbol)
    {
        var rows = grouping == CpuGrouping.Thread ? CpuGrouping.Method : grouping;
        return isMine ? MyFrames.KeyOf(symbol, rows) : CpuRowKey.Of(symbol, rows);
    }

    private void Append(int node)
    {
        if (_length == _path.Length)
            Array.Resize(ref _path, 2 * _length);
        _path[_length++] = node;
    }
}
