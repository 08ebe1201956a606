using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.NetTrace.Blocks;

/// <summary>Writes a .nettrace stream (formats 4 and 5) from complete blocks, with size, padding and end tag of each.</summary>
/// <remarks>Padding depends on a block's position in the stream, so a moved block needs different padding.</remarks>
public sealed class NetTraceBlockWriter
{
    private readonly Stream _output;

    /// <summary>Creates a writer and writes everything before the first block.</summary>
    /// <param name="output">Receives the stream; stays open.</param>
    /// <param name="head">Value of <see cref="NetTraceBlockParser.Head"/>.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public NetTraceBlockWriter(Stream output, ReadOnlySpan<byte> head)
    {
        ArgumentNullException.ThrowIfNull(output);
        _output = output;
        Write(head);
    }

    /// <summary>Bytes written.</summary>
    public long Bytes { get; private set; }

    /// <summary>Starts a block; its content follows in any number of pieces.</summary>
    /// <param name="type">Value of <see cref="NetTraceBlockParser.TypeOf"/>.</param>
    /// <param name="contentBytes">Size of the content.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Begin(ReadOnlySpan<byte> type, int contentBytes)
    {
        Write(type);
        Span<byte> size = stackalloc byte[8];
        size.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(size, contentBytes);
        Write(size[..(4 + (int)(-(Bytes + 4) & 3))]);
    }

    /// <summary>Writes content of the current block.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Write(ReadOnlySpan<byte> content)
    {
        _output.Write(content);
        Bytes += content.Length;
    }

    /// <summary>Ends the current block.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void EndBlock() => Write([6]);

    /// <summary>Ends the stream.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void EndStream() => Write([1]);
}
