using System.Buffers.Binary;
using EtwSerializerProfiler.Etl.Compression;
using EtwSerializerProfiler.Etl.Writing;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Etl;

/// <summary>
/// Writes an .etl file: buffers of each processor as they fill, and a log file header that is completed on disposal. Records of one
/// processor must come in time order, as in a session; readers sort events inside a buffer. Not thread-safe.
/// </summary>
public sealed class EtlWriter : IDisposable
{
    /// <summary>Maximum processor number of a file.</summary>
    public const int MaxProcessor = EtlFormat.ProcessorIndexMask;

    private const int MinBufferSize = 4 << 10;

    private readonly SafeFileHandle _file;
    private readonly EtlWriteOptions _options;
    private readonly SortedDictionary<int, WriteBuffer> _buffers = [];
    private readonly Lz77Encoder? _encoder;
    private readonly byte[] _compressed = [];
    private readonly byte[] _headerBuffer;

    /// <summary>Buffer of the last used processor.</summary>
    private WriteBuffer? _lastUsed;

    private int _lastProcessor = -1;
    private long _offset;
    private long _sequence;
    private long _lastTime;
    private bool _closed;

    /// <summary>Creates the file with a header of an unclosed session.</summary>
    /// <param name="path">Path; must not exist.</param>
    /// <param name="options">Header values and layout.</param>
    /// <exception cref="ArgumentException">The options are invalid.</exception>
    /// <exception cref="IOException">The file exists, or cannot be written.</exception>
    public EtlWriter(string path, EtlWriteOptions? options = null)
    {
        _options = options ?? new EtlWriteOptions();
        if (_options.BufferSize is < MinBufferSize or > (16 << 20) || _options.BufferSize % 8 != 0)
            throw new ArgumentException(
                $"The buffer size must be a multiple of 8 from {MinBufferSize} to {16 << 20} bytes, not {_options.BufferSize}.",
                nameof(options)
            );
        if (_options.PointerSize is not (4 or 8))
            throw new ArgumentException($"The pointer size must be 4 or 8 bytes, not {_options.PointerSize}.", nameof(options));
        if (_options.Compress)
        {
            _encoder = new Lz77Encoder();
            _compressed = new byte[Lz77Encoder.MaxSize(_options.BufferSize)];
        }

        _lastTime = _options.StartTicks;
        _headerBuffer = CreateHeaderBuffer(null);
        _file = File.OpenHandle(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.Read);
        try
        {
            RandomAccess.Write(_file, _headerBuffer, 0);
            _offset = _headerBuffer.Length;
        }
        catch
        {
            _file.Dispose();
            throw;
        }
    }

    /// <summary>Maximum size of a record in a buffer.</summary>
    public int MaxRecordSize => Math.Min(ushort.MaxValue, _options.BufferSize - EtlFormat.BufferHeaderSize) & ~7;

    /// <summary>Bytes in the file so far, without those in buffers.</summary>
    public long FileBytes => _offset;

    /// <summary>Writes an event.</summary>
    /// <param name="fields">Its header.</param>
    /// <param name="payload">Its data.</param>
    /// <param name="extended">
    /// Extended items of a manifest event (<see cref="EtlExtendedItemWriter"/>); for kernel events up to 7 counters of 8 bytes; else empty.
    /// </param>
    /// <exception cref="ArgumentException">
    /// The event does not fit into a buffer, its header type has no extended data, or its processor is above <see cref="MaxProcessor"/>.
    /// </exception>
    /// <exception cref="IOException">The disk is full.</exception>
    public void Write(in EtlEventFields fields, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> extended = default)
    {
        if (EtlFormat.HeaderSizeOf(fields.HeaderType) == 0)
            throw new ArgumentException($"{fields.HeaderType} is not a header type.", nameof(fields));
        var allowed = EtlFormat.KindOf(fields.HeaderType) switch
        {
            EtlHeaderKind.Event => extended.Length % 8 == 0,
            EtlHeaderKind.System or EtlHeaderKind.PerfInfo => extended.Length is <= 56 && extended.Length % 8 == 0,
            _ => extended.IsEmpty,
        };
        if (!allowed)
            throw new ArgumentException(
                $"{extended.Length} bytes of extended data cannot follow a header of type {fields.HeaderType}.",
                nameof(extended)
            );
        var record = Reserve(fields.Processor, fields.Timestamp, RecordWriter.SizeOf(fields.HeaderType, extended.Length, payload.Length));
        RecordWriter.Write(fields, extended, payload, record);
    }

    /// <summary>Writes a read event byte for byte. Its time must be on this trace's clock.</summary>
    /// <exception cref="ArgumentException">The event does not fit into a buffer.</exception>
    /// <exception cref="IOException">The disk is full.</exception>
    public void Write(in EtlEvent traceEvent) =>
        traceEvent.RawBytes.CopyTo(Reserve(traceEvent.Processor, traceEvent.Timestamp, traceEvent.RawBytes.Length));

    /// <summary>Writes all buffers to the file, full or not.</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    public void Flush()
    {
        foreach (var (processor, buffer) in _buffers)
        {
            if (!buffer.IsEmpty)
                WriteOut(processor, buffer, EtlBufferFlags.FlushMarker);
        }
    }

    /// <summary>Writes all buffers, completes the header and closes the file.</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    public void Dispose()
    {
        if (_closed)
            return;
        _closed = true;
        try
        {
            Flush();
            var since = EtlTime.Scale(EtlTime.Subtract(_lastTime, _options.StartTicks), TimeSpan.TicksPerSecond, TicksPerSecond);
            RandomAccess.Write(_file, CreateHeaderBuffer(EtlTime.Add(_options.StartTimeUtc.ToFileTimeUtc(), since)), 0);
        }
        finally
        {
            _file.Dispose();
        }
    }

