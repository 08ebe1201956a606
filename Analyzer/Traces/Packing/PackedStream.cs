using System.Buffers;
using System.Buffers.Binary;
using System.Globalization;
using ZstdSharp;

namespace EtwSerializerProfiler.Traces.Packing;

/// <summary>The content of a zstd file whose frames have their sizes, read from any place; keeps one frame in memory.</summary>
/// <remarks>
/// Frames are found by their headers and those of their blocks, without decompressing. Format: RFC 8878, section 3.1.1. A cut-off file
/// has the content of its complete frames.
/// </remarks>
internal sealed class PackedStream : Stream
{
    private const uint Magic = 0xFD2F_B528;

    /// <summary>Magic number of a skippable frame.</summary>
    public const uint IndexMagic = 0x184D_2A50;

    /// <summary>A larger index means damage.</summary>
    private const int MaxIndexBytes = 1 << 20;

    /// <summary>A frame header: magic number, descriptor, window, dictionary and content size.</summary>
    private const int MaxHeaderBytes = 4 + 1 + 1 + 4 + 8;
    private const int BlockHeaderBytes = 3;
    private const int ChecksumBytes = 4;

    /// <summary>A larger frame was not written by <see cref="PackedFile"/>.</summary>
    private const int MaxFrameBytes = 64 << 20;

    private readonly FileStream _file;
    private readonly long _fileBytes;
    private readonly Decompressor _decompressor = new();

    /// <summary>Start of each frame in the content and in the file; the last one is the end.</summary>
    private readonly List<(long Content, long File)> _frames = [];

    /// <summary>The frame in <see cref="_content"/>; -1 for none.</summary>
    private int _current = -1;
    private byte[] _content = [];

    /// <summary>Finds the frames of a file, which this stream then owns.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public PackedStream(FileStream file)
    {
        (_file, _fileBytes) = (file, file.Length);
        var (content, at) = (0L, 0L);
        _frames.Add((0, 0));
        Span<byte> headers = stackalloc byte[MaxHeaderBytes + BlockHeaderBytes];
        while (
            at < _fileBytes
            && TryReadHeaders(at, headers)
            && !TryReadIndex(at, headers)
            && TryMeasure(at, headers, out var size, out var next)
        )
        {
            (content, at) = (content + size, next);
            _frames.Add((content, at));
        }
    }

    /// <summary>What was given to <see cref="PackedFile.Pack"/>; null for none, and when it is damaged.</summary>
    public byte[]? Index { get; private set; }

    /// <summary>Why the content ends early or cannot be read; null when nothing is wrong.</summary>
    public string? Problem { get; private set; }

    /// <inheritdoc />
    public override bool CanRead => true;

    /// <inheritdoc />
    public override bool CanSeek => true;

    /// <inheritdoc />
    public override bool CanWrite => false;

    /// <inheritdoc />
    public override long Length => _frames[^1].Content;

    /// <inheritdoc />
    public override long Position { get; set; }

    /// <summary>Whether a file starts like a zstd file; leaves it at its start.</summary>
    public static bool IsPacked(FileStream file)
    {
        Span<byte> magic = stackalloc byte[sizeof(uint)];
        return RandomAccess.Read(file.SafeFileHandle, magic, 0) == magic.Length && BinaryPrimitives.ReadUInt32LittleEndian(magic) == Magic;
    }

    /// <inheritdoc />
    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <summary>Reads from one frame.</summary>
    /// <returns>Number of bytes; 0 at the end and in a damaged frame, which <see cref="Problem"/> then names.</returns>
    public override int Read(Span<byte> buffer)
    {
        if (Position < 0 || Position >= Length || !TryLoad(FrameAt(Position)))
            return 0;
        var start = _frames[_current].Content;
        var count = (int)Math.Min(buffer.Length, _frames[_current + 1].Content - Position);
        _content.AsSpan((int)(Position - start), count).CopyTo(buffer);
        Position += count;
        return count;
    }

    /// <inheritdoc />
    public override void Flush() { }

    /// <inheritdoc />
    public override long Seek(long offset, SeekOrigin origin) =>
        Position = origin switch
        {
            SeekOrigin.Begin => offset,
            SeekOrigin.Current => Position + offset,
            _ => Length + offset,
        };

