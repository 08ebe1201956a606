namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>Reads a file's log file header from its first buffer.</summary>
internal static class FirstBuffer
{
    /// <summary>Maximum record size.</summary>
    private const int MaxRecordBytes = ushort.MaxValue;

    /// <summary>Maximum number of bytes that <see cref="ReadHeader"/> reads.</summary>
    public const int MaxBytes = EtlFormat.BufferHeaderSize + MaxRecordBytes;

    /// <exception cref="EtlFormatException">The file does not start like an .etl file.</exception>
    public static EtlTraceHeader ReadHeader(TraceBytes file)
    {
        const int HeaderSize = EtlFormat.BufferHeaderSize;
        var bytes = new byte[Math.Min(MaxBytes, file.Length)];
        var read = file.Read(0, bytes);
        if (read < HeaderSize)
            throw new EtlFormatException(
                file.Name,
                0,
                $"a buffer header of {HeaderSize} bytes",
                $"the file has {file.Length} bytes: it is not an .etl file or was never written",
                "record again, or name another file"
            );
        var buffer = new BufferHeader(bytes);
        if (!buffer.IsPlausible)
            throw new EtlFormatException(
                file.Name,
                0,
                "the header of an .etl file's first buffer",
                "found other data",
                "name an .etl file or a zip archive of .etl files"
            );
        var record = bytes.AsSpan(HeaderSize, read - HeaderSize);
        byte[]? unpacked = null;
        if (buffer.IsCompressed)
        {
            var length = Math.Min((int)buffer.ValidEnd - HeaderSize, MaxRecordBytes);
            unpacked = new byte[length + Compression.Lz77Decoder.Slack];
            var compressed = record[..Math.Min(record.Length, (int)buffer.Size - HeaderSize)];
            record = unpacked.AsSpan(0, Compression.Lz77Decoder.Decode(compressed, unpacked, length, out _));
        }
        else
        {
            record = record[..Math.Min(record.Length, (int)buffer.ValidEnd - HeaderSize)];
        }

        var size = RecordWalker.Measure(record, out var payloadAt, out var error);
        if (size == 0)
            throw new EtlFormatException(
                file.Name,
                HeaderSize,
                "the log file header as first record",
                $"{error}: the file is damaged or not an .etl file",
                "copy it again, or name another file"
            );
        record = record[..size];
        if (!EtlFormat.IsKernel((EtlHeaderType)record[2]) || record[7] != EtlKernelGroups.EventTrace || record[6] != 0)
            throw new EtlFormatException(
                file.Name,
                HeaderSize,
                "the log file header as first record (group 0, type 0)",
                "found another record: the file is damaged",
                "copy it again"
            );
        RecordWalker.TryReadTime(record, out var start);
        return EtlTraceHeader.Read(record[payloadAt..], start)
            ?? throw new EtlFormatException(
                file.Name,
                HeaderSize + payloadAt,
                $"a log file header of at least {EtlTraceHeader.FixedSize32} bytes with pointer size 4 or 8",
                $"found {size - payloadAt} bytes or another pointer size: the file is damaged",
                "copy it again"
            );
    }
}
