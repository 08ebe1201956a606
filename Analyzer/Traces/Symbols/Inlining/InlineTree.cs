using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>
/// The inlined methods of a piece of jitted code: which bytes belong to which of them, and into which method each was inlined.
/// </summary>
/// <remarks>
/// Only the edges at which the node changes are kept; a node's number is an index into <see cref="_methods"/>. Node 0 is the method itself.
/// Lines need every statement (<see cref="Points"/>).
/// </remarks>
internal sealed class InlineTree
{
    // Most code has no inlined methods.
    private static readonly int[] s_noParents = [-1];

    /// <summary>The method of each node.</summary>
    private readonly long[] _methods;

    /// <summary>Parent of each node: the node that it was inlined into; -1 for node 0.</summary>
    private readonly int[] _parents;

    /// <summary>Offsets at which another node begins, ascending.</summary>
    private readonly uint[] _offsets;

    /// <summary>The node that begins there.</summary>
    private readonly int[] _nodes;

    private InlineTree(long[] methods, int[] parents, uint[] offsets, int[] nodes)
    {
        _methods = methods;
        _parents = parents;
        _offsets = offsets;
        _nodes = nodes;
    }

    /// <summary>The statements of the code; null when they were not kept.</summary>
    public CodePoints? Points { get; private init; }

    /// <summary>Reads a tree that was written by <see cref="InlineTreeDecoder.Write"/>.</summary>
    /// <param name="bytes">The bytes, and possibly others after them.</param>
    /// <param name="points">The statements.</param>
    public static InlineTree Read(ReadOnlySpan<byte> bytes, CodePoints? points)
    {
        var from = new PayloadReader(bytes);
        var methods = new long[from.Variable()];
        var parents = methods.Length > 1 ? new int[methods.Length] : s_noParents;
        parents[0] = -1;
        var method = 0L;
        for (var node = 0; node < methods.Length; node++)
        {
            methods[node] = method += from.SignedVariable();
            if (node > 0)
                parents[node] = (int)from.Variable();
        }

        var offsets = new uint[from.Variable()];
        var nodes = new int[offsets.Length];
        var offset = 0u;
        for (var edge = 0; edge < offsets.Length; edge++)
        {
            offsets[edge] = offset += (uint)from.Variable();
            nodes[edge] = (int)from.Variable();
        }

        return new InlineTree(methods, parents, offsets, nodes) { Points = points };
    }

    /// <summary>A tree with statements only, for code without inlined methods or whose inlined methods are unknown.</summary>
    /// <param name="method">Id of the method.</param>
    /// <param name="points">Its statements.</param>
    public static InlineTree Plain(long method, CodePoints points) => new([method], s_noParents, [], []) { Points = points };

    /// <summary>The node whose code lies at an offset; 0 for the method's own.</summary>
    /// <param name="offset">The offset.</param>
    /// <param name="start">Offset at which the node's range begins.</param>
    public int NodeAt(ulong offset, out uint start)
    {
        var low = 0;
        var high = _offsets.Length;
        while (low < high)
        {
            var middle = (low + high) >>> 1;
            if (_offsets[middle] <= offset)
                low = middle + 1;
            else
                high = middle;
        }

        start = low == 0 ? 0 : _offsets[low - 1];
        return low == 0 ? 0 : _nodes[low - 1];
    }

    /// <summary>Whether some of the code is mapped to a node.</summary>
    public bool HasRange(int node) => _nodes.AsSpan().Contains(node);

    /// <summary>Number of nodes.</summary>
    public int Count => _methods.Length;

    /// <summary>The method of a node.</summary>
    public long Method(int node) => _methods[node];

    /// <summary>The node that a node was inlined into; 0 is the method itself.</summary>
    public int Parent(int node) => _parents[node];
}
