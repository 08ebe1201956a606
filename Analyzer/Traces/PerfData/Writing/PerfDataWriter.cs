using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.ThisMachine;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Traces.PerfData.Writing;

/// <summary>
/// Writes a perf.data file that <c>perf report</c> and <c>perf script</c> open. Records go through one buffer; every flush leaves a
/// complete file, so a killed recorder loses at most its buffer. Not thread-safe.
/// </summary>
/// <remarks>
/// Order in the file: header, ids, attributes, features known from the start, data, table of features, first and last time, build ids. The
/// table must follow the data, so each flush overwrites it: it clears the feature bits, writes data and table, then sets size and bits. A
/// process killed between these three calls leaves a file without features, whose records are still readable.
/// </remarks>
public sealed class PerfDataWriter : IPerfRecordSink
{
    private readonly FileStream _stream;
    private readonly SafeFileHandle _file;

    /// <summary>Data not yet in the file, followed by space for the table of features.</summary>
    private readonly byte[] _buffer;

    /// <summary>Maximum number of data bytes in the buffer.</summary>
    private readonly int _capacity;

    /// <summary>Feature bits of a complete file.</summary>
    private readonly byte[] _featureBits = new byte[PerfDataFormat.FeatureBytes];

    /// <summary>Table of features; the position of the entry for first and last time moves with the data.</summary>
    private readonly byte[] _table;

    /// <summary>Offsets of the table's entries for first and last time, and for build ids.</summary>
    private readonly int _timeEntry;
    private readonly int _buildIdEntry;

    private readonly long _dataOffset;

    /// <summary>The feature bits while the table is being overwritten.</summary>
    private readonly byte[] _noBits = new byte[PerfDataFormat.FeatureBytes];
    private int _filled;
    private long _dataBytes;
    private bool _broken;

    /// <summary>Creates the file and writes everything before the data.</summary>
    /// <param name="path">Path; must not exist.</param>
    /// <param name="events">Events with their ids.</param>
    /// <param name="features">
    /// Data on machine and recording; the times come from <see cref="FirstTime"/> and <see cref="LastTime"/>.
    /// </param>
    /// <param name="tracingData">
    /// Description of the tracepoints; empty without tracepoints. perf refuses files with tracepoints that lack it.
    /// </param>
    /// <param name="bufferBytes">Size of the buffer, and maximum of <see cref="GetBuffer"/>.</param>
    /// <exception cref="IOException">The file exists, or cannot be written.</exception>
    public PerfDataWriter(
        string path,
        IReadOnlyList<PerfEvent> events,
        PerfDataFeatures features,
        ReadOnlySpan<byte> tracingData,
        int bufferBytes
    )
    {
        ArgumentNullException.ThrowIfNull(events);
        ArgumentNullException.ThrowIfNull(features);
        var written = FeatureWriter.Write(features, events, tracingData);
        written[PerfDataFormat.SampleTime] = [];
        written[PerfDataFormat.BuildId] = [];
        _table = new byte[written.Count * PerfDataFormat.SectionSize];
        using var head = new MemoryStream();
        head.Write(new byte[PerfDataFormat.HeaderSize]);
        var attributes = WriteAttributes(head, events);
        var entry = 0;
        foreach (var (feature, bytes) in written)
        {
            _featureBits[feature / 8] |= (byte)(1 << (feature % 8));
            if (feature == PerfDataFormat.SampleTime)
                _timeEntry = entry;
            else if (feature == PerfDataFormat.BuildId)
                _buildIdEntry = entry;
            BinaryPrimitives.WriteInt64LittleEndian(_table.AsSpan(entry), head.Position);
            BinaryPrimitives.WriteInt64LittleEndian(_table.AsSpan(entry + 8), bytes.Length);
            entry += PerfDataFormat.SectionSize;
            head.Write(bytes);
        }

        head.Write(new byte[(8 - head.Length % 8) % 8]);
        _dataOffset = head.Length;
        var header = head.GetBuffer().AsSpan(0, (int)head.Length);
        PerfDataFormat.Magic.CopyTo(header);
        BinaryPrimitives.WriteInt64LittleEndian(header[8..], PerfDataFormat.HeaderSize);
        BinaryPrimitives.WriteInt64LittleEndian(header[16..], PerfEventSettings.Size + PerfDataFormat.SectionSize);
        BinaryPrimitives.WriteInt64LittleEndian(header[PerfDataFormat.AttributesAt..], attributes);
        BinaryPrimitives.WriteInt64LittleEndian(
            header[(PerfDataFormat.AttributesAt + 8)..],
            events.Count * (PerfEventSettings.Size + PerfDataFormat.SectionSize)
        );
        BinaryPrimitives.WriteInt64LittleEndian(header[PerfDataFormat.DataAt..], _dataOffset);

        _capacity = Math.Max(bufferBytes, ushort.MaxValue);
        _buffer = GC.AllocateUninitializedArray<byte>(_capacity + _table.Length + 16, pinned: true);
        var options = new FileStreamOptions
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.ReadWrite,
            Share = FileShare.Read,
            BufferSize = 0,
        };

