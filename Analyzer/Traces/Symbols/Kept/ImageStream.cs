namespace EtwSerializerProfiler.Traces.Symbols.Kept;

/// <summary>Reads an image as a stream.</summary>
/// <param name="file">The image.</param>
internal sealed class ImageStream(ImageFile file) : Stream
{
    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => false;

    public override long Length => file.Length;

    public override long Position { get; set; }

    public override int Read(Span<byte> buffer)
    {
        var read = file.Read(buffer, Position);
        Position += read;
        return read;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override long Seek(long offset, SeekOrigin origin) =>
        Position =
            offset
            + origin switch
            {
                SeekOrigin.Begin => 0,
                SeekOrigin.Current => Position,
                _ => Length,
            };

    public override void Flush() { }

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
