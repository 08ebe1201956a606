namespace EtwSerializerProfiler.Traces.NetTrace.Blocks;

/// <summary>A block of a .nettrace stream, valid until the next one is read.</summary>
public readonly ref struct NetTraceBlock
{
    internal NetTraceBlock(NetTraceBlockKind kind, ReadOnlySpan<byte> content)
    {
        Kind = kind;
        Content = content;
    }

    /// <summary>Its kind.</summary>
    public NetTraceBlockKind Kind { get; }

    /// <summary>Its content, without type, size, padding and end tag.</summary>
    public ReadOnlySpan<byte> Content { get; }
}