    private long TicksPerSecond =>
        _options.Clock switch
        {
            EtlClock.SystemTime => TimeSpan.TicksPerSecond,
            EtlClock.CycleCounter when _options.CpuMegahertz > 0 => _options.CpuMegahertz * 1_000_000L,
            _ => _options.PerformanceFrequency,
        };

    /// <summary>Reserves space for a record in its processor's buffer.</summary>
    private Span<byte> Reserve(int processor, long time, int size)
    {
        ObjectDisposedException.ThrowIf(_closed, this);
        if (size > MaxRecordSize)
            throw new ArgumentException($"A record of {size} bytes does not fit; the maximum is {MaxRecordSize}.");
        if (processor is < 0 or > MaxProcessor)
            throw new ArgumentException($"Processor {processor} is out of range; the maximum is {MaxProcessor}.");
        var buffer = BufferOf(processor);
        var end = buffer.Filled + ((size + 7) & ~7);
        if (end > _options.BufferSize)
        {
            WriteOut(processor, buffer, EtlBufferFlags.None);
            end = buffer.Filled + ((size + 7) & ~7);
        }

        var room = buffer.Bytes.AsSpan(buffer.Filled, end - buffer.Filled);
        room[size..].Clear();
        buffer.Filled = end;
        buffer.LastTime = Math.Max(buffer.LastTime, time);
        _lastTime = Math.Max(_lastTime, time);
        return room[..size];
    }

    private WriteBuffer BufferOf(int processor)
    {
        if (processor == _lastProcessor)
            return _lastUsed!;
        if (!_buffers.TryGetValue(processor, out var buffer))
            _buffers.Add(processor, buffer = new WriteBuffer(_options.BufferSize));
        _lastProcessor = processor;
        return _lastUsed = buffer;
    }

    private void WriteOut(int processor, WriteBuffer buffer, EtlBufferFlags flags)
    {
        var bytes = buffer.Bytes;
        var valid = buffer.Filled;
        flags |= EtlBufferFlags.ProcessorIndex;
        ReadOnlySpan<byte> content = bytes.AsSpan(EtlFormat.BufferHeaderSize, valid - EtlFormat.BufferHeaderSize);
        if (_encoder is not null)
        {
            var size = _encoder.Encode(content, _compressed);
            if (size < content.Length)
            {
                flags |= EtlBufferFlags.Compressed;
                content = _compressed.AsSpan(0, size);
            }
        }
        else
        {
            // All buffers of an uncompressed file have the same size.
            bytes.AsSpan(valid).Fill(0xFF);
            content = bytes.AsSpan(EtlFormat.BufferHeaderSize);
        }

        WriteBufferHeader(
            bytes,
            EtlFormat.BufferHeaderSize + content.Length,
            valid,
            ++_sequence,
            buffer.LastTime,
            processor,
            flags,
            EtlBufferType.Generic
        );
        RandomAccess.Write(_file, bytes.AsSpan(0, EtlFormat.BufferHeaderSize), _offset);
        RandomAccess.Write(_file, content, _offset + EtlFormat.BufferHeaderSize);
        _offset += EtlFormat.BufferHeaderSize + content.Length;
        buffer.Filled = EtlFormat.BufferHeaderSize;
        buffer.LastTime = long.MinValue;
    }

    private byte[] CreateHeaderBuffer(long? endFileTime)
    {
        var payload = LogFileHeaderPayload.Create(_options, endFileTime, _sequence + 1);
        var fields = new EtlEventFields
        {
            HeaderType = _options.PointerSize == 8 ? EtlHeaderType.System64 : EtlHeaderType.System32,
            Timestamp = _options.StartTicks,
            ThreadId = _options.ThreadId,
            ProcessId = _options.ProcessId,
            Version = 2,
        };
        var size = RecordWriter.SizeOf(fields.HeaderType, 0, payload.Length);
        var valid = EtlFormat.BufferHeaderSize + ((size + 7) & ~7);
        var total = _options.Compress ? (valid + 511) & ~511 : _options.BufferSize;
        if (size > ushort.MaxValue || valid > total)
            throw new ArgumentException("The names of the session and the file do not fit in a buffer.");
        var bytes = new byte[total];
        bytes.AsSpan(valid).Fill(0xFF);
        RecordWriter.Write(fields, default, payload, bytes.AsSpan(EtlFormat.BufferHeaderSize, size));
        WriteBufferHeader(bytes, total, valid, 0, 0, 0, EtlBufferFlags.FlushMarker | EtlBufferFlags.ProcessorIndex, EtlBufferType.Header);
        return bytes;
    }

    private static void WriteBufferHeader(
        Span<byte> bytes,
        int size,
        int valid,
        long sequence,
        long time,
        int processor,
        EtlBufferFlags flags,
        EtlBufferType type
    )
    {
        bytes[..EtlFormat.BufferHeaderSize].Clear();
        BinaryPrimitives.WriteInt32LittleEndian(bytes, size);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[EtlFormat.SavedOffsetAt..], valid);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[EtlFormat.CurrentOffsetAt..], valid);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[EtlFormat.TimeStampAt..], time);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[EtlFormat.SequenceAt..], sequence);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes[EtlFormat.ProcessorAt..], (ushort)processor);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[EtlFormat.StateAt..], 3); // flushed
        BinaryPrimitives.WriteInt32LittleEndian(bytes[EtlFormat.OffsetAt..], valid);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes[EtlFormat.FlagsAt..], (ushort)flags);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes[EtlFormat.TypeAt..], (ushort)type);
    }
}
