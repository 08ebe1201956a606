using System.Buffers.Binary;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>
/// The kernel part of a circular recording: the newest records in memory, and the older records that they need (<see cref="SideBand"/>).
/// Writes a perf.data file that begins at the cut. Adding records allocates nothing once the memory is full.
/// </summary>
internal sealed class CircularPerfData : IPerfRecordSink, ICircularOwner
{
    /// <summary>A new chunk begins at this size; the cut falls between chunks.</summary>
    private const int ChunkBytes = 8192;

    private const int HeaderSize = 8;

    private readonly CircularMemory _memory;
    private readonly CircularLog _log;
    private readonly IReadOnlyList<PerfEvent> _events;
    private readonly PerfDataFeatures _features;
    private readonly byte[] _tracingData;
    private readonly SideBand _sideBand = new();

    /// <summary>Receives the records drained from a ring.</summary>
    private readonly byte[] _buffer;

    private readonly byte[] _round = new byte[HeaderSize];
    private long _dataBytes;
    private PerfDroppedRecords _dropped;

    /// <summary>Creates the part.</summary>
    /// <param name="memory">Memory of the recording.</param>
    /// <param name="events">Events with their ids.</param>
    /// <param name="features">Features of the file that describe machine and recording.</param>
    /// <param name="tracingData">Description of the tracepoints.</param>
    /// <param name="bufferBytes">Maximum size that <see cref="GetBuffer"/> returns.</param>
    public CircularPerfData(
        CircularMemory memory,
        IReadOnlyList<PerfEvent> events,
        PerfDataFeatures features,
        ReadOnlySpan<byte> tracingData,
        int bufferBytes
    )
    {
        _memory = memory;
        _events = events;
        _features = features;
        _tracingData = tracingData.ToArray();
        _log = memory.AddLog(this, timed: true, contiguous: true);
        _buffer = GC.AllocateUninitializedArray<byte>(Math.Max(bufferBytes, ushort.MaxValue), pinned: true);
        BinaryPrimitives.WriteInt32LittleEndian(_round, (int)PerfRecordType.FinishedRound);
        BinaryPrimitives.WriteUInt16LittleEndian(_round.AsSpan(6), HeaderSize);
    }

    /// <inheritdoc />
    public long FirstTime { get; set; }

    /// <inheritdoc />
    public long LastTime { get; set; }

    /// <inheritdoc />
    public long DataBytes => Volatile.Read(ref _dataBytes);

    /// <inheritdoc />
    public PerfDroppedRecords Dropped
    {
        get
        {
            lock (_memory.Gate)
                return _dropped;
        }
    }

    /// <inheritdoc />
    public BuildIdSection BuildIds { get; } = new();

    /// <summary>Bytes of dropped records.</summary>
    public long DroppedBytes => _log.DroppedBytes;

    /// <inheritdoc />
    public bool IsDirty => false;

    /// <inheritdoc />
    public Span<byte> GetBuffer(int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, _buffer.Length);
        return _buffer.AsSpan(0, bytes);
    }

    /// <inheritdoc />
    public void Advance(int bytes) => Add(_buffer.AsSpan(0, bytes));

    /// <inheritdoc />
    public void Write(ReadOnlySpan<byte> record) => Add(record);

    /// <inheritdoc />
    public void WriteFinishedRound() => Add(_round);

    /// <inheritdoc />
    public void Flush() { }

    /// <summary>Writes the kept records as a perf.data file. The caller holds the memory's lock.</summary>
    /// <param name="path">Path; must not exist.</param>
    /// <returns>Bytes of records written.</returns>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public long WriteTo(string path)
    {
        using var writer = new PerfDataWriter(path, _events, _features, _tracingData, 1 << 20);
        writer.FirstTime = Math.Max(FirstTime, _memory.CutTime);
        writer.LastTime = LastTime;
        writer.BuildIds.AddAll(BuildIds);
        if (_log.DroppedBytes > 0)
            _sideBand.WriteTo(writer);
        var reader = _log.Read();
        while (reader.TryNext(out _))
        {
            while (reader.TryReadPiece(out var records))
                writer.Write(records);
        }

        writer.Flush();
        return writer.DataBytes;
    }

    /// <inheritdoc />
    public void OnDropping(CircularLog log, in CircularChunk chunk) => Drop(log.HeadContent);

    /// <summary>The records stay in memory until the recording has ended.</summary>
    public void Dispose() { }

    private void Add(ReadOnlySpan<byte> records)
    {
        lock (_memory.Gate)
        {
            Volatile.Write(ref _dataBytes, _dataBytes + records.Length);
            while (!records.IsEmpty)
            {
                // The sizes were checked when the records were counted; a chunk has at least one record.
                var length = 0;
                var newest = long.MinValue;
                while (length < records.Length)
                {
                    var record = RecordAt(records[length..], out var type);
                    if (length > 0 && length + record.Length > ChunkBytes)
                        break;
                    length += record.Length;

                    // A record without a time (a round mark) counts as new as the one before it.
                    newest = Math.Max(newest, type >= PerfRecordType.HeaderAttribute ? LastTime : RecordCounter.TimeOf(type, record));
                }

                if (!_log.TryAppend(0, newest, records[..length]))
                    Drop(records[..length]);
                records = records[length..];
            }
        }
    }

    private void Drop(ReadOnlySpan<byte> records)
    {
        while (!records.IsEmpty)
        {
            var record = RecordAt(records, out var type);
            _dropped = type switch
            {
                PerfRecordType.Sample => _dropped with { Samples = _dropped.Samples + 1 },
                PerfRecordType.Switch or PerfRecordType.SwitchCpuWide => _dropped with { Switches = _dropped.Switches + 1 },
                PerfRecordType.Lost when record.Length >= 24 => _dropped with
                {
                    Others = _dropped.Others + 1,
                    Lost = _dropped.Lost + BinaryPrimitives.ReadInt64LittleEndian(record[16..]),
                },
                PerfRecordType.FinishedRound => _dropped,
                _ => _dropped with { Others = _dropped.Others + 1 },
            };
            _sideBand.Add(type, record);
            records = records[record.Length..];
        }
    }

    private static ReadOnlySpan<byte> RecordAt(ReadOnlySpan<byte> records, out PerfRecordType type)
    {
        type = (PerfRecordType)BinaryPrimitives.ReadInt32LittleEndian(records);
        return records[..BinaryPrimitives.ReadUInt16LittleEndian(records[6..])];
    }
}
