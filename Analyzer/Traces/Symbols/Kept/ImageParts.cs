using System.IO.Compression;

namespace EtwSerializerProfiler.Traces.Symbols.Kept;

/// <summary>Parts of a file with their offsets in it.</summary>
/// <remarks>
/// Format: gzip of u32 magic, u64 bytes of the whole file, u32 count of parts, for each part u64 offset and u32 bytes in ascending order,
/// then the parts' bytes.
/// </remarks>
internal sealed class ImageParts
{
    /// <summary>"ESPI".</summary>
    private const uint Magic = 0x49505345;

    /// <summary>More than a recording keeps of a file; a larger claim means damage.</summary>
    private const long MaxBytes = 1L << 28;

    /// <summary>Bytes of a part's offset and length.</summary>
    private const int EntryBytes = 12;

    private readonly (long Offset, byte[] Bytes)[] _parts;

    private ImageParts(long fileLength, (long Offset, byte[] Bytes)[] parts) => (FileLength, _parts) = (fileLength, parts);

    /// <summary>Bytes of the whole file.</summary>
    public long FileLength { get; }

    /// <summary>Reads what <see cref="Write"/> wrote.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    /// <exception cref="InvalidDataException">It is damaged.</exception>
    public static ImageParts Read(string path)
    {
        using var packed = new GZipStream(File.OpenRead(path), CompressionMode.Decompress);
        using var reader = new BinaryReader(packed);
        try
        {
            if (reader.ReadUInt32() != Magic)
                throw new InvalidDataException("the file does not hold parts of an image");
            var fileLength = reader.ReadInt64();
            var count = reader.ReadUInt32();
            if (fileLength < 0 || count > MaxBytes / EntryBytes)
                throw new InvalidDataException("its header is damaged");
            var (entries, end, total) = (new List<(long Offset, int Bytes)>(), 0L, 0L);
            for (var i = 0; i < count; i++)
            {
                var (offset, bytes) = (reader.ReadInt64(), reader.ReadInt32());
                if (bytes < 0 || offset < end || offset > fileLength - bytes || (total += bytes) > MaxBytes)
                    throw new InvalidDataException($"its part {i} is damaged");
                end = offset + bytes;
                entries.Add((offset, bytes));
            }

            return new ImageParts(fileLength, [.. entries.Select(entry => (entry.Offset, Bytes(entry.Bytes)))]);
        }
        catch (EndOfStreamException)
        {
            throw new InvalidDataException("the file is cut");
        }

        byte[] Bytes(int count) => reader.ReadBytes(count) is var bytes && bytes.Length == count ? bytes : throw new EndOfStreamException();
    }

    /// <summary>Writes parts; an existing file is replaced atomically.</summary>
    /// <param name="path">The file.</param>
    /// <param name="fileLength">Bytes of the whole file.</param>
    /// <param name="parts">The parts, ascending, without overlaps.</param>
    /// <exception cref="IOException">It cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public static void Write(string path, long fileLength, IReadOnlyList<(long Offset, byte[] Bytes)> parts)
    {
        var written = path + ".new";
        using (var writer = new BinaryWriter(new GZipStream(File.Create(written), CompressionLevel.Optimal)))
        {
            writer.Write(Magic);
            writer.Write(fileLength);
            writer.Write(parts.Count);
            foreach (var (offset, bytes) in parts)
            {
                writer.Write(offset);
                writer.Write(bytes.Length);
            }

            foreach (var (_, bytes) in parts)
                writer.Write(bytes);
        }

        File.Move(written, path, overwrite: true);
    }

    /// <summary>The parts in a range, cut to it.</summary>
    public IEnumerable<(long Offset, ReadOnlyMemory<byte> Bytes)> Within(long start, long end)
    {
        foreach (var (offset, bytes) in _parts)
        {
            var (from, to) = (Math.Max(offset, start), Math.Min(offset + bytes.Length, end));
            if (from < to)
                yield return (from, bytes.AsMemory((int)(from - offset), (int)(to - from)));
        }
    }

    /// <summary>Reads bytes that lie in one part; returns 0 for others.</summary>
    public int Read(Span<byte> bytes, long offset)
    {
        var (low, high) = (0, _parts.Length);
        while (low < high)
        {
            var middle = (low + high) >>> 1;
            if (_parts[middle].Offset <= offset)
                low = middle + 1;
            else
                high = middle;
        }

        if (low == 0 || offset - _parts[low - 1].Offset is var skipped && skipped >= _parts[low - 1].Bytes.Length)
            return 0;
        var part = _parts[low - 1].Bytes.AsSpan((int)skipped);
        var count = Math.Min(part.Length, bytes.Length);
        part[..count].CopyTo(bytes);
        return count;
    }
}
