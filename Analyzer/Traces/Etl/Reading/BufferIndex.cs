using System.Runtime.InteropServices;
using EtwSerializerProfiler.Etl.Compression;

namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>Finds all buffers of a file by their headers, without decoding their events.</summary>
internal sealed class BufferIndex
{
    /// <summary>Bytes read after a buffer's header: enough for the first record's header, compressed or not.</summary>
    private const int FirstBytes = 128;

    /// <summary>Bytes needed of the first record: the longest header.</summary>
    private const int FirstRecord = 80;

    private readonly TraceBytes _file;
    private readonly ushort _fileNumber;
    private readonly TraceClockMap _clock;
    private readonly int _bufferSize;
    private readonly HeaderSearch _search;
    private readonly EtlStatistics _statistics;
    private readonly List<BufferEntry> _entries;
    private readonly byte[] _head = new byte[EtlFormat.BufferHeaderSize + FirstBytes];
    private readonly byte[] _record = new byte[FirstRecord + Lz77Decoder.Slack];
    private readonly DecodeScratch _scratch = new();
    private DecodedBuffer? _whole;
    private LastBuffer _last;

    private BufferIndex(
        TraceBytes file,
        ushort number,
        TraceClockMap clock,
        int bufferSize,
        EtlStatistics statistics,
        List<BufferEntry> entries
    )
    {
        _file = file;
        _fileNumber = number;
        _clock = clock;
        _bufferSize = bufferSize;
        _search = new HeaderSearch(file, bufferSize);
        _statistics = statistics;
        _entries = entries;
    }

    /// <summary>Adds a file's buffers with possible events of the range.</summary>
    /// <param name="file">The file.</param>
    /// <param name="number">Its index among the trace's files.</param>
    /// <param name="header">Its log file header.</param>
    /// <param name="clock">Its clock.</param>
    /// <param name="range">The time range.</param>
    /// <param name="statistics">Receives counts of buffers and damages.</param>
    /// <param name="entries">The index.</param>
    public static void Add(
        TraceBytes file,
        int number,
        EtlTraceHeader header,
        TraceClockMap clock,
        TraceRange range,
        EtlStatistics statistics,
        List<BufferEntry> entries
    )
    {
        var bufferSize = header.BufferSize is >= EtlFormat.BufferHeaderSize and <= EtlFormat.MaxBufferSize ? header.BufferSize : 0;
        var index = new BufferIndex(file, (ushort)number, clock, bufferSize, statistics, entries);
        var lastTimes = new FlushTimes(header, clock);
        for (long offset = 0; offset < file.Length;)
            offset = index.AddAt(offset, range, lastTimes);
    }

    /// <summary>Adds the buffer at an offset and returns the next offset.</summary>
    private long AddAt(long offset, TraceRange range, FlushTimes flushes)
    {
        var read = _file.Read(offset, _head);
        if (read < EtlFormat.BufferHeaderSize)
            return Damage(offset, _file.Length, "the file ends inside a buffer's header");
        var header = new BufferHeader(_head);
        if (!header.IsPlausible)
            return SkipUnreadable(offset, read);
        var end = offset + header.Size;
        if (
            !header.IsCompressed
            && _bufferSize > 0
            && header.Size > _bufferSize
            && header.ValidEnd <= _bufferSize
            && _search.IsChain(offset + _bufferSize)
        )
            end = Damage(
                offset,
                offset + _bufferSize,
                "the buffer's size exceeds that of the file's buffers, but the next buffer is where it should be",
                0
            );
        _last = new LastBuffer(offset, header.IsCompressed, _entries.Count);
        _statistics.CountBuffer(header.Type);
        CountFlags(header.Flags);
        if (header.ValidEnd == EtlFormat.BufferHeaderSize)
        {
            _statistics.EmptyBuffers++;
            return end;
        }

        var entry = new BufferEntry
        {
            Offset = offset,
            Sequence = header.Sequence,
            Size = (int)Math.Min(header.Size, _file.Length - offset),
            ValidEnd = (int)header.ValidEnd,
            File = _fileNumber,
            Processor = (ushort)header.Processor,
            IsCompressed = header.IsCompressed,
            IsHeader = offset == 0,
        };
        var inFile = Math.Min(read, entry.Size) - EtlFormat.BufferHeaderSize;
        var found = FirstTime(_head.AsSpan(EtlFormat.BufferHeaderSize, inFile), header, entry, flushes, out entry.FirstTime);
        if (entry.IsHeader)
            entry.FirstTime = long.MinValue;
        else if (found && (entry.FirstTime > EtlTime.Add(range.To, flushes.Slack) || flushes.EndsBefore(header, range.From)))
            _statistics.SkippedBuffers++;
        else if (found)
            _entries.Add(entry);
        else if (EndsAtOnce(header))
            _statistics.EmptyBuffers++;
        else
            Damage(offset, offset + entry.Size, "the buffer's first record cannot be read");
        if (entry.IsHeader)
            _entries.Add(entry);
        return end;
    }

