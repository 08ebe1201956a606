using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>
/// The inlined methods of a piece of jitted code: which bytes belong to which of them, and into which method each was inlined.
/// </summary>
/// <remarks>
/// <para>The bytes, little-endian: u32 count of nodes n, u32 count of mappings m, n × 20 bytes {u64 method, u32 IL offset, u32 child, u32
/// sibling}, m × 13 bytes {u32 IL offset, u32 node, u32 native offset, u8 source}. Node 0 is the method itself; no link leads to it, so a
/// link of 0 means none. The children of a node are a linked list: the child is the first one, the siblings follow. Release builds of the
/// JIT do not set a node's IL offset; it is ignored, as is a mapping's source. A mapping's IL offset is needed for lines only.</para>
/// <para>A mapping begins a statement, in the order of the code, and applies up to the next one. Where several begin at the same offset,
/// only the last one has code. Code before the first (the prologue) belongs to the method. The JIT tracks only statements: an inlinee whose
/// only statement is an expression that became part of the caller's statement has no range, and its time counts for its caller.</para>
/// <para>Everything is checked, because wrong names are worse than none: the length must be exactly 8 + 20 n + 13 m, no node may be
/// reached twice by links, every mapping must name a node and lie in the code, not before the previous one. With these checks, none of the
/// trees of the built-in suite (6,682 of .NET 10) is refused.</para>
/// <para>The links of .NET 8 break off where the JIT tried to inline a call and did not: the link to it is 0, and the siblings after it are
/// not reached (52 of 333 trees of a test program). Nodes are numbered as they are inlined, a caller before what it calls, so siblings with
/// node 1 among them are callees of node 0. The code of other nodes that no link reaches counts as the method's own.</para>
/// <para>
/// Only the edges at which the node changes are kept; a node's number is an index into <see cref="_methods"/>. Lines need every mapping
/// (<see cref="Points"/>).
/// </para>
/// </remarks>
internal sealed class InlineTree
{
    private const int HeaderBytes = 8;
    private const int NodeBytes = 20;
    private const int MappingBytes = 13;

    /// <summary>Parent of a node that no link reaches.</summary>
    private const int Unreached = -2;

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

    /// <summary>Whether any method was inlined, even if no code is mapped to it.</summary>
    public bool HasInlinees => _methods.Length > 1;

    /// <summary>The statements of the code; null when they were not kept.</summary>
    public CodePoints? Points { get; private init; }

    /// <summary>Decodes a tree.</summary>
    /// <param name="data">Its bytes.</param>
    /// <param name="method">Expected id of the method.</param>
    /// <param name="codeBytes">Size of the code.</param>
    /// <param name="pool">Keeps the statements, for lines; null when these are not requested.</param>
    /// <param name="tree">The tree.</param>
    /// <returns>False when the bytes contradict themselves or the code.</returns>
    public static bool TryDecode(
        ReadOnlySpan<byte> data,
        long method,
        uint codeBytes,
        CodePointsPool? pool,
        [NotNullWhen(true)] out InlineTree? tree
    )
    {
        tree = null;
        if (data.Length < HeaderBytes)
            return false;
        var (nodes, mappings) = (UInt32(data, 0), UInt32(data, 4));
        if (nodes == 0 || HeaderBytes + (ulong)nodes * NodeBytes + (ulong)mappings * MappingBytes != (ulong)data.Length)
            return false;
        var links = data.Slice(HeaderBytes, (int)nodes * NodeBytes);
        if (BinaryPrimitives.ReadInt64LittleEndian(links) != method || !TryLink(links, out var parents))
            return false;
        var methods = new long[nodes];
        for (var node = 0; node < methods.Length; node++)
            methods[node] = BinaryPrimitives.ReadInt64LittleEndian(links[(node * NodeBytes)..]);
        var statements = data[(HeaderBytes + links.Length)..];
        if (!TryMap(statements, parents, codeBytes, out var offsets, out var edges))
            return false;
        var points = pool?.Of(PointsOf(statements, parents));
        parents.AsSpan().Replace(Unreached, 0);
        tree = new InlineTree(methods, methods.Length > 1 ? parents : s_noParents, offsets, edges) { Points = points };
        return true;
    }

