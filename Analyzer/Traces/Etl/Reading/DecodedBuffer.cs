using EtwSerializerProfiler.Etl.Compression;

namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>A buffer's bytes with the positions of its records; reused for one buffer after another.</summary>
internal sealed class DecodedBuffer
{
    /// <summary>Buffers of sessions are rarely larger than 1 MB.</summary>
    private const int LargeBuffer = 1 << 20;

    private byte[] _data = [];

    private RecordEntry[] _records = [];

    /// <summary>The buffer's bytes after its header, decompressed.</summary>
    public byte[] Data => _data;

    public RecordEntry[] Records => _records;

    /// <summary>Number of records.</summary>
    public int Count { get; private set; }

    /// <summary>Index of the next record to deliver.</summary>
    public int Position { get; set; }

    public int File { get; private set; }

    /// <summary>Offset in its file.</summary>
    public long Offset { get; private set; }

    public int Processor { get; private set; }

    /// <summary>Order among buffers of equal time.</summary>
    public int Order { get; private set; }

    /// <summary>Time of the next record.</summary>
    public long NextTime => _records[Position].Time;

    /// <summary>Number of session-internal records that were skipped.</summary>
    public int SessionRecords { get; private set; }

    /// <summary>Memory in bytes.</summary>
    public long Bytes => _data.Length + 16L * _records.Length;

    /// <summary>Maximum memory of a buffer: its bytes, plus 16 bytes for each record of at least 8 bytes.</summary>
    public static long BytesOf(in BufferEntry entry) => (entry.IsCompressed ? entry.Size : 0) + 3L * entry.ValidEnd;

    /// <summary>Reads a buffer, decompresses it and finds its records, in time order. Never throws for damaged content.</summary>
    /// <param name="entry">The buffer.</param>
    /// <param name="file">Its file.</param>
    /// <param name="clock">The file's clock.</param>
    /// <param name="range">The time range.</param>
    /// <param name="sessionRecords">Whether to include session-internal records.</param>
    /// <param name="scratch">Memory of the calling thread.</param>
    /// <param name="statistics">Receives damage reports; null for none.</param>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public void Decode(
        in BufferEntry entry,
        TraceBytes file,
        TraceClockMap clock,
        TraceRange range,
        bool sessionRecords,
        DecodeScratch scratch,
        EtlStatistics? statistics
    )
    {
        File = entry.File;
        Offset = entry.Offset;
        Processor = entry.Processor;
        Order = entry.Order;
        Count = Position = SessionRecords = 0;
        var wanted = entry.IsCompressed ? entry.Size : Math.Min(entry.Size, entry.ValidEnd);
        wanted -= EtlFormat.BufferHeaderSize;
        var valid = entry.ValidEnd - EtlFormat.BufferHeaderSize;
        string? error = null;
        int length;
        if (entry.IsCompressed)
        {
            var compressed = scratch.Compressed(wanted);
            compressed = compressed[..file.Read(entry.Offset + EtlFormat.BufferHeaderSize, compressed)];
            length = Decompress(compressed, valid, scratch, out error);
            if (error is not null)
                error = $"compressed data is damaged: {error}";
            else if (length < valid)
                error = "compressed data ends early";
        }
        else
        {
            Grow(ref _data, wanted);
            length = file.Read(entry.Offset + EtlFormat.BufferHeaderSize, _data.AsSpan(0, wanted));
            if (length < valid)
                error = "the file ends inside the buffer";
        }

        var walked = Walk(length, clock, range, entry, sessionRecords, out var recordError);
        if ((recordError ?? error) is { } reason)
            statistics?.Add(new EtlDamage(file.Name, entry.Offset, valid - walked, reason));
    }

    /// <summary>Returns the number of bytes decompressed.</summary>
    private int Decompress(ReadOnlySpan<byte> compressed, int valid, DecodeScratch scratch, out string? error)
    {
        if (valid <= LargeBuffer)
        {
            Grow(ref _data, valid + Lz77Decoder.Slack);
            return BufferDecompression.Decode(compressed, _data, valid, out error);
        }

        // A damaged header may claim far more than exists, so only existing data gets memory.
        var room = scratch.Decompressed(valid + Lz77Decoder.Slack);
        var length = BufferDecompression.Decode(compressed, room, valid, out error);
        Grow(ref _data, length);
        room[..length].CopyTo(_data);
        return length;
    }

    private static void Grow(ref byte[] bytes, int length)
    {
        if (bytes.Length < length)
            bytes = GC.AllocateUninitializedArray<byte>((length + 0xFFF) & ~0xFFF);
    }

    /// <summary>Returns the end of the records found.</summary>
    private int Walk(int length, TraceClockMap clock, TraceRange range, in BufferEntry entry, bool sessionRecords, out string? error)
    {
        error = null;
        ReadOnlySpan<byte> data = _data.AsSpan(0, length);
        var records = _records;
        var at = 0;
        var count = 0;
        var previous = entry.FirstTime; // for records without a time
        var maxTime = long.MinValue;
        var sorted = true;
        while (data.Length - at >= 4)
        {
            var rest = data[at..];
            if (EtlFormat.UInt32(rest, 0) == EtlFormat.EndOfEvents)
                break;
            var size = RecordWalker.Measure(rest, out var payloadAt, out error);
            if (size == 0)
                break;
            var offset = at;
            at += (size + 7) & ~7;
            if (RecordWalker.TryReadTime(rest[..size], out var time))
                previous = time = clock.Convert(time);
            else
                time = previous;
            if (entry.IsHeader)
            {
                if (!sessionRecords && IsSessionRecord(rest))
                {
                    SessionRecords++;
                    continue;
                }

                // The header's records come before everything else; see EtlReader.
                time = long.MinValue;
            }
            else if (!range.Contains(time))
            {
                continue;
            }

            if (count == records.Length)
            {
                Array.Resize(ref _records, Math.Max(1024, 2 * count));
                records = _records;
            }

            sorted &= time >= maxTime;
            maxTime = time;
            records[count++] = new RecordEntry(time, offset, (ushort)size, (ushort)payloadAt);
        }

        if (!sorted)
        {
            records
                .AsSpan(0, count)
                .Sort(
                    static (left, right) => left.Time != right.Time ? left.Time.CompareTo(right.Time) : left.Offset.CompareTo(right.Offset)
                );
        }

        Count = count;
        return Math.Min(at, length);
    }

    private static bool IsSessionRecord(ReadOnlySpan<byte> record) =>
        EtlFormat.IsKernel((EtlHeaderType)record[2])
        && record[7] == EtlKernelGroups.EventTrace
        && record[6] == EtlFormat.PartitionInformation;
}

/// <summary>Memory that a decoding thread reuses for each buffer.</summary>
internal sealed class DecodeScratch
{
    private byte[] _compressed = [];
    private byte[] _decompressed = [];

    /// <summary>Space for a buffer as in the file.</summary>
    public Span<byte> Compressed(int length) => Room(ref _compressed, length);

    /// <summary>Space for a large buffer's decompressed bytes.</summary>
    public Span<byte> Decompressed(int length) => Room(ref _decompressed, length);

    private static Span<byte> Room(ref byte[] bytes, int length)
    {
        if (bytes.Length < length)
            bytes = GC.AllocateUninitializedArray<byte>((length + 0xFFFF) & ~0xFFFF);
        return bytes.AsSpan(0, length);
    }
}
