using EtwSerializerProfiler.Foundation.Progress;
using EtwSerializerProfiler.Traces.Packing;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>
/// The complete blocks of a .nettrace file, followed by a correct end even if the file lacks it. No read crosses a block's edge, so
/// <see cref="BlockStart"/> locates the block in which a decoder failed.
/// </summary>
internal sealed class NetTraceStream : Stream
{
    private readonly Stream _file;
    private readonly NetTraceLayout _layout;
    private long _position;
    private int _block = -1;

    /// <summary>Offset of the end.</summary>
    private long _end;

    /// <summary>Receives reading progress; null for none.</summary>
    private readonly ReadPass? _pass;

    /// <summary>Opens the file of a scanned <paramref name="layout"/>.</summary>
    /// <exception cref="IOException">The file cannot be opened.</exception>
    public NetTraceStream(NetTraceLayout layout)
    {
        (_layout, _end) = (layout, layout.ValidBytes);
        _file = PackedFile.OpenRead(layout.Path, 1 << 16, FileOptions.SequentialScan);
        _pass = ReadProgress.Current?.Begin(layout.Path, layout.ValidBytes);
    }

    /// <summary>Offset of the last block read; 0 in the header.</summary>
    public long BlockStart => _block < 0 ? 0 : _layout.Blocks[_block].Start;

    /// <summary>Ends the stream after the last block read, with a correct end.</summary>
    public void EndAfterBlock() => _end = Math.Min(_end, EndOfBlock);

    private long EndOfBlock => _block + 1 < _layout.Blocks.Count ? _layout.Blocks[_block + 1].Start : _layout.ValidBytes;

    /// <inheritdoc />
    public override bool CanRead => true;

    /// <inheritdoc />
    public override bool CanSeek => false;

    /// <inheritdoc />
    public override bool CanWrite => false;

    /// <inheritdoc />
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc />
    public override long Position
    {
        get => _position;
        set => throw new NotSupportedException();
    }

    /// <inheritdoc />
    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <inheritdoc />
    public override int Read(Span<byte> buffer)
    {
        if (_position >= _end)
        {
            var done = (int)Math.Min(_position - _end, _layout.Terminator.Length);
            var rest = _layout.Terminator[done..];
            rest = rest[..Math.Min(rest.Length, buffer.Length)];
            rest.CopyTo(buffer);
            _position += rest.Length;
            return rest.Length;
        }

        var blocks = _layout.Blocks;
        while (_block + 1 < blocks.Count && blocks[_block + 1].Start <= _position)
            _block++;
        var read = _file.Read(buffer[..(int)Math.Min(buffer.Length, EndOfBlock - _position)]);
        if (read == 0)
            throw _file is PackedStream { Problem: { } problem }
                ? new InvalidDataException(problem)
                : new EndOfStreamException("The file became shorter while it was read.");
        _position += read;
        _pass?.Advance(read);
        return read;
    }

    /// <inheritdoc />
    public override void Flush() { }

    /// <inheritdoc />
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc />
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc />
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc />
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _file.Dispose();
            _pass?.End();
        }

        base.Dispose(disposing);
    }
}