    /// <summary>A tree with statements only, for code without inlined methods or whose inlined methods are unknown.</summary>
    /// <param name="method">Id of the method.</param>
    /// <param name="points">Its statements.</param>
    public static InlineTree Plain(long method, CodePoints points) => new([method], s_noParents, [], []) { Points = points };

    private static CodePoints PointsOf(ReadOnlySpan<byte> mappings, int[] parents)
    {
        var count = mappings.Length / MappingBytes;
        var (offsets, nodes, instructions) = (new uint[count], new int[count], new int[count]);
        for (var i = 0; i < count; i++)
        {
            var mapping = mappings[(i * MappingBytes)..];
            (instructions[i], nodes[i], offsets[i]) = ((int)UInt32(mapping, 0), (int)UInt32(mapping, 4), UInt32(mapping, 8));
            if (parents[nodes[i]] == Unreached)
                (instructions[i], nodes[i]) = (CodePoints.NoMapping, 0);
        }

        return new CodePoints(offsets, nodes, instructions);
    }

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

    /// <summary>Finds the nodes' parents by following the links from node 0, and from the last sibling of node 1.</summary>
    private static bool TryLink(ReadOnlySpan<byte> links, out int[] parents)
    {
        var count = links.Length / NodeBytes;
        parents = new int[count];
        parents.AsSpan().Fill(Unreached);
        parents[0] = -1;
        if (UInt32(links, 16) != 0)
            return false;
        var open = new Stack<int>();
        if (!TryReach(links, 0, UInt32(links, 12), parents, open))
            return false;
        if (count > 1 && parents[1] == Unreached && !TryReach(links, 0, LastSiblingOfFirst(links), parents, open))
            return false;
        while (open.TryPop(out var parent))
        {
            if (!TryReach(links, parent, UInt32(links, parent * NodeBytes + 12), parents, open))
                return false;
        }

        return true;
    }

    /// <summary>Sets the parent of a list of siblings.</summary>
    private static bool TryReach(ReadOnlySpan<byte> links, int parent, uint first, int[] parents, Stack<int> open)
    {
        for (var node = first; node != 0; node = UInt32(links, (int)node * NodeBytes + 16))
        {
            if (node >= parents.Length || parents[node] != Unreached)
                return false;
            parents[node] = parent;
            open.Push((int)node);
        }

        return true;
    }

    /// <summary>Siblings have ascending numbers.</summary>
    private static uint LastSiblingOfFirst(ReadOnlySpan<byte> links)
    {
        var last = 1u;
        for (var node = 2u; node < links.Length / NodeBytes; node++)
        {
            if (UInt32(links, (int)node * NodeBytes + 16) == last)
                last = node;
        }

        return last;
    }

    private static bool TryMap(ReadOnlySpan<byte> mappings, int[] parents, uint codeBytes, out uint[] offsets, out int[] edges)
    {
        var edgeOffsets = new List<uint>();
        var edgeNodes = new List<int>();
        (offsets, edges) = ([], []);
        var before = 0u;
        for (var at = 0; at < mappings.Length; at += MappingBytes)
        {
            var (node, offset) = (UInt32(mappings, at + 4), UInt32(mappings, at + 8));
            if (node >= parents.Length || offset < before || offset > codeBytes)
                return false;
            before = offset;
            if (parents[node] == Unreached)
                node = 0;

            // Of several mappings at the same offset only the last one has code.
            if (edgeOffsets.Count > 0 && edgeOffsets[^1] == offset)
            {
                edgeOffsets.RemoveAt(edgeOffsets.Count - 1);
                edgeNodes.RemoveAt(edgeNodes.Count - 1);
            }

            if ((edgeNodes.Count == 0 ? 0 : edgeNodes[^1]) == node)
                continue;
            edgeOffsets.Add(offset);
            edgeNodes.Add((int)node);
        }

        (offsets, edges) = ([.. edgeOffsets], [.. edgeNodes]);
        return true;
    }

    private static uint UInt32(ReadOnlySpan<byte> data, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(data[offset..]);
}
