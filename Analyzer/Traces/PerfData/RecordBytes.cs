using EtwSerializerProfiler.Foundation.Progress;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>The bytes of a perf.data file's data section, record after record, and how far the file was read.</summary>
internal abstract class RecordBytes : IDisposable
{
    /// <summary>Receives reading progress; null for none.</summary>
    private readonly ReadPass? _pass;

    /// <summary>Offset in the file up to which reading was reported.</summary>
    private long _reported;

    /// <summary>Creates it.</summary>
    /// <param name="file">The file.</param>
    /// <param name="path">Its path.</param>
    /// <param name="start">First byte of the data section.</param>
    /// <param name="end">Its end, or that of the file.</param>
    protected RecordBytes(SafeFileHandle file, string path, long start, long end)
    {
        (File, End, FilePosition, _reported) = (file, end, start, start);
        _pass = ReadProgress.Current?.Begin(path, end - start);
    }

    /// <summary>Whether no byte follows.</summary>
    public abstract bool IsAtEnd { get; }

    /// <summary>Why nothing more can be read before the end; empty otherwise.</summary>
    public string Problem { get; protected set; } = "";

    /// <summary>Whether the bytes of an AUX record are followed by its data, which has no place in the record's size.</summary>
    public abstract bool HasAuxData { get; }

    /// <summary>Offset in the file of the next byte to be read.</summary>
    protected long FilePosition { get; set; }

    /// <summary>Offset in the file at which the data section or the file ends.</summary>
    protected long End { get; }

    /// <summary>The file.</summary>
    protected SafeFileHandle File { get; }

    /// <summary>Fills a buffer as far as there are bytes.</summary>
    /// <returns>Number of bytes; 0 at the end.</returns>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public int Read(Span<byte> buffer)
    {
        var read = ReadNext(buffer);
        _pass?.Advance(FilePosition - _reported);
        _reported = FilePosition;
        return read;
    }

    /// <summary>Passes over bytes that follow; false when the data section ends before.</summary>
    public abstract bool TrySkip(long bytes);

    /// <summary>Offset in the file of a byte that was handed out, by its place among all bytes: the data section's start for the first one.</summary>
    public abstract long FileOffsetOf(long position);

    /// <summary>Ends the reading progress.</summary>
    public void EndProgress() => _pass?.End();

    /// <inheritdoc />
    public virtual void Dispose() => EndProgress();

    /// <inheritdoc cref="Read"/>
    protected abstract int ReadNext(Span<byte> buffer);
}

/// <summary>Records as they stand in the file.</summary>
internal sealed class PlainRecords(SafeFileHandle file, string path, long start, long end) : RecordBytes(file, path, start, end)
{
    /// <inheritdoc />
    public override bool IsAtEnd => Problem.Length > 0 || FilePosition >= End;

    /// <inheritdoc />
    public override bool HasAuxData => true;

    /// <inheritdoc />
    public override bool TrySkip(long bytes)
    {
        if (bytes > End - FilePosition)
            return false;
        FilePosition += bytes;
        return true;
    }

    /// <inheritdoc />
    public override long FileOffsetOf(long position) => position;

    /// <inheritdoc />
    protected override int ReadNext(Span<byte> buffer)
    {
        var read = RandomAccess.Read(File, buffer[..(int)Math.Min(buffer.Length, End - FilePosition)], FilePosition);
        if (read == 0)
            Problem = "the file ends before its data section does"; // it became shorter while it was read
        FilePosition += read;
        return read;
    }
}
