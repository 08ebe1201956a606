using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using ZstdSharp.Unsafe;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// Decompresses the data section of a compressed perf.data file (ours, or of <c>perf record -z</c>): replaces each compressed record by its
/// content.
/// </summary>
/// <remarks>
/// A record of type COMPRESSED (81) is a header and a piece of zstd's stream, which in perf's files spans the whole file; COMPRESSED2 (83)
/// starts with the piece's size (u64) and is padded. A record may begin in one piece and end in the next. Other records are
/// uncompressed in between.
/// Sources: util/compress.h, zstd.c and session.c of tools/perf.
/// </remarks>
internal sealed unsafe class UnpackedRecords : RecordBytes
{
    /// <summary>Read at once; more than a record's maximum size of 64 KB.</summary>
    private const int InputBytes = 1 << 18;

    private readonly byte[] _input = new byte[InputBytes];

    /// <summary>Offset in the file of the first byte in <see cref="_input"/>, and number of bytes there.</summary>
    private long _inputAt;
    private int _inputBytes;
    private readonly ZSTD_DCtx_s* _stream = Methods.ZSTD_createDCtx();

    /// <summary>
    /// Start offset in the output and in the file of each compressed record, and of the first of consecutive other records; ascending.
    /// </summary>
    private readonly List<(long Output, long File, bool IsPacked)> _places = [];

    /// <summary>The rest of the current record: its bytes in <see cref="_input"/>.</summary>
    private int _from;
    private int _to;
    private bool _isPacked;

    /// <summary>Whether a following uncompressed record is adjacent to the current one in output and file.</summary>
    private bool _continues;

    /// <summary>Whether the decoder may have pending output.</summary>
    private bool _hasOutput;

    /// <summary>Number of delivered bytes.</summary>
    private long _output;

    /// <inheritdoc cref="RecordBytes"/>
    public UnpackedRecords(SafeFileHandle file, string path, long start, long end)
        : base(file, path, start, end) => _output = start;

    /// <inheritdoc />
    public override bool IsAtEnd => Problem.Length > 0 || (FilePosition >= End && _from == _to && !_hasOutput);

    /// <summary>False: AUX data is never compressed, and is skipped with its record.</summary>
    public override bool HasAuxData => false;

    /// <inheritdoc />
    public override bool TrySkip(long bytes) => throw new NotSupportedException();

    /// <summary>Offset in the file of a byte's record; for a compressed record, that of its container.</summary>
    public override long FileOffsetOf(long position)
    {
        var index = ~_places.BinarySearch((position, long.MaxValue, true)) - 1;
        if (index < 0)
            return position;
        var place = _places[index];
        return place.IsPacked ? place.File : place.File + position - place.Output;
    }

    /// <inheritdoc />
    protected override int ReadNext(Span<byte> buffer)
    {
        var written = 0;
        while (written == 0 && !IsAtEnd)
        {
            if (_from == _to && !_hasOutput && !TryTakeRecord())
                break;
            written = _isPacked ? Unpack(buffer) : Copy(buffer);
        }

        _output += written;
        return written;
    }

    /// <inheritdoc />
    public override void Dispose()
    {
        base.Dispose();
        Methods.ZSTD_freeDCtx(_stream);
    }

    private bool TryTakeRecord()
    {
        var left = End - FilePosition;
        if (left < SampleLayout.HeaderSize || !TryLoad(SampleLayout.HeaderSize, out var record))
            return Stop("the data ends inside a record");
        var type = (PerfRecordType)BinaryPrimitives.ReadInt32LittleEndian(record);
        int size = BinaryPrimitives.ReadUInt16LittleEndian(record[6..]);
        if (size < SampleLayout.HeaderSize || size > left)
            return Stop(
                size > left ? "the data ends inside a record" : $"a record of type {(int)type} has size {size}, less than its header"
            );
        if (!TryLoad(size, out record))
            return Stop("the file ends before its data section");
        _from = (int)(FilePosition - _inputAt);
        _to = _from + size;
        var isPacked = type is PerfRecordType.Compressed or PerfRecordType.Compressed2;
        if (isPacked || !_continues)
            _places.Add((_output, FilePosition, isPacked));
        _isPacked = isPacked;
        _continues = !isPacked && type != PerfRecordType.AuxTrace;
        if (type == PerfRecordType.Compressed)
        {
            _from += SampleLayout.HeaderSize;
        }
        else if (type == PerfRecordType.Compressed2)
        {
            const int Start = SampleLayout.HeaderSize + sizeof(ulong);
            var packed = size < Start ? ulong.MaxValue : BinaryPrimitives.ReadUInt64LittleEndian(record[SampleLayout.HeaderSize..]);
            if (size < Start || packed > (ulong)(size - Start))
                return Stop("a compressed record is longer than its record");
            _from += Start;
            _to = _from + (int)packed;
        }

        FilePosition += size;
        if (type == PerfRecordType.AuxTrace)
            SkipAuxTrace(record, left - size);
        return true;
    }

    /// <summary>AUX data follows its record uncompressed; neither is delivered.</summary>
    private void SkipAuxTrace(ReadOnlySpan<byte> record, long left)
    {
        FilePosition += record.Length < 16 ? 0 : (long)Math.Min(BinaryPrimitives.ReadUInt64LittleEndian(record[8..]), (ulong)left);
        _from = _to;
    }

    /// <summary>Has the next bytes of the file in the input buffer.</summary>
    private bool TryLoad(int size, out ReadOnlySpan<byte> bytes)
    {
        var at = FilePosition - _inputAt;
        if (at < 0 || at + size > _inputBytes)
        {
            (_inputAt, at) = (FilePosition, 0);
            _inputBytes = ReadAt(_input.AsSpan(0, (int)Math.Min(_input.Length, End - FilePosition)), FilePosition);
        }

        bytes = _inputBytes - at < size ? default : _input.AsSpan((int)at, size);
        return bytes.Length == size;
    }

    private int Copy(Span<byte> buffer)
    {
        var count = Math.Min(buffer.Length, _to - _from);
        _input.AsSpan(_from, count).CopyTo(buffer);
        _from += count;
        return count;
    }

    private int Unpack(Span<byte> buffer)
    {
        fixed (byte* source = _input)
        fixed (byte* target = buffer)
        {
            var input = new ZSTD_inBuffer_s
            {
                src = source + _from,
                size = (nuint)(_to - _from),
                pos = 0,
            };
            var output = new ZSTD_outBuffer_s
            {
                dst = target,
                size = (nuint)buffer.Length,
                pos = 0,
            };
            var result = Methods.ZSTD_decompressStream(_stream, &output, &input);
            if (Methods.ZSTD_isError(result))
                Stop($"a compressed record cannot be unpacked ({Methods.ZSTD_getErrorName(result)})");
            _from += (int)input.pos;
            _hasOutput = output.pos == output.size;
            return (int)output.pos;
        }
    }

    private int ReadAt(Span<byte> bytes, long offset)
    {
        var read = 0;
        while (read < bytes.Length && RandomAccess.Read(File, bytes[read..], offset + read) is > 0 and var more)
            read += more;
        return read;
    }

    private bool Stop(string problem)
    {
        Problem = problem;
        return false;
    }
}
