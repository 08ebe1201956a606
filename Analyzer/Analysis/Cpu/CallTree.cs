using System.Runtime.InteropServices;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// A call tree with the samples of each path from the start of a thread. Each path is stored once, as a node below its caller's, so memory
/// grows with the distinct paths, not with the samples.
/// </summary>
/// <param name="deepest">Maximum number of levels; deeper frames count as the last level's own time.</param>
/// <param name="keys">Row keys of frames, shared by several trees; null for a separate tree.</param>
internal sealed class CallTree(int deepest, Interner<CpuRowKey>? keys = null)
{
    /// <summary>Parent of the root nodes.</summary>
    private const int Root = -1;

    /// <summary>Replaces missing callers.</summary>
    public static readonly CpuRowKey MissingCallers = new("[broken stack]", "", "", null, null);

    /// <summary>
    /// Separates a program's frames from those of the GC that its thread performs, because the runtime's library often has no symbols to
    /// show it.
    /// </summary>
    public static readonly CpuRowKey GcFrame = new("[garbage collection]", "", "", CodeKind.Native, null);

    private readonly Interner<CpuRowKey> _keys = keys ?? new();

    /// <summary>Nodes; callers come before callees.</summary>
    private readonly List<Node> _nodes = [];
    private readonly Dictionary<(int Parent, int Key), int> _nodeNumbers = [];

    /// <summary>Number of paths in the tree.</summary>
    public int Count => _nodes.Count;

    /// <summary>Number of samples with stacks deeper than the tree's maximum.</summary>
    public long CutSamples { get; private set; }

    /// <summary>CPU time of all samples in ticks.</summary>
    public long Ticks { get; private set; }

    /// <summary>Number of samples.</summary>
    public long Samples { get; private set; }

    /// <summary>Index of a row key; requested once per symbol.</summary>
    public int KeyOf(CpuRowKey key) => _keys.GetOrAdd(key);

    /// <summary>Time of all waits in ticks.</summary>
    public long WaitTicks { get; private set; }

    /// <summary>Adds a sample.</summary>
    /// <param name="sample">The sample.</param>
    /// <param name="path">Row keys of its frames, leaf first.</param>
    public void Add(in CpuSample sample, ReadOnlySpan<int> path) => Add(1, sample.CpuTicks, 0, path);

    /// <summary>Adds a wait.</summary>
    /// <param name="ticks">Duration.</param>
    /// <param name="path">Row keys of the frames of its stack, leaf first.</param>
    public void AddWait(long ticks, ReadOnlySpan<int> path) => Add(0, 0, ticks, path);

    /// <summary>Adds several samples of one stack, or other things with a count and a time.</summary>
    /// <param name="samples">Number.</param>
    /// <param name="ticks">Time of all.</param>
    /// <param name="path">Row keys of the frames, leaf first.</param>
    public void Add(int samples, long ticks, ReadOnlySpan<int> path) => Add(samples, ticks, 0, path);

    private void Add(int samples, long ticks, long waitTicks, ReadOnlySpan<int> path)
    {
        var node = Root;
        var depth = 0;
        for (var i = path.Length - 1; i >= 0; i--)
        {
            // Adjacent frames of one row that is not a method (a library without names, a module) are one step.
            if (node != Root && _nodes[node].Key == path[i] && IsPlace(_keys[path[i]]))
                continue;
            if (++depth > deepest)
            {
                CutSamples += samples;
                break;
            }

            node = Enter(node, path[i], samples, ticks, waitTicks);
        }

        if (node == Root)
            return;
        Samples += samples;
        Ticks += ticks;
        WaitTicks += waitTicks;
        ref var leaf = ref CollectionsMarshal.AsSpan(_nodes)[node];
        leaf.Samples += samples;
        leaf.Ticks += ticks;
        leaf.WaitTicks += waitTicks;
    }

