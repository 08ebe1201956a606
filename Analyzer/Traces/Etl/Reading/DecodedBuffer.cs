using EtwSerializerProfiler.Etl.Compression;

namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>A buffer's bytes and where its records are; reused for one buffer after the other.</summary>
internal sealed class DecodedBuffer
{
    /// <summary>Buffers of sessions are rarely larger than 1 MB.</summary>
    private const int LargeBuffer = 1 << 20;

    private byte[] _data = [];

    private RecordEntry[] _records = [];

    /// <summary>The buffer's bytes behind its header, decompressed.</summary>
    public byte[] Data => _data;

    public RecordEntry[] Records => _records;

    /// <summary>Records in it.</summary>
    public int Count { get; private set; }

    /// <summary>Next record to give out.</summary>
    public int Position { get; set; }

    public int File { get; private set; }

    public int Processor { get; private set; }

    /// <summary>Breaks ties of time between buffers.</summary>
    public int Order { get; private set; }

    /// <summary>Time of the next record.</summary>
    public long NextTime => _records[Position].Time;

    /// <summary>Records left out because the session wrote them for itself.</summary>
    public int SessionRecords { get; private set; }

    /// <summary>Memory it holds.</summary>
    public long Bytes => _data.Length + 16L * _records.Length;

    /// <summary>Most memory that a buffer can need: its bytes, and 16 bytes for each of its records, which have at least 8.</summary>
    public static long BytesOf(in BufferEntry entry) => (entry.IsCompressed ? entry.Size : 0) + 3L * entry.ValidEnd;

    /// <summary>Reads a buffer, decompresses it and finds its records, in order of time. Never throws for what the file holds.</summary>
    /// <param name="entry">The buffer.</param>
    /// <param name="file">Its file.</param>
    /// <param name="clock">The file's clock.</param>
    /// <param name="range">Wanted times.</param>
    /// <param name="sessionRecords">Whether records of the session's own are wanted.</param>
    /// <param name="scratch">Memory of the calling thread.</param>
    /// <param name="statistics">Where damage is reported; null where it was not asked for.</param>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public void Decode(in BufferEntry entry, TraceBytes file, TraceClockMap clock, TraceRange range, bool sessionRecords, DecodeScratch scratch, EtlStatistics? statistics)
    {
        File = entry.File;
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

    /// <summary>Returns the bytes made.</summary>
    private int Decompress(ReadOnlySpan<byte> compressed, int valid, DecodeScratch scratch, out string? error)
    {
        if (valid <= LargeBuffer)
        {
            Grow(ref _data, valid + Lz77Decoder.Slack);
            return BufferDecompression.Decode(compressed, _data, valid, out error);
        }

        // A damaged header may claim much more than there is: only what there is takes memory of its own.
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

    /// <summary>Returns how far records were found.</summary>
    private int Walk(int length, TraceClockMap clock, TraceRange range, in BufferEntry entry, bool sessionRecords, out string? error)
    {
        error = null;
        ReadOnlySpan<byte> data = _data.AsSpan(0, length);
        var records = _records;
        var at = 0;
        var count = 0;
        var previous = entry.FirstTime; // for records without a time
        var largest = long.MinValue;
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

                // The header's records come before everything else: see EtlReader.
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

            sorted &= time >= largest;
            largest = time;
            records[count++] = new RecordEntry(time, offset, (ushort)size, (ushort)payloadAt);
        }

        if (!sorted)
        {
            records.AsSpan(0, count).Sort(static (left, right) =>
                left.Time != right.Time ? left.Time.CompareTo(right.Time) : left.Offset.CompareTo(right.Offset));
        }

        Count = count;
        return Math.Min(at, length);
    }

    private static bool IsSessionRecord(ReadOnlySpan<byte> record) =>
        EtlFormat.IsKernel((EtlHeaderType)record[2]) && record[7] == EtlKernelGroups.EventTrace && record[6] == EtlFormat.PartitionInformation;
}

/// <summary>Memory that a decoding thread keeps from buffer to buffer.</summary>
internal sealed class DecodeScratch
{
    private byte[] _compressed = [];
    private byte[] _decompressed = [];

    /// <summary>Room for a buffer as it is in the file.</summary>
    public Span<byte> Compressed(int length) => Room(ref _compressed, length);

    /// <summary>Room for a large buffer's decompressed bytes.</summary>
    public Span<byte> Decompressed(int length) => Room(ref _decompressed, length);

    private static Span<byte> Room(ref byte[] bytes, int length)
    {
        if (bytes.Length < length)
            bytes = GC.AllocateUninitializedArray<byte>((length + 0xFFFF) & ~0xFFFF);
        return bytes.AsSpan(0, length);
    }
}
