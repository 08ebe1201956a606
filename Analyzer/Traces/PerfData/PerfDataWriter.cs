using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.ThisMachine;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// Writes a perf.data file that <c>perf report</c> and <c>perf script</c> open. Records go through one buffer; every flush leaves a complete file, so
/// that a recorder which is killed loses no more than its buffer. Not for several threads at once.
/// </summary>
/// <remarks>
/// Order in the file: header, ids, attributes, features that are known from the start, data, table of features, first and last time, build ids. The table has to
/// follow the data, so each flush overwrites it: the feature bits are cleared, data and table written, then size and bits set. A process killed between
/// these three calls leaves a file without features; its records can be read all the same.
/// </remarks>
public sealed class PerfDataWriter : IPerfRecordSink
{
    private readonly FileStream _stream;
    private readonly SafeFileHandle _file;

    /// <summary>Data that is not in the file yet, and room for the table of features behind it.</summary>
    private readonly byte[] _buffer;

    /// <summary>Bytes of the buffer that data may take.</summary>
    private readonly int _capacity;

    /// <summary>Feature bits of a complete file.</summary>
    private readonly byte[] _featureBits = new byte[PerfDataFormat.FeatureBytes];

    /// <summary>Table of features; the place of the entry for first and last time moves with the data.</summary>
    private readonly byte[] _table;

    /// <summary>Places of the entries for first and last time, and for build ids, in the table.</summary>
    private readonly int _timeEntry;
    private readonly int _buildIdEntry;

    private readonly long _dataOffset;
    /// <summary>What the feature bits read while the table is being overwritten.</summary>
    private readonly byte[] _noBits = new byte[PerfDataFormat.FeatureBytes];
    private int _filled;
    private long _dataBytes;
    private bool _broken;

    /// <summary>Creates the file and writes all that precedes the data.</summary>
    /// <param name="path">Path; must not exist.</param>
    /// <param name="events">Events with their ids.</param>
    /// <param name="features">What to say of machine and recording; the times come from <see cref="FirstTime"/> and <see cref="LastTime"/>.</param>
    /// <param name="tracingData">Description of the tracepoints, empty without tracepoints. perf opens no file with tracepoints that lacks it.</param>
    /// <param name="bufferBytes">Size of the buffer; the largest part that <see cref="GetBuffer"/> can give.</param>
    /// <exception cref="IOException">The file exists, or cannot be written.</exception>
    public PerfDataWriter(string path, IReadOnlyList<PerfEvent> events, PerfDataFeatures features, ReadOnlySpan<byte> tracingData, int bufferBytes)
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
        BinaryPrimitives.WriteInt64LittleEndian(header[(PerfDataFormat.AttributesAt + 8)..], events.Count * (PerfEventSettings.Size + PerfDataFormat.SectionSize));
        BinaryPrimitives.WriteInt64LittleEndian(header[PerfDataFormat.DataAt..], _dataOffset);

        _capacity = Math.Max(bufferBytes, ushort.MaxValue);
        _buffer = GC.AllocateUninitializedArray<byte>(_capacity + _table.Length + 16, pinned: true);
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.ReadWrite, Share = FileShare.Read, BufferSize = 0 };

        // Samples carry raw bytes of stacks, which hold whatever the program computes with.
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

    /// <summary>Bytes of records, those in the buffer included.</summary>
    public long DataBytes => Volatile.Read(ref _dataBytes);

    /// <summary>Whether something is in the buffer and not in the file.</summary>
    public bool IsDirty => _filled > 0;

    /// <summary>Room for records, flushing before if there is not enough; <see cref="Advance"/> says how much was used.</summary>
    /// <exception cref="ArgumentOutOfRangeException">More than the buffer's size.</exception>
    /// <exception cref="IOException">The disk is full.</exception>
    public Span<byte> GetBuffer(int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, _capacity);
        if (bytes > _capacity - _filled)
            Flush();
        return _buffer.AsSpan(_filled, bytes);
    }

    /// <summary>Adds whole records that were put into the room given last.</summary>
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

    /// <summary>Marks that all rings were read once (PERF_RECORD_FINISHED_ROUND).</summary>
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
    /// <exception cref="IOException">The disk is full. What the last flush wrote stays readable; nothing more is written.</exception>
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
            // Drop what did not fit: the file keeps the records of the last flush.
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

    /// <summary>Data size and feature bits: bytes 48–55 and 72–103 of the header, with the unused section of event types between them.</summary>
    private void WriteSizeAndBits(long size)
    {
        Span<byte> part = stackalloc byte[PerfDataFormat.HeaderSize - PerfDataFormat.DataAt - 8];
        part.Clear();
        BinaryPrimitives.WriteInt64LittleEndian(part, size);
        _featureBits.CopyTo(part[(PerfDataFormat.FeaturesAt - PerfDataFormat.DataAt - 8)..]);
        RandomAccess.Write(_file, part, PerfDataFormat.DataAt + 8);
    }

    /// <summary>Ids of all events, then an entry for each event; returns where the entries begin.</summary>
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
