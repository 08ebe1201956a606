using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.ThisMachine;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Compresses a complete file of <see cref="PerfDataWriter"/>; perf and <see cref="PerfDataReader"/> read it as before.</summary>
/// <remarks>
/// This is done after the recording, because it would keep the recorder's thread from emptying the rings: 1,000 threads that computed lost
/// 3,896 to 23,051 records in six of nine recordings of an ordinary user.
/// </remarks>
public static class PerfDataPacker
{
    private const int ReadBytes = 1 << 20;

    /// <summary>Replaces a file by a compressed one. The file stays as it is until the new one is complete.</summary>
    /// <param name="path">The file.</param>
    /// <returns>New size of its data section; null when the file stays as it is: the disk is full, or another tool wrote it.</returns>
    public static long? Pack(string path)
    {
        var packed = path + ".packed";
        try
        {
            long? size;
            using (var source = File.OpenHandle(path))
            {
                var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
                if (!OperatingSystem.IsWindows())
                    options.UnixCreateMode = File.GetUnixFileMode(source);
                using var target = new FileStream(packed, options);
                size = Pack(source, target);
            }

            if (size is null)
                File.Delete(packed);
            else
                File.Move(packed, path, overwrite: true);
            return size;
        }
        catch (Exception exception) when (WriteFailure.Is(exception))
        {
            File.Delete(packed);
            return null;
        }
    }

    private static long? Pack(SafeFileHandle source, FileStream target)
    {
        var header = Read(source, 0, PerfDataFormat.HeaderSize);
        if (header.Length < PerfDataFormat.HeaderSize || !header.AsSpan().StartsWith(PerfDataFormat.Magic))
            return null;
        var start = BinaryPrimitives.ReadInt64LittleEndian(header.AsSpan(PerfDataFormat.DataAt));
        var end = start + BinaryPrimitives.ReadInt64LittleEndian(header.AsSpan(PerfDataFormat.DataAt + 8));
        var features = header.AsSpan(PerfDataFormat.FeaturesAt, PerfDataFormat.FeatureBytes);
        var length = RandomAccess.GetLength(source);
        if (
            start < header.Length
            || end < start
            || end > length
            || !features.ContainsAnyExcept((byte)0)
            || Has(features, PerfDataFormat.Compressed)
        )
            return null;

        if (Features(source, features, end) is not { } sections)
            return null;

        target.Write(Read(source, 0, (int)start));
        if (!TryPackRecords(source, target, start, end))
            return null;
        var size = target.Position - start;
        WriteFeatures(target, sections);
        SetBit(features, PerfDataFormat.Compressed);
        BinaryPrimitives.WriteInt64LittleEndian(header.AsSpan(PerfDataFormat.DataAt + 8), size);
        target.Position = 0;
        target.Write(header);
        return size;
    }

    private static bool TryPackRecords(SafeFileHandle source, FileStream target, long start, long end)
    {
        using var packer = new RecordPacker();
        var buffer = new byte[ReadBytes];
        var output = new byte[ReadBytes];
        var kept = 0;
        var position = start;
        while (position < end || kept > 0)
        {
            var read = RandomAccess.Read(source, buffer.AsSpan(kept, (int)Math.Min(buffer.Length - kept, end - position)), position);
            position += read;
            kept += read;
            var whole = RecordPacker.WholeRecords(buffer.AsSpan(0, kept));
            if (whole == 0)
                return false; // a damaged file
            target.Write(output, 0, packer.Pack(buffer.AsSpan(0, whole), output));
            buffer.AsSpan(whole, kept - whole).CopyTo(buffer);
            kept -= whole;
        }

        return true;
    }

    /// <summary>
    /// Sections of features by bit. Those before the data stay where they are; the others have their bytes. Null when the file ends before.
    /// </summary>
    private static SortedDictionary<int, (long Offset, long Size, byte[]? Bytes)>? Features(
        SafeFileHandle source,
        ReadOnlySpan<byte> bits,
        long end
    )
    {
        var sections = new SortedDictionary<int, (long, long, byte[]?)>();
        var at = end;
        var length = RandomAccess.GetLength(source);
        for (var bit = 0; bit < 8 * bits.Length; bit++)
        {
            if (!Has(bits, bit))
                continue;
            var entry = Read(source, at, PerfDataFormat.SectionSize);
            if (entry.Length < PerfDataFormat.SectionSize)
                return null;
            at += entry.Length;
            var (offset, size) = (BinaryPrimitives.ReadInt64LittleEndian(entry), BinaryPrimitives.ReadInt64LittleEndian(entry.AsSpan(8)));
            if (offset < 0 || size < 0 || size > length - offset)
                return null;
            sections[bit] = (offset, size, offset < end ? null : Read(source, offset, (int)size));
        }

        var compression = FeatureWriter.Compression(RecordPacker.Level, RecordPacker.PieceBytes);
        sections[PerfDataFormat.Compressed] = (0, compression.Length, compression);
        return sections;
    }

    private static void WriteFeatures(FileStream target, SortedDictionary<int, (long Offset, long Size, byte[]? Bytes)> sections)
    {
        var offset = target.Position + (sections.Count * PerfDataFormat.SectionSize);
        foreach (var section in sections.Values)
        {
            target.Write(FeatureWriter.Longs(section.Bytes is null ? section.Offset : offset, section.Size));
            offset += section.Bytes?.Length ?? 0;
        }

        foreach (var section in sections.Values)
            target.Write(section.Bytes);
    }

    private static bool Has(ReadOnlySpan<byte> bits, int bit) => (bits[bit / 8] & (1 << (bit % 8))) != 0;

    private static void SetBit(Span<byte> bits, int bit) => bits[bit / 8] |= (byte)(1 << (bit % 8));

    private static byte[] Read(SafeFileHandle file, long offset, int count)
    {
        var bytes = new byte[count];
        var read = 0;
        while (read < count && RandomAccess.Read(file, bytes.AsSpan(read), offset + read) is > 0 and var more)
            read += more;
        return read == count ? bytes : bytes[..read];
    }
}
