using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Handmade payloads of the events on inlined methods.</summary>
public static class InlineBytes
{
    /// <summary>An inline tree.</summary>
    /// <param name="nodes">Method, first child and next sibling of each node; the first one is the method itself.</param>
    /// <param name="mappings">Nodes and the offsets at which their code begins.</param>
    public static byte[] Tree((long Method, int Child, int Sibling)[] nodes, params (int Node, int Offset)[] mappings)
    {
        ArgumentNullException.ThrowIfNull(nodes);
        ArgumentNullException.ThrowIfNull(mappings);
        var bytes = new List<byte>();
        Add(bytes, nodes.Length);
        Add(bytes, mappings.Length);
        foreach (var (method, child, sibling) in nodes)
        {
            Add(bytes, method);
            Add(bytes, unchecked((int)0xBAADF00D)); // value that release builds of the JIT write
            Add(bytes, child);
            Add(bytes, sibling);
        }

        foreach (var (node, offset) in mappings)
        {
            Add(bytes, 7);
            Add(bytes, node);
            Add(bytes, offset);
            bytes.Add(2);
        }

        return [.. bytes];
    }

    /// <summary>A chunk of rich debug information (private provider, event 189).</summary>
    public static byte[] Chunk(long method, long code, int number, bool isLast, ReadOnlySpan<byte> data)
    {
        var bytes = new List<byte> { 9, 0 };
        Add(bytes, method);
        Add(bytes, code);
        Add(bytes, 0L);
        Add(bytes, isLast ? number | int.MinValue : number);
        Add(bytes, data.Length);
        bytes.AddRange(data);
        return [.. bytes];
    }

    /// <summary>MethodDetails (event 72).</summary>
    public static byte[] Method(long method, long type, int token)
    {
        var bytes = new List<byte>();
        Add(bytes, method);
        Add(bytes, type);
        Add(bytes, token);
        Add(bytes, 0);
        Add(bytes, 0L);
        return [.. bytes];
    }

    /// <summary>BulkType (event 15).</summary>
    public static byte[] Types(params (long Type, long Module, int Token, bool IsArray, long[] Parameters)[] types)
    {
        ArgumentNullException.ThrowIfNull(types);
        var bytes = new List<byte>();
        Add(bytes, types.Length);
        bytes.AddRange([9, 0]);
        foreach (var (type, module, token, isArray, parameters) in types)
        {
            Add(bytes, type);
            Add(bytes, module);
            Add(bytes, token);
            Add(bytes, isArray ? 8 : 0);
            bytes.AddRange([0x12, 0, 0]);
            Add(bytes, parameters.Length);
            foreach (var parameter in parameters)
                Add(bytes, parameter);
        }

        return [.. bytes];
    }

    /// <summary>MethodLoadVerbose (event 143) of jitted code, tier 1.</summary>
    public static byte[] Load(long method, long module, ulong start, int size, string type, string name, long? code, int token = 0)
    {
        var bytes = new List<byte>();
        Add(bytes, method);
        Add(bytes, module);
        Add(bytes, (long)start);
        Add(bytes, size);
        Add(bytes, token);
        Add(bytes, 0x8 | 4 << 7);
        foreach (var text in (string[])[type, name, "void ()"])
            bytes.AddRange(Encoding.Unicode.GetBytes(text + "\0"));
        bytes.AddRange([9, 0]);
        if (code is { } id)
            Add(bytes, id);
        return [.. bytes];
    }

    /// <summary>MethodILToNativeMap (event 190, of the rundown 149 and 150).</summary>
    /// <param name="method">The method.</param>
    /// <param name="points">IL offsets, and where their code begins.</param>
    public static byte[] Map(long method, params (int Il, int Offset)[] points)
    {
        ArgumentNullException.ThrowIfNull(points);
        var bytes = new List<byte>();
        Add(bytes, method);
        Add(bytes, 0L);
        bytes.AddRange([0, (byte)points.Length, 0]);
        foreach (var (il, _) in points)
            Add(bytes, il);
        foreach (var (_, offset) in points)
            Add(bytes, offset);
        bytes.AddRange([9, 0]);
        return [.. bytes];
    }

    /// <summary>ModuleLoad (event 152).</summary>
    public static byte[] Module(long module, string path, Guid pdb)
    {
        var bytes = new List<byte>();
        Add(bytes, module);
        Add(bytes, 0L);
        Add(bytes, 0L);
        bytes.AddRange(Encoding.Unicode.GetBytes(path + "\0\0"));
        bytes.AddRange([9, 0]);
        bytes.AddRange(pdb.ToByteArray());
        return [.. bytes];
    }

    private static void Add(List<byte> bytes, int value)
    {
        Span<byte> four = stackalloc byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(four, value);
        bytes.AddRange(four);
    }

    private static void Add(List<byte> bytes, long value)
    {
        Span<byte> eight = stackalloc byte[8];
        BinaryPrimitives.WriteInt64LittleEndian(eight, value);
        bytes.AddRange(eight);
    }
}
