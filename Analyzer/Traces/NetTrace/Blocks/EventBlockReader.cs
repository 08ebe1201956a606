using EtwSerializerProfiler.Traces.Clr;

namespace EtwSerializerProfiler.Traces.NetTrace.Blocks;

/// <summary>Reads the events of an event block, or the records of a metadata block of formats 4 and 5, one after the other.</summary>
internal ref struct EventBlockReader
{
    private readonly int _version;
    private readonly bool _isCompressed;
    private PayloadReader _reader;
    private EventHeader _header;

    /// <summary>Begins to read.</summary>
    /// <param name="content">Content of the block.</param>
    /// <param name="version">Version of the format.</param>
    public EventBlockReader(ReadOnlySpan<byte> content, int version)
    {
        _version = version;
        _reader = new PayloadReader(content);
        IsWhole = EventBlock.TryReadHead(ref _reader, out _isCompressed);
    }

    /// <summary>Whether everything so far could be decoded.</summary>
    public bool IsWhole { get; private set; }

    /// <summary>Reads the next event.</summary>
    /// <returns>False at the end, and at the first event that cannot be decoded (<see cref="IsWhole"/>).</returns>
    public bool TryRead(out EventHeader header, out ReadOnlySpan<byte> payload)
    {
        header = default;
        payload = default;
        if (!IsWhole || _reader.Left == 0 || !(IsWhole = _header.TryRead(ref _reader, _isCompressed, _version)))
            return false;
        header = _header;
        payload = _reader.Bytes(header.PayloadBytes);
        EventBlock.SkipPadding(ref _reader, _isCompressed, header.PayloadBytes);
        return true;
    }
}
