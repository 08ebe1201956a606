using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>
/// Reads the symbol records (CodeView) of streams one after the other, through one buffer. A record: u16 length of what follows, u16 kind,
/// content.
/// </summary>
/// <param name="file">The file.</param>
internal sealed class SymbolRecords(MsfFile file)
{
    private const int HeadSize = 4;

    /// <summary>Twice the largest record, so that most reads are long.</summary>
    private readonly byte[] _buffer = new byte[1 << 17];

    private int _stream;

    /// <summary>Stream offsets of the next bytes to buffer and of the end of the records.</summary>
    private int _position;
    private int _end;

    /// <summary>Unread bytes of the buffer.</summary>
    private int _from;
    private int _to;

    /// <summary>Offset of the current record in its stream.</summary>
    public int Offset { get; private set; }

    /// <summary>Starts reading at a place in a stream.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="start">Offset of the first record.</param>
    /// <param name="end">Offset after the last one.</param>
    /// <exception cref="PdbFormatException">They do not lie in it.</exception>
    public void Begin(int stream, int start, int end)
    {
        if (start < 0 || end < start || end > file.Length(stream))
            throw new PdbFormatException(FormattableString.Invariant($"symbols in stream {stream} up to 0x{end:x}"), start);
        (_stream, _position, _end) = (stream, start, end);
        _from = _to = 0;
    }

    /// <summary>The next record with its head; valid up to the next call.</summary>
    /// <exception cref="PdbFormatException">It does not lie in the stream.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public bool TryRead(out ReadOnlySpan<byte> record)
    {
        record = default;
        Offset = _position - (_to - _from);
        if (Offset >= _end)
            return false;
        var length = Fill(HeadSize) ? 2 + BinaryPrimitives.ReadUInt16LittleEndian(_buffer.AsSpan(_from)) : 0;
        if (length < HeadSize || !Fill(length))
            throw new PdbFormatException(FormattableString.Invariant($"a symbol in stream {_stream}"), Offset);
        record = _buffer.AsSpan(_from, length);
        _from += length;
        return true;
    }

    /// <summary>Ensures that the buffer holds a number of bytes.</summary>
    private bool Fill(int count)
    {
        if (_to - _from >= count)
            return true;
        _buffer.AsSpan(_from, _to - _from).CopyTo(_buffer);
        (_from, _to) = (0, _to - _from);
        var more = Math.Min(_buffer.Length - _to, _end - _position);
        file.Read(_stream, _position, _buffer.AsSpan(_to, more));
        _position += more;
        _to += more;
        return _to >= count;
    }
}
