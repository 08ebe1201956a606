using EtwSerializerProfiler.Etl.Compression;

namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>A buffer's bytes and where its records are; reused for one buffer after the other.</summary>
internal sealed class DecodedBuffer
{
    /// <summary>Bytes as they are in the file.</summary>
    private byte[] _raw = [];

    private byte[] _decompressed = [];

    private RecordEntry[] _records = [];

    /// <summary>The buffer's bytes behind its header.</summary>
    public byte[] Data { get; private set; } = [];

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
    public long Bytes => _raw.Length + _decompressed.Length + 16L * _records.Length;

    /// <summary>Reads a buffer, decompresses it and finds its records, in order of time. Never throws for what the file holds.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public void Decode(in BufferEntry entry, TraceBytes file, TraceClockMap clock, TraceRange range, bool sessionRecords, EtlStatistics statistics)
    {
        File = entry.File;
        Processor = entry.Processor;
        Order = entry.Order;
        Count = Position = SessionRecords = 0;
        var wanted = entry.IsCompressed ? entry.Size : Math.Min(entry.Size, entry.ValidEnd);
        wanted -= EtlFormat.BufferHeaderSize;
        Grow(ref _raw, wanted);
        var read = file.Read(entry.Offset + EtlFormat.BufferHeaderSize, _raw.AsSpan(0, wanted));
        var valid = entry.ValidEnd - EtlFormat.BufferHeaderSize;
        string? error = null;
        int length;
        if (entry.IsCompressed)
        {
            Grow(ref _decompressed, valid + Lz77Decoder.Slack);
            length = Lz77Decoder.Decode(_raw.AsSpan(0, read), _decompressed, valid, out error);
            Data = _decompressed;
            if (error is not null)
                error = $"compressed data is damaged: {error}";
            else if (length < valid)
                error = "compressed data ends early";
        }
        else
        {
            length = read;
            Data = _raw;
            if (length < valid)
                error = "the file ends inside the buffer";
        }

        var walked = Walk(length, clock, range, entry.IsHeader, sessionRecords, out var recordError);
        if ((recordError ?? error) is { } reason)
            statistics.Add(new EtlDamage(file.Name, entry.Offset, valid - walked, reason));
    }

    /// <summary>Frees what an unusually large buffer took.</summary>
    public void Trim(int limit)
    {
        if (_raw.Length > limit)
            _raw = [];
        if (_decompressed.Length > limit)
            _decompressed = [];
        if (_records.Length > limit / 16)
            _records = [];
        Data = [];
    }

    private static void Grow(ref byte[] bytes, int length)
    {
        if (bytes.Length < length)
            bytes = GC.AllocateUninitializedArray<byte>((int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)length));
    }

    /// <summary>Returns how far records were found.</summary>
    private int Walk(int length, TraceClockMap clock, TraceRange range, bool isHeader, bool sessionRecords, out string? error)
    {
        error = null;
        var data = Data.AsSpan(0, length);
        var at = 0;
        var count = 0;
        var previous = clock.Start;
        var largest = long.MinValue;
        var sorted = true;
        while (at < length)
        {
            var rest = data[at..];
            if (rest.Length < 4 || EtlFormat.UInt32(rest, 0) == EtlFormat.EndOfEvents)
                break;
            var size = RecordWalker.Measure(rest, out var payloadAt, out error);
            if (size == 0)
                break;
            var record = rest[..size];
            var offset = at;
            at += (size + 7) & ~7;
            if (RecordWalker.TryReadTime(record, out var time))
                previous = time = clock.Convert(time);
            else
                time = previous;
            if (isHeader)
            {
                // The header's records come before everything else: see EtlReader.
                time = long.MinValue;
            }
            else if (!range.Contains(time))
            {
                continue;
            }

            if (!sessionRecords && isHeader && EtlFormat.IsKernel((EtlHeaderType)record[2]) && record[7] == EtlKernelGroups.EventTrace
                && record[6] == EtlFormat.PartitionInformation)
            {
                SessionRecords++;
                continue;
            }

            if (count == _records.Length)
                Array.Resize(ref _records, Math.Max(1024, 2 * count));
            sorted &= time >= largest;
            largest = Math.Max(largest, time);
            _records[count++] = new RecordEntry(time, offset, (ushort)size, (ushort)payloadAt);
        }

        if (!sorted)
        {
            _records.AsSpan(0, count).Sort(static (left, right) =>
                left.Time != right.Time ? left.Time.CompareTo(right.Time) : left.Offset.CompareTo(right.Offset));
        }

        Count = count;
        return Math.Min(at, length);
    }
}
