using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using ZstdSharp.Unsafe;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// Decompresses the data section of a compressed perf.data file (<c>perf record -z</c>): replaces each compressed record by its content.
/// </summary>
/// <remarks>
/// A record of type COMPRESSED (81) is a header and a piece of one zstd stream that spans the whole file; COMPRESSED2 (83) starts with the
/// piece's size (u64) and is padded. A record may begin in one piece and end in the next. Other records are uncompressed in between.
/// Sources: util/compress.h, zstd.c and session.c of tools/perf.
/// </remarks>
internal sealed unsafe class UnpackedRecords : RecordBytes
{
    private const int InputBytes = 1 << 16;

    private readonly byte[] _input = new byte[InputBytes];
    private readonly ZSTD_DCtx_s* _stream = Methods.ZSTD_createDCtx();

    /// <summary>Start offset of each record in the output and in the file; ascending.</summary>
    private readonly List<(long Output, long File)> _places = [];

    /// <summary>The rest of the current record: its bytes in <see cref="_input"/>.</summary>
    private int _from;
    private int _to;
    private bool _isPacked;

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
        var place = _places.BinarySearch((position, long.MaxValue));
        place = place < 0 ? ~place - 1 : place;
        return place < 0 ? position : _places[place].File;
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
        Span<byte> header = stackalloc byte[16];
        var left = End - FilePosition;
        if (left < SampleLayout.HeaderSize || ReadAt(header[..(int)Math.Min(left, header.Length)], FilePosition) < SampleLayout.HeaderSize)
            return Stop("the data ends inside a record");
        var type = (PerfRecordType)BinaryPrimitives.ReadInt32LittleEndian(header);
        int size = BinaryPrimitives.ReadUInt16LittleEndian(header[6..]);
        if (size < SampleLayout.HeaderSize || size > left)
            return Stop(
                size > left ? "the data ends inside a record" : $"a record of type {(int)type} has size {size}, less than its header"
            );
        if (ReadAt(_input.AsSpan(0, size), FilePosition) < size)
            return Stop("the file ends before its data section");
        _places.Add((_output, FilePosition));
        (_from, _to, _isPacked) = (0, size, type is PerfRecordType.Compressed or PerfRecordType.Compressed2);
        if (type == PerfRecordType.Compressed)
        {
            _from = SampleLayout.HeaderSize;
        }
        else if (type == PerfRecordType.Compressed2)
        {
            _from = SampleLayout.HeaderSize + sizeof(ulong);
            var packed = size < _from ? ulong.MaxValue : BinaryPrimitives.ReadUInt64LittleEndian(header[SampleLayout.HeaderSize..]);
            if (packed > (ulong)(size - _from))
                return Stop("a compressed record is longer than its record");
            _to = _from + (int)packed;
        }

        // AUX data follows its record uncompressed.
        FilePosition +=
            size
            + (
                type == PerfRecordType.AuxTrace && size >= 16
                    ? (long)Math.Min(BinaryPrimitives.ReadUInt64LittleEndian(header[8..]), (ulong)(left - size))
                    : 0
            );
        if (type == PerfRecordType.AuxTrace)
            _from = _to;
        return true;
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