    /// <inheritdoc />
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc />
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc />
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _decompressor.Dispose();
            _file.Dispose();
            ArrayPool<byte>.Shared.Return(_content);
            _content = [];
        }

        base.Dispose(disposing);
    }

    private int FrameAt(long position)
    {
        if (_current >= 0 && position >= _frames[_current].Content && position < _frames[_current + 1].Content)
            return _current;
        var index = _frames.BinarySearch((position, long.MaxValue));
        return ~index - 1;
    }

    private bool TryLoad(int frame)
    {
        if (frame == _current)
            return true;
        var (content, at) = _frames[frame];
        var (size, packed) = ((int)(_frames[frame + 1].Content - content), (int)(_frames[frame + 1].File - at));
        if (_content.Length < size)
        {
            ArrayPool<byte>.Shared.Return(_content);
            _content = ArrayPool<byte>.Shared.Rent(size);
        }

        _current = -1;
        var bytes = ArrayPool<byte>.Shared.Rent(packed);
        try
        {
            if (TryReadAt(at, bytes.AsSpan(0, packed)) && _decompressor.Unwrap(bytes.AsSpan(0, packed), _content) == size)
                _current = frame;
            else
                Problem = Text(at, "has other content than its header says");
        }
        catch (ZstdException exception)
        {
            Problem = Text(at, $"cannot be unpacked ({exception.Message.TrimEnd('.')})");
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }

        return _current == frame;
    }

    private bool TryReadHeaders(long start, Span<byte> headers) =>
        TryReadAt(start, headers[..(int)Math.Min(_fileBytes - start, headers.Length)]) || Stop(start, "is cut off");

    /// <summary>Reads the index, with which the file ends.</summary>
    /// <param name="start">Where a frame starts.</param>
    /// <param name="header">Its first bytes.</param>
    private bool TryReadIndex(long start, ReadOnlySpan<byte> header)
    {
        const int HeaderBytes = 2 * sizeof(uint);
        if (_fileBytes - start < HeaderBytes || BinaryPrimitives.ReadUInt32LittleEndian(header) != IndexMagic)
            return false;
        var size = BinaryPrimitives.ReadUInt32LittleEndian(header[sizeof(uint)..]);
        if (start + HeaderBytes + size != _fileBytes || size > MaxIndexBytes)
            return true;
        var packed = new byte[size];
        try
        {
            if (TryReadAt(start + HeaderBytes, packed))
                Index = _decompressor.Unwrap(packed, MaxIndexBytes).ToArray();
        }
        catch (ZstdException)
        {
            // The content has all that the index says.
        }

        return true;
    }

    /// <summary>Finds the end of a frame and the size of its content by its headers.</summary>
    /// <param name="start">Where it starts.</param>
    /// <param name="headers">Its header and that of its first block, as far as the file has them.</param>
    /// <param name="size">Size of its content.</param>
    /// <param name="end">Where it ends.</param>
    private bool TryMeasure(long start, Span<byte> headers, out long size, out long end)
    {
        (size, end) = (0, start);
        if (_fileBytes - start < BlockHeaderBytes + MaxHeaderBytes - sizeof(ulong))
            return Stop(start, "is cut off");
        var descriptor = headers[4];
        var isSingleSegment = (descriptor & 0x20) != 0;
        var windowBytes = isSingleSegment ? 0 : 1;
        var dictionaryBytes = (descriptor & 3) switch
        {
            3 => 4,
            var bytes => bytes,
        };
        var sizeBytes = (descriptor >> 6) switch
        {
            0 => isSingleSegment ? 1 : 0,
            1 => 2,
            2 => 4,
            _ => 8,
        };
        var at = 5 + windowBytes + dictionaryBytes;
        size = sizeBytes switch
        {
            0 => -1,
            1 => headers[at],
            2 => BinaryPrimitives.ReadUInt16LittleEndian(headers[at..]) + 256,
            4 => BinaryPrimitives.ReadUInt32LittleEndian(headers[at..]),
            _ => BinaryPrimitives.ReadInt64LittleEndian(headers[at..]),
        };
        if (BinaryPrimitives.ReadUInt32LittleEndian(headers) != Magic)
            return Stop(start, "has a wrong magic number");
        if (size is < 0 or > MaxFrameBytes)
            return Stop(start, $"is larger than {MaxFrameBytes >> 20} MB or of unknown size: unpack the file with 'zstd -d'");
        at += sizeBytes;
        end = start + at;
        var first = end;
        var block = headers.Slice(at, BlockHeaderBytes);
        var isLast = false;
        while (!isLast)
        {
            if (_fileBytes - end < BlockHeaderBytes || (end > first && !TryReadAt(end, block)))
                return Stop(start, "is cut off");
            var value = block[0] | (block[1] << 8) | (block[2] << 16);
            const int RepeatedByte = 1;
            isLast = (value & 1) != 0;
            end += BlockHeaderBytes + (((value >> 1) & 3) == RepeatedByte ? 1 : value >> 3);
        }

        end += (descriptor & 4) != 0 ? ChecksumBytes : 0;
        return end <= _fileBytes && end - start <= MaxFrameBytes || Stop(start, "is cut off");
    }

    private bool TryReadAt(long offset, Span<byte> bytes)
    {
        var read = 0;
        while (read < bytes.Length && RandomAccess.Read(_file.SafeFileHandle, bytes[read..], offset + read) is > 0 and var more)
            read += more;
        return read == bytes.Length;
    }

    private bool Stop(long at, string problem)
    {
        Problem = Text(at, problem);
        return false;
    }

    private static string Text(long at, string problem) =>
        string.Create(CultureInfo.InvariantCulture, $"the zstd frame at offset {at} of the file {problem}");
}
