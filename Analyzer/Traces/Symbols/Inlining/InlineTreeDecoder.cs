using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>
/// Decodes the runtime's inline trees, one after the other. It allocates only as its buffers grow: a recording has a tree for each piece of
/// jitted code.
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
/// </remarks>
internal sealed class InlineTreeDecoder
{
    private const int HeaderBytes = 8;
    private const int NodeBytes = 20;
    private const int MappingBytes = 13;

    /// <summary>Parent of a node that no link reaches.</summary>
    private const int Unreached = -2;

    /// <summary>The method of each node.</summary>
    private readonly List<long> _methods = [];

    /// <summary>Parent of each node; -1 for node 0.</summary>
    private readonly List<int> _parents = [];

    /// <summary>Offsets at which another node begins, ascending, with the node.</summary>
    private readonly List<(uint Offset, int Node)> _edges = [];

    /// <summary>Nodes whose children have not been followed.</summary>
    private readonly Stack<int> _open = [];

    /// <summary>Whether any method was inlined, even if no code is mapped to it.</summary>
    public bool HasInlinees => _methods.Count > 1;

    /// <summary>Decodes a tree, which is this object's until the next call.</summary>
    /// <param name="data">Its bytes.</param>
    /// <param name="method">Expected id of the method.</param>
    /// <param name="codeBytes">Size of the code.</param>
    /// <returns>False when the bytes contradict themselves or the code.</returns>
    public bool TryDecode(ReadOnlySpan<byte> data, long method, uint codeBytes)
    {
        _methods.Clear();
        if (!TrySplit(data, out var links, out var mappings))
            return false;
        for (var at = 0; at < links.Length; at += NodeBytes)
            _methods.Add(BinaryPrimitives.ReadInt64LittleEndian(links[at..]));
        return _methods[0] == method && TryLink(links) && TryMap(mappings, codeBytes);
    }

    /// <summary>The statements of a tree that was decoded.</summary>
    /// <param name="data">Its bytes.</param>
    public CodePoints Points(ReadOnlySpan<byte> data)
    {
        TrySplit(data, out _, out var mappings);
        var count = mappings.Length / MappingBytes;
        var (offsets, nodes, instructions) = (new uint[count], new int[count], new int[count]);
        for (var i = 0; i < count; i++)
        {
            var mapping = mappings[(i * MappingBytes)..];
            (instructions[i], nodes[i], offsets[i]) = ((int)UInt32(mapping, 0), (int)UInt32(mapping, 4), UInt32(mapping, 8));
            if (_parents[nodes[i]] == Unreached)
                (instructions[i], nodes[i]) = (CodePoints.NoMapping, 0);
        }

        return new CodePoints(offsets, nodes, instructions);
    }

    /// <summary>
    /// Writes the decoded tree without its statements, as <see cref="InlineTree.Read"/> reads it: numbers as LEB128, each method as its
    /// distance from the last one, because the runtime's data on methods lie close together.
    /// </summary>
    public void Write(List<byte> to)
    {
        Append(to, (ulong)_methods.Count);
        var last = 0L;
        for (var node = 0; node < _methods.Count; node++)
        {
            var distance = _methods[node] - last;
            Append(to, (ulong)((distance << 1) ^ (distance >> 63)));
            last = _methods[node];
            if (node > 0)
                Append(to, (ulong)Math.Max(_parents[node], 0));
        }

        Append(to, (ulong)_edges.Count);
        var before = 0u;
        foreach (var (offset, node) in _edges)
        {
            Append(to, offset - before);
            Append(to, (ulong)node);
            before = offset;
        }
    }

    private static void Append(List<byte> to, ulong number)
    {
        for (; number >= 0x80; number >>= 7)
            to.Add((byte)(number | 0x80));
        to.Add((byte)number);
    }

    private static bool TrySplit(ReadOnlySpan<byte> data, out ReadOnlySpan<byte> links, out ReadOnlySpan<byte> mappings)
    {
        links = mappings = default;
        if (data.Length < HeaderBytes)
            return false;
        var (nodes, count) = (UInt32(data, 0), UInt32(data, 4));
        if (nodes == 0 || HeaderBytes + (ulong)nodes * NodeBytes + (ulong)count * MappingBytes != (ulong)data.Length)
            return false;
        links = data.Slice(HeaderBytes, (int)nodes * NodeBytes);
        mappings = data[(HeaderBytes + links.Length)..];
        return true;
    }

    /// <summary>Finds the nodes' parents by following the links from node 0, and from the last sibling of node 1.</summary>
    private bool TryLink(ReadOnlySpan<byte> links)
    {
        _parents.Clear();
        _open.Clear();
        _parents.Add(-1);
        for (var node = 1; node < _methods.Count; node++)
            _parents.Add(Unreached);
        if (UInt32(links, 16) != 0 || !TryReach(links, 0, UInt32(links, 12)))
            return false;
        if (_parents.Count > 1 && _parents[1] == Unreached && !TryReach(links, 0, LastSiblingOfFirst(links)))
            return false;
        while (_open.TryPop(out var parent))
        {
            if (!TryReach(links, parent, UInt32(links, parent * NodeBytes + 12)))
                return false;
        }

        return true;
    }

    /// <summary>Sets the parent of a list of siblings.</summary>
    private bool TryReach(ReadOnlySpan<byte> links, int parent, uint first)
    {
        for (var node = first; node != 0; node = UInt32(links, (int)node * NodeBytes + 16))
        {
            if (node >= _parents.Count || _parents[(int)node] != Unreached)
                return false;
            _parents[(int)node] = parent;
            _open.Push((int)node);
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

    private bool TryMap(ReadOnlySpan<byte> mappings, uint codeBytes)
    {
        _edges.Clear();
        var before = 0u;
        for (var at = 0; at < mappings.Length; at += MappingBytes)
        {
            var (node, offset) = (UInt32(mappings, at + 4), UInt32(mappings, at + 8));
            if (node >= _parents.Count || offset < before || offset > codeBytes)
                return false;
            before = offset;
            if (_parents[(int)node] == Unreached)
                node = 0;

            // Of several mappings at the same offset only the last one has code.
            if (_edges.Count > 0 && _edges[^1].Offset == offset)
                _edges.RemoveAt(_edges.Count - 1);
            if ((_edges.Count == 0 ? 0 : _edges[^1].Node) != node)
                _edges.Add((offset, (int)node));
        }

        return true;
    }

    private static uint UInt32(ReadOnlySpan<byte> data, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(data[offset..]);
}
