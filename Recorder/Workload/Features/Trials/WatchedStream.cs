namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Discards written bytes; counts them and reports each write.</summary>
/// <param name="onWrite">Called after each write with the number of bytes so far.</param>
public sealed class WatchedStream(Action<long> onWrite) : Stream
{
    /// <summary>Bytes written so far.</summary>
    public long ByteCount { get; private set; }

    /// <inheritdoc/>
    public override bool CanRead => false;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => true;

    /// <inheritdoc/>
    public override long Length => ByteCount;

    /// <inheritdoc/>
    public override long Position
    {
        get => ByteCount;
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override void Flush() { }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count)
    {
        if (count == 0)
            return;
        ByteCount += count;
        onWrite(ByteCount);
    }
}