        // Samples contain raw stack bytes, which may hold any data of the program.
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        _stream = new FileStream(path, options);
        _file = _stream.SafeFileHandle;
        try
        {
            RandomAccess.Write(_file, header, 0);
            Flush();
        }
        catch
        {
            _stream.Dispose();
            throw;
        }
    }

    /// <summary>Time of the first record in ns, for the header.</summary>
    public long FirstTime { get; set; }

    /// <summary>Time of the last record in ns, for the header.</summary>
    public long LastTime { get; set; }

    /// <summary>Build ids of mapped files, for the header.</summary>
    public BuildIdSection BuildIds { get; } = new();

    /// <summary>Bytes of records, including those in the buffer.</summary>
    public long DataBytes => Volatile.Read(ref _dataBytes);

    /// <summary>Whether the buffer has data that is not in the file.</summary>
    public bool IsDirty => _filled > 0;

    /// <summary>Returns a span for records, flushing first if necessary; <see cref="Advance"/> receives the used part.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The size exceeds the buffer.</exception>
    /// <exception cref="IOException">The disk is full.</exception>
    public Span<byte> GetBuffer(int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, _capacity);
        if (bytes > _capacity - _filled)
            Flush();
        return _buffer.AsSpan(_filled, bytes);
    }

    /// <summary>Adds complete records written to the last span.</summary>
    public void Advance(int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, _capacity - _filled);
        _filled += bytes;
        Volatile.Write(ref _dataBytes, _dataBytes + bytes);
    }

    /// <summary>Adds a record.</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    public void Write(ReadOnlySpan<byte> record)
    {
        record.CopyTo(GetBuffer(record.Length));
        Advance(record.Length);
    }

    /// <summary>Writes the mark that all rings were read once (PERF_RECORD_FINISHED_ROUND).</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    public void WriteFinishedRound()
    {
        var record = GetBuffer(SampleLayout.HeaderSize);
        BinaryPrimitives.WriteInt32LittleEndian(record, (int)PerfRecordType.FinishedRound);
        BinaryPrimitives.WriteUInt16LittleEndian(record[4..], 0);
        BinaryPrimitives.WriteUInt16LittleEndian(record[6..], SampleLayout.HeaderSize);
        Advance(SampleLayout.HeaderSize);
    }

    /// <summary>Writes the buffer to the file and completes the file's header.</summary>
    /// <exception cref="IOException">The disk is full. The data of the last flush stays readable; nothing more is written.</exception>
    public void Flush()
    {
        if (_broken)
        {
            Volatile.Write(ref _dataBytes, _dataBytes - _filled);
            _filled = 0;
            return;
        }

        var written = _dataBytes - _filled;
        try
        {
            RandomAccess.Write(_file, _noBits, PerfDataFormat.FeaturesAt);
            var end = _dataOffset + _dataBytes;
            BinaryPrimitives.WriteInt64LittleEndian(_table.AsSpan(_timeEntry), end + _table.Length);
            BinaryPrimitives.WriteInt64LittleEndian(_table.AsSpan(_timeEntry + 8), 16);
            var tail = _buffer.AsSpan(_filled);
            _table.CopyTo(tail);
            BinaryPrimitives.WriteInt64LittleEndian(tail[_table.Length..], FirstTime);
            BinaryPrimitives.WriteInt64LittleEndian(tail[(_table.Length + 8)..], LastTime);
            var buildIds = BuildIds.Bytes.Span;
            BinaryPrimitives.WriteInt64LittleEndian(tail[_buildIdEntry..], end + _table.Length + 16);
            BinaryPrimitives.WriteInt64LittleEndian(tail[(_buildIdEntry + 8)..], buildIds.Length);
            RandomAccess.Write(_file, _buffer.AsSpan(0, _filled + _table.Length + 16), _dataOffset + written);
            if (buildIds.Length > 0)
                RandomAccess.Write(_file, buildIds, end + _table.Length + 16);
            WriteSizeAndBits(_dataBytes);
            _filled = 0;
        }
        catch (Exception exception) when (WriteFailure.Is(exception))
        {
            // Drops what did not fit: the file keeps the records of the last flush.
            _broken = true;
            Volatile.Write(ref _dataBytes, written);
            _filled = 0;
            throw exception as IOException ?? new IOException(exception.Message, exception);
        }
    }

    /// <summary>Flushes and closes the file.</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    public void Dispose()
    {
        if (_file.IsClosed)
            return;
        try
        {
            if (_filled > 0)
                Flush();
        }
        finally
        {
            _stream.Dispose();
        }
    }

    /// <summary>
    /// Data size and feature bits: bytes 48–55 and 72–103 of the header, with the unused section of event types between them.
    /// </summary>
    private void WriteSizeAndBits(long size)
    {
        Span<byte> part = stackalloc byte[PerfDataFormat.HeaderSize - PerfDataFormat.DataAt - 8];
        part.Clear();
        BinaryPrimitives.WriteInt64LittleEndian(part, size);
        _featureBits.CopyTo(part[(PerfDataFormat.FeaturesAt - PerfDataFormat.DataAt - 8)..]);
        RandomAccess.Write(_file, part, PerfDataFormat.DataAt + 8);
    }

    /// <summary>Writes ids of all events, then an entry for each event; returns the offset of the entries.</summary>
    private static long WriteAttributes(MemoryStream head, IReadOnlyList<PerfEvent> events)
    {
        var places = new List<long>();
        foreach (var perfEvent in events)
        {
            places.Add(head.Position);
            head.Write(FeatureWriter.Longs([.. perfEvent.Ids.Select(id => (long)id)]));
        }

        var attributes = head.Position;
        var settings = new byte[PerfEventSettings.Size];
        for (var index = 0; index < events.Count; index++)
        {
            events[index].Settings.Write(settings);
            head.Write(settings);
            head.Write(FeatureWriter.Longs(places[index], 8L * events[index].Ids.Count));
        }

        return attributes;
    }
}
