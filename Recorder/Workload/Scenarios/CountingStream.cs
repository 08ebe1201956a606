namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>A stream without a limit: counts written bytes and discards them.</summary>
public sealed class CountingStream : Stream
{
    private long _length;

    /// <inheritdoc/>
    public override bool CanRead => false;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => true;

    /// <summary>Bytes written so far.</summary>
    public override long Length => _length;

    /// <summary>Bytes written so far; cannot be set.</summary>
    public override long Position
    {
        get => _length;
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override void Flush() { }

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => _length += count;

    /// <inheritdoc/>
    public override void WriteByte(byte value) => _length++;

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();
}
