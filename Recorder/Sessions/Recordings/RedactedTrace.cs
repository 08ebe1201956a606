namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>
/// Redacts a .nettrace file while it is written. The runtime puts its command line into events (ProcessInfo, RuntimeInformation) as UTF-16.
/// A redacted text keeps its length, because the blocks of the file contain their lengths.
/// </summary>
/// <param name="file">The file; disposed with this object.</param>
/// <param name="texts">Complete arguments of a command and their replacements as UTF-16.</param>
internal sealed class RedactedTrace(Stream file, IReadOnlyList<(byte[] Text, byte[] Hidden)> texts) : Stream
{
    /// <summary>Bytes of a character to check before and after a text.</summary>
    private const int Edge = 2;

    /// <summary>Bytes kept back until the next write, because a text may span two writes.</summary>
    private readonly int _kept = texts.Max(text => text.Text.Length) + (2 * Edge);

    private byte[] _buffer = [];
    private int _filled;

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        var ready = Take(buffer);
        file.Write(_buffer.AsSpan(0, ready));
        Remove(ready);
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var ready = Take(buffer.Span);
        await file.WriteAsync(_buffer.AsMemory(0, ready), cancellationToken).ConfigureAwait(false);
        Remove(ready);
    }

    public override void Flush() => file.Flush();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override async ValueTask DisposeAsync()
    {
        try
        {
            await file.WriteAsync(_buffer.AsMemory(0, _filled)).ConfigureAwait(false);
        }
        finally
        {
            _filled = 0;
            await file.DisposeAsync().ConfigureAwait(false);
            await base.DisposeAsync().ConfigureAwait(false);
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            try
            {
                if (_filled > 0)
                    file.Write(_buffer.AsSpan(0, _filled));
            }
            finally
            {
                _filled = 0;
                file.Dispose();
            }
        }

        base.Dispose(disposing);
    }

    /// <summary>Adds bytes, redacts the texts, and returns how many bytes may be written.</summary>
    private int Take(ReadOnlySpan<byte> bytes)
    {
        if (_filled + bytes.Length > _buffer.Length)
            Array.Resize(ref _buffer, _filled + bytes.Length);
        bytes.CopyTo(_buffer.AsSpan(_filled));
        _filled += bytes.Length;
        foreach (var (text, hidden) in texts)
            Hide(_buffer.AsSpan(0, _filled), text, hidden);
        return Math.Max(0, _filled - _kept);
    }

    private void Remove(int written)
    {
        _buffer.AsSpan(written, _filled - written).CopyTo(_buffer);
        _filled -= written;
    }

    /// <summary>Redacts a text only where it is a separate word, because short arguments may also occur inside other data.</summary>
    private static void Hide(Span<byte> content, ReadOnlySpan<byte> text, ReadOnlySpan<byte> hidden)
    {
        for (var at = 0; content[at..].IndexOf(text) is >= 0 and var found; at += found + 1)
        {
            var start = at + found;
            if (
                start >= Edge
                && IsBorder(content[(start - Edge)..])
                && start + text.Length + Edge <= content.Length
                && IsBorder(content[(start + text.Length)..])
            )
                hidden.CopyTo(content[start..]);
        }
    }

    /// <summary>A blank, a quote or the end of a text.</summary>
    private static bool IsBorder(ReadOnlySpan<byte> character) => character[1] == 0 && character[0] is (byte)' ' or (byte)'"' or 0;
}