    private void CountFlags(EtlBufferFlags flags)
    {
        if ((flags & EtlBufferFlags.FlushMarker) != 0)
            _statistics.FlushMarkers++;
        if ((flags & EtlBufferFlags.EventsLost) != 0)
            _statistics.BuffersWithLostEvents++;
        if ((flags & EtlBufferFlags.BufferLost) != 0)
            _statistics.BuffersWithLostBuffers++;
        if ((flags & EtlBufferFlags.Compressed) != 0)
            _statistics.CompressedBuffers++;
    }

    /// <summary>Time of the buffer's first record with a time; without any, the time of writing.</summary>
    private bool FirstTime(ReadOnlySpan<byte> bytes, BufferHeader header, in BufferEntry entry, FlushTimes flushes, out long time)
    {
        var record = FirstBytesOf(bytes, header);
        time = _clock.Start;
        if (!IsRecord(record))
            return false;
        if (RecordWalker.TryReadTime(record, out var ticks))
            time = _clock.Convert(ticks);
        else if (!entry.IsHeader)
            time = FirstTimeBehind(entry) ?? flushes.TimeOf(header) ?? _clock.Start;
        return true;
    }

    /// <summary>
    /// Time of the first record with one, if the buffer's first has none: reads the whole buffer. Happens for messages and errors.
    /// </summary>
    private long? FirstTimeBehind(in BufferEntry entry)
    {
        _whole ??= new DecodedBuffer();
        _whole.Decode(entry with { FirstTime = long.MinValue }, _file, _clock, TraceRange.All, false, _scratch, null);
        for (var number = 0; number < _whole.Count; number++)
        {
            if (_whole.Records[number].Time != long.MinValue)
                return _whole.Records[number].Time;
        }

        return null;
    }

    private bool EndsAtOnce(BufferHeader header)
    {
        var record = FirstBytesOf(_head.AsSpan(EtlFormat.BufferHeaderSize), header);
        return record.Length >= 4 && EtlFormat.UInt32(record, 0) == EtlFormat.EndOfEvents;
    }

    private ReadOnlySpan<byte> FirstBytesOf(ReadOnlySpan<byte> bytes, BufferHeader header)
    {
        var wanted = Math.Min(FirstRecord, (int)header.ValidEnd - EtlFormat.BufferHeaderSize);
        if (!header.IsCompressed)
            return bytes[..Math.Min(bytes.Length, wanted)];
        var made = Lz77Decoder.Decode(bytes, _record, wanted, out _);
        if (!IsRecord(_record.AsSpan(0, made)))
        {
            // See BufferDecompression; here, only the start of the buffer is known.
            var other = Lznt1Decoder.Decode(bytes, _record.AsSpan(0, wanted));
            if (!IsRecord(_record.AsSpan(0, other)))
                made = Lz77Decoder.Decode(bytes, _record, wanted, out _);
            else
                made = other;
        }

        return _record.AsSpan(0, made);
    }

