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

    /// <summary>Receives reading progress; null for none.</summary>
    private readonly ReadPass? _pass;

    /// <summary>Opens the file of a scanned <paramref name="layout"/>.</summary>
    /// <exception cref="IOException">The file cannot be opened.</exception>
    public NetTraceStream(NetTraceLayout layout)
    {
        _layout = layout;
        _file = PackedFile.OpenRead(layout.Path, 1 << 16, FileOptions.SequentialScan);
        _pass = ReadProgress.Current?.Begin(layout.Path, layout.ValidBytes);
    }

    /// <summary>Offset of the last block read; 0 in the header.</summary>
    public long BlockStart => _block < 0 ? 0 : _layout.Blocks[_block].Start;

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
        if (_position >= _layout.ValidBytes)
        {
            var done = (int)Math.Min(_position - _layout.ValidBytes, _layout.Terminator.Length);
            var rest = _layout.Terminator[done..];
            rest = rest[..Math.Min(rest.Length, buffer.Length)];
            rest.CopyTo(buffer);
            _position += rest.Length;
            return rest.Length;
        }

        var blocks = _layout.Blocks;
        while (_block + 1 < blocks.Count && blocks[_block + 1].Start <= _position)
            _block++;
        var end = _block + 1 < blocks.Count ? blocks[_block + 1].Start : _layout.ValidBytes;
        var read = _file.Read(buffer[..(int)Math.Min(buffer.Length, end - _position)]);
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
