using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Writes a .nettrace stream (formats 4 and 5) of whole blocks, with size, padding and end tag of each.</summary>
/// <remarks>Padding depends on where a block stands in the stream: a block that is moved needs another one.</remarks>
public sealed class NetTraceBlockWriter
{
    private readonly Stream _output;

    /// <summary>Creates a writer and writes all that precedes the first block.</summary>
    /// <param name="output">Where the stream goes; stays open.</param>
    /// <param name="head">As of <see cref="NetTraceBlockParser.Head"/>.</param>
    /// <exception cref="IOException">It cannot be written.</exception>
    public NetTraceBlockWriter(Stream output, ReadOnlySpan<byte> head)
    {
        ArgumentNullException.ThrowIfNull(output);
        _output = output;
        Write(head);
    }

    /// <summary>Bytes written.</summary>
    public long Bytes { get; private set; }

    /// <summary>Begins a block; its content follows in any number of pieces.</summary>
    /// <param name="type">As of <see cref="NetTraceBlockParser.TypeOf"/>.</param>
    /// <param name="contentBytes">Size of the content.</param>
    /// <exception cref="IOException">It cannot be written.</exception>
    public void Begin(ReadOnlySpan<byte> type, int contentBytes)
    {
        Write(type);
        Span<byte> size = stackalloc byte[8];
        size.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(size, contentBytes);
        Write(size[..(4 + (int)(-(Bytes + 4) & 3))]);
    }

    /// <summary>Writes content of the block that was begun.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public void Write(ReadOnlySpan<byte> content)
    {
        _output.Write(content);
        Bytes += content.Length;
    }

    /// <summary>Ends the block whose content was written.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public void EndBlock() => Write([6]);

    /// <summary>Ends the stream.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public void EndStream() => Write([1]);
}