    /// <summary>Whether a record begins here, judging by its first bytes.</summary>
    private static bool IsRecord(ReadOnlySpan<byte> bytes) =>
        bytes.Length >= 8
        && EtlFormat.UInt32(bytes, 0) != EtlFormat.EndOfEvents
        && EtlFormat.HeaderSizeOf((EtlHeaderType)bytes[2]) != 0
        && (bytes[3] & EtlFormat.HeaderMarker) != 0;

    /// <summary>Reports damage; by default, all bytes in between are skipped.</summary>
    private long Damage(long from, long to, string reason, long? bytes = null)
    {
        _statistics.Add(new EtlDamage(_file.Name, from, bytes ?? to - from, reason));
        return to;
    }

    /// <summary>Skips data that is not a buffer: space that the session allocated, or damage.</summary>
    private long SkipUnreadable(long offset, int read)
    {
        // A preallocated file ends in zeros; with buffers of one size, the next one has a known position.
        if (_head.AsSpan(0, read).IndexOfAnyExcept((byte)0) < 0)
        {
            var next = _search.SkipZeros(offset);
            if (next >= _file.Length || _bufferSize == 0)
            {
                CountUnwritten(next - offset);
                return next;
            }

            // Zeros at the start of a buffer are not its end, so go back to its start.
            next = offset + (next - offset) / _bufferSize * _bufferSize;
            if (next > offset)
            {
                CountUnwritten(next - offset);
                return next;
            }
        }

        // A compressed buffer with too large a size covers the next ones, so search for them after its start.
        if (_last.IsCompressed && _search.Find(_last.Offset + EtlFormat.BufferHeaderSize, offset) is var swallowed && swallowed < offset)
        {
            var size = (int)(swallowed - _last.Offset);
            if (_last.Entry < _entries.Count)
                CollectionsMarshal.AsSpan(_entries)[_last.Entry].Size = size;
            var start = _last.Offset;
            _last = default;
            return Damage(start, swallowed, "the buffer's size field is too large", 0);
        }

        _last = default;
        return Damage(offset, _search.Find(offset, _file.Length), "no buffer header at this offset");
    }

    private void CountUnwritten(long bytes)
    {
        var buffers = _bufferSize > 0 ? Math.Max(1, bytes / _bufferSize) : 1;
        _statistics.Buffers += buffers;
        _statistics.EmptyBuffers += buffers;
    }

    /// <summary>The last buffer found.</summary>
    /// <param name="Offset">Its offset.</param>
    /// <param name="IsCompressed">Whether it is compressed.</param>
    /// <param name="Entry">Its index entry, if it has one.</param>
    private readonly record struct LastBuffer(long Offset, bool IsCompressed, int Entry);
}

/// <summary>A buffer in the index of all buffers.</summary>
internal struct BufferEntry
{
    /// <summary>Offset in its file.</summary>
    public long Offset;

    /// <summary>Time of its first record, in the trace's ticks, which determines the decoding order.</summary>
    public long FirstTime;

    public long Sequence;

    /// <summary>Bytes in the file, including the header; less than in the header at the end of the file.</summary>
    public int Size;

    /// <summary>Valid bytes after decompression, including the header.</summary>
    public int ValidEnd;

    /// <summary>Order among buffers of equal time: by file, sequence number, and position in the file.</summary>
    public int Order;

    public ushort File;

    public ushort Processor;

    public bool IsCompressed;

    /// <summary>Whether it is the header buffer of its file.</summary>
    public bool IsHeader;
}

/// <summary>A valid record of a decoded buffer.</summary>
internal readonly record struct RecordEntry(long Time, int Offset, ushort Size, ushort PayloadAt);
