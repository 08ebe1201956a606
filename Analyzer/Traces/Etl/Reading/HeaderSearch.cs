namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>Searches for the next buffer header after damage.</summary>
internal sealed class HeaderSearch(TraceBytes file, int bufferSize)
{
    /// <summary>Bytes per search step.</summary>
    private const int SearchBytes = 64 << 10;

    private byte[] _bytes = [];

    /// <summary>The first non-zero offset; the file's length if the rest is zero.</summary>
    public long SkipZeros(long offset)
    {
        while (offset < file.Length)
        {
            var bytes = Load(offset);
            var first = bytes.IndexOfAnyExcept((byte)0);
            if (first >= 0)
                return offset + first;
            offset += bytes.Length;
            if (bytes.Length == 0)
                break;
        }

        return file.Length;
    }

    /// <summary>
    /// The next possible buffer offset after damage: its header is plausible, and another header, zeros or the end of the file follow the
    /// buffer.
    /// </summary>
    /// <param name="damaged">Offset of the damage.</param>
    /// <param name="end">End of the search, and the result if there is none.</param>
    public long Find(long damaged, long end)
    {
        // Uncompressed files have buffers of one size.
        if (bufferSize > 0 && end == file.Length)
        {
            var next = (damaged / bufferSize + 1) * bufferSize;
            if (next + EtlFormat.BufferHeaderSize <= end && IsChain(next))
                return next;
        }

        for (var offset = damaged + 1; offset < end && offset + EtlFormat.BufferHeaderSize <= file.Length;)
        {
            var bytes = Load(offset);
            var last = (int)Math.Min(bytes.Length - EtlFormat.BufferHeaderSize, end - 1 - offset);
            for (var at = 0; at <= last; at++)
            {
                // The bytes that are rarely right by chance come first: the high bytes of type, flags and size.
                if (bytes[at + EtlFormat.TypeAt + 1] != 0 || bytes[at + EtlFormat.FlagsAt + 1] != 0 || bytes[at + 3] > 1)
                    continue;
                if (new BufferHeader(bytes[at..]).IsPlausible && IsChain(offset + at))
                    return offset + at;
            }

            offset += Math.Max(1, last + 1);
        }

        return end;
    }

    /// <summary>Whether a plausible header is here, and another header, zeros or the end of the file follow its buffer.</summary>
    public bool IsChain(long offset)
    {
        Span<byte> bytes = stackalloc byte[EtlFormat.BufferHeaderSize];
        if (file.Read(offset, bytes) < bytes.Length || bytes.IndexOfAnyExcept((byte)0) < 0)
            return false;
        var header = new BufferHeader(bytes);
        if (!header.IsPlausible)
            return false;
        var next = offset + header.Size;
        if (next >= file.Length)
            return next == file.Length;
        var read = file.Read(next, bytes);
        return read < bytes.Length || bytes.IndexOfAnyExcept((byte)0) < 0 || new BufferHeader(bytes).IsPlausible;
    }

    private Span<byte> Load(long offset)
    {
        if (_bytes.Length == 0)
            _bytes = new byte[SearchBytes];
        return _bytes.AsSpan(0, file.Read(offset, _bytes));
    }
}