    /// <summary>The nodes in text order: callers before callees, callees of one caller by inclusive time.</summary>
    /// <param name="query">Selects the nodes to show.</param>
    /// <param name="allTicks">CPU time of all samples, plus time of all waits.</param>
    /// <param name="ticksPerSecond">Ticks of the clock in one second.</param>
    public IReadOnlyList<CallTreeRow> Rows(CallTreeQuery query, long allTicks, long ticksPerSecond)
    {
        var rows = new List<CallTreeRow>();
        foreach (var data in Nodes(query, allTicks))
        {
            var key = _keys[data.Key];
            rows.Add(
                new CallTreeRow
                {
                    Depth = data.Depth,
                    Name = key.Name,
                    Module = key.Module,
                    Namespace = key.Namespace,
                    Kind = key.Kind,
                    IsInlined = key.IsInlined,
                    Line = key.Line,
                    ThreadId = key.ThreadId,
                    InclusiveSamples = data.InclusiveSamples,
                    InclusiveCpuMs = data.InclusiveTicks * 1e3 / ticksPerSecond,
                    InclusivePercent = 100.0 * data.InclusiveTime / Math.Max(allTicks, 1),
                    Samples = data.Samples,
                    CpuMs = data.Ticks * 1e3 / ticksPerSecond,
                    Percent = 100.0 * (data.Ticks + data.WaitTicks) / Math.Max(allTicks, 1),
                    InclusiveWaitMs = data.InclusiveWaitTicks * 1e3 / ticksPerSecond,
                    WaitMs = data.WaitTicks * 1e3 / ticksPerSecond,
                }
            );
        }

        return rows;
    }

    /// <summary>The nodes in the same order, with the indexes of their keys.</summary>
    /// <inheritdoc cref="Rows"/>
    public IEnumerable<Node> Nodes(CallTreeQuery query, long allTicks)
    {
        var children = new List<int>[_nodes.Count + 1];
        foreach (var node in Shown(query, allTicks))
            (children[_nodes[node].Parent + 1] ??= []).Add(node);
        var open = new Stack<int>();
        Push(Root);
        while (open.TryPop(out var node))
        {
            yield return _nodes[node];
            Push(node);
        }

        // The stack pops the last one first.
        void Push(int parent)
        {
            if (children[parent + 1] is not { } callees)
                return;
            callees.Sort(Compare);
            for (var i = callees.Count - 1; i >= 0; i--)
                open.Push(callees[i]);
        }
    }

    /// <summary>
    /// The heaviest nodes. The caller of a shown node is shown, too: it is at least as heavy, and among equal nodes the caller comes first.
    /// </summary>
    private List<int> Shown(CallTreeQuery query, long allTicks)
    {
        var minTime = query.MinPercent / 100 * allTicks;
        var shown = Enumerable
            .Range(0, _nodes.Count)
            .Where(node => _nodes[node].Depth < query.MaxLevels && _nodes[node].InclusiveTime >= minTime)
            .ToList();
        if (query.Top is not { } top || top >= shown.Count)
            return shown;
        shown.Sort(Compare);
        return shown.GetRange(0, top);
    }

    private int Compare(int left, int right)
    {
        var order = _nodes[right].InclusiveTime.CompareTo(_nodes[left].InclusiveTime);
        if (order == 0)
            order = _nodes[left].Depth.CompareTo(_nodes[right].Depth);
        if (order == 0)
            order = string.CompareOrdinal(_keys[_nodes[left].Key].Name, _keys[_nodes[right].Key].Name);
        return order != 0 ? order : left.CompareTo(right);
    }

    private int Enter(int parent, int key, int samples, long ticks, long waitTicks)
    {
        ref var number = ref CollectionsMarshal.GetValueRefOrAddDefault(_nodeNumbers, (parent, key), out var known);
        if (!known)
        {
            number = _nodes.Count;
            _nodes.Add(
                new Node
                {
                    Parent = parent,
                    Key = key,
                    Depth = parent == Root ? 0 : _nodes[parent].Depth + 1,
                }
            );
        }

        ref var node = ref CollectionsMarshal.AsSpan(_nodes)[number];
        node.InclusiveSamples += samples;
        node.InclusiveTicks += ticks;
        node.InclusiveWaitTicks += waitTicks;
        return number;
    }

    /// <summary>Whether a row represents a code area instead of a method, so that recursion is meaningless.</summary>
    private static bool IsPlace(CpuRowKey key) =>
        key.Name == key.Module || key.Module.Length == 0 || key.Name.EndsWith("+?", StringComparison.Ordinal);

    /// <summary>A path with its samples. Exclusive counts belong to the path's end, inclusive ones also to its callees.</summary>
    internal struct Node
    {
        public int Parent;
        public int Key;
        public int Depth;
        public long Samples;
        public long Ticks;
        public long InclusiveSamples;
        public long InclusiveTicks;
        public long WaitTicks;
        public long InclusiveWaitTicks;

        public readonly long InclusiveTime => InclusiveTicks + InclusiveWaitTicks;
    }
}
