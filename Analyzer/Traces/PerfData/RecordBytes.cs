using EtwSerializerProfiler.Foundation.Progress;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Bytes of a perf.data file's data section, with the reading position in the file.</summary>
internal abstract class RecordBytes : IDisposable
{
    /// <summary>Receives reading progress; null for none.</summary>
    private readonly ReadPass? _pass;

    /// <summary>Offset in the file up to which progress was reported.</summary>
    private long _reported;

    /// <summary>Starts at the first record, and a new pass of reading progress.</summary>
    /// <param name="file">The file.</param>
    /// <param name="path">Its path.</param>
    /// <param name="start">First byte of the data section.</param>
    /// <param name="end">Its end, or that of the file.</param>
    protected RecordBytes(SafeFileHandle file, string path, long start, long end)
    {
        (File, End, FilePosition, _reported) = (file, end, start, start);
        _pass = ReadProgress.Current?.Begin(path, end - start);
    }

    /// <summary>Whether there are no more bytes.</summary>
    public abstract bool IsAtEnd { get; }

    /// <summary>Reason why reading cannot continue; empty without one.</summary>
    public string Problem { get; protected set; } = "";

    /// <summary>Whether an AUX record is followed by its data, which the record's size does not include.</summary>
    public abstract bool HasAuxData { get; }

    /// <summary>Offset in the file of the next byte to read.</summary>
    protected long FilePosition { get; set; }

    /// <summary>Offset in the file of the end of the data section or the file.</summary>
    protected long End { get; }

    /// <summary>The file.</summary>
    protected SafeFileHandle File { get; }

    /// <summary>Fills a buffer with the available bytes.</summary>
    /// <returns>Number of bytes; 0 at the end.</returns>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public int Read(Span<byte> buffer)
    {
        var read = ReadNext(buffer);
        _pass?.Advance(FilePosition - _reported);
        _reported = FilePosition;
        return read;
    }

    /// <summary>Skips following bytes; false when the data section ends first.</summary>
    public abstract bool TrySkip(long bytes);

    /// <summary>
    /// Offset in the file of a delivered byte, from its position among all bytes: the data section's start for the first one.
    /// </summary>
    public abstract long FileOffsetOf(long position);

    /// <summary>Ends progress reporting.</summary>
    public void EndProgress() => _pass?.End();

    /// <inheritdoc />
    public virtual void Dispose() => EndProgress();

    /// <inheritdoc cref="Read"/>
    protected abstract int ReadNext(Span<byte> buffer);
}

/// <summary>Records as in the file.</summary>
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
            Problem = "the file ends before its data section"; // the file shrank during reading
        FilePosition += read;
        return read;
    }
}
