using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Dumps.Files;

/// <summary>
/// Header of a dump: format, processor, and expected length of the file. ELF: System V ABI, gABI 4.1 chapters 4 and 5 (PN_XNUM: its section
/// header extension). Minidump: minidumpapiset.h.
/// </summary>
/// <param name="Kind">Format.</param>
/// <param name="Architecture">Processor; null when the header does not contain it (minidumps have it in a stream).</param>
/// <param name="Length">Length of the whole dump according to its header; null when the header does not contain it.</param>
public sealed record DumpHeader(DumpKind Kind, Architecture? Architecture, long? Length)
{
    /// <summary>Number of bytes that identify the formats.</summary>
    private const int HeadBytes = 64;

    /// <summary>e_type of a core file.</summary>
    private const ushort CoreType = 4;

    /// <summary>Value of e_phnum when there are too many segments for it; the first section header then has the number.</summary>
    private const ushort ManySegments = 0xFFFF;

    /// <summary>Bytes of a program header and of a section header of 64-bit ELF.</summary>
    private const int SegmentBytes = 56,
        SectionBytes = 64;

    /// <summary>Stream types of a minidump: memory of a full one, system information.</summary>
    private const uint Memory64List = 9,
        SystemInfo = 7;

    /// <summary>Maximum plausible number of streams; minidumps of Windows have a few dozen.</summary>
    private const uint MaxStreams = 1_000;

    /// <summary>Reads the header of a file.</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="TraceFormatException">The file is not a dump, or is truncated.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static DumpHeader Read(string path)
    {
        using var file = File.OpenRead(path);
        var head = new byte[HeadBytes];
        var read = file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
        if (read >= 4 && head.AsSpan(0, 4).SequenceEqual("MDMP"u8))
            return OfMinidump(path, file, head.AsSpan(0, read));
        if (read >= 20 && head.AsSpan(0, 4).SequenceEqual("\u007fELF"u8))
            return OfElf(path, file, head.AsSpan(0, read));
        throw DumpErrors.Of(
            path,
            "the file is not a dump",
            0,
            "an ELF core file or a minidump",
            read == 0 ? "the file is empty" : $"its first bytes are {Convert.ToHexString(head.AsSpan(0, Math.Min(read, 4)))}",
            read > 1 && head[0] == 0x1F && head[1] == 0x8B
                ? "unpack it first (it is compressed with gzip)"
                : "name a file written by esp-record --dump-on, dotnet-dump, createdump or procdump"
        );
    }

    private static DumpHeader OfElf(string path, FileStream file, ReadOnlySpan<byte> head)
    {
        var machine = BinaryPrimitives.ReadUInt16LittleEndian(head[18..]);
        if (head[5] != 1 || BinaryPrimitives.ReadUInt16LittleEndian(head[16..]) != CoreType)
            throw DumpErrors.Of(
                path,
                "the file is not a dump",
                16,
                "a core file (ELF type 4, little endian)",
                $"its ELF type is {BinaryPrimitives.ReadUInt16LittleEndian(head[16..])}",
                "name the dump, not the program or library"
            );
        var architecture = machine switch
        {
            3 => System.Runtime.InteropServices.Architecture.X86,
            40 => System.Runtime.InteropServices.Architecture.Arm,
            62 => System.Runtime.InteropServices.Architecture.X64,
            183 => System.Runtime.InteropServices.Architecture.Arm64,
            _ => (Architecture?)null,
        };
        if (architecture is null)
            throw DumpErrors.Of(
                path,
                "the dump is from an unsupported processor",
                18,
                "x64, arm64, x86 or arm",
                Text($"ELF machine {machine}"),
                "read it on such a machine with dotnet-dump"
            );
        if (head[4] != 2 || head.Length < HeadBytes)
            return new DumpHeader(DumpKind.ElfCore, architecture, null);
        return new DumpHeader(DumpKind.ElfCore, architecture, LengthOfElf(path, file, head));
    }

    private static long LengthOfElf(string path, FileStream file, ReadOnlySpan<byte> head)
    {
        var (at, sections) = (BinaryPrimitives.ReadInt64LittleEndian(head[32..]), BinaryPrimitives.ReadInt64LittleEndian(head[40..]));
        uint count = BinaryPrimitives.ReadUInt16LittleEndian(head[56..]);
        if (count == ManySegments)
            count = BinaryPrimitives.ReadUInt32LittleEndian(At(path, file, sections, SectionBytes).AsSpan(44));
        var length = Checked(path, 32, at, (long)count * SegmentBytes);
        if (length > file.Length)
            throw Truncated(path, file.Length, length);
        var segments = At(path, file, at, (int)Math.Min((long)count * SegmentBytes, Array.MaxLength));
        for (var i = 0; i + SegmentBytes <= segments.Length; i += SegmentBytes)
            length = Math.Max(
                length,
                Checked(
                    path,
                    at + i,
                    BinaryPrimitives.ReadInt64LittleEndian(segments.AsSpan(i + 8)),
                    BinaryPrimitives.ReadInt64LittleEndian(segments.AsSpan(i + 32))
                )
            );
        return length > file.Length ? throw Truncated(path, file.Length, length) : length;
    }

    private static DumpHeader OfMinidump(string path, FileStream file, ReadOnlySpan<byte> head)
    {
        if (head.Length < 32)
            throw Truncated(path, file.Length, 32);
        var (count, at) = (BinaryPrimitives.ReadUInt32LittleEndian(head[8..]), BinaryPrimitives.ReadUInt32LittleEndian(head[12..]));
        if (count > MaxStreams)
            throw DumpErrors.Of(
                path,
                "the dump is damaged",
                8,
                Text($"at most {MaxStreams} streams"),
                Text($"it says {count}"),
                "copy or take it again"
            );
        Architecture? architecture = null;
        var length = Checked(path, 12, at, count * 12L);
        if (length > file.Length)
            throw Truncated(path, file.Length, length);
        var streams = At(path, file, at, (int)count * 12);
        for (var i = 0; i < streams.Length; i += 12)
        {
            var (type, bytes, place) = (
                BinaryPrimitives.ReadUInt32LittleEndian(streams.AsSpan(i)),
                BinaryPrimitives.ReadUInt32LittleEndian(streams.AsSpan(i + 4)),
                BinaryPrimitives.ReadUInt32LittleEndian(streams.AsSpan(i + 8))
            );
            length = Math.Max(length, (long)place + bytes);
            if (length > file.Length)
                throw Truncated(path, file.Length, length);
            if (type == SystemInfo && bytes >= 2)
                architecture = BinaryPrimitives.ReadUInt16LittleEndian(At(path, file, place, 2)) switch
                {
                    0 => System.Runtime.InteropServices.Architecture.X86,
                    5 => System.Runtime.InteropServices.Architecture.Arm,
                    9 => System.Runtime.InteropServices.Architecture.X64,
                    12 => System.Runtime.InteropServices.Architecture.Arm64,
                    _ => null,
                };
            if (type == Memory64List && bytes >= 16)
                length = Math.Max(length, LengthOfMemory(path, file, place, bytes));
        }

        return length > file.Length ? throw Truncated(path, file.Length, length) : new DumpHeader(DumpKind.Minidump, architecture, length);
    }

    /// <summary>The memory of a full minidump is contiguous from one offset; the stream has the sizes.</summary>
    private static long LengthOfMemory(string path, FileStream file, long place, uint bytes)
    {
        var list = At(path, file, place, (int)Math.Min(bytes, int.MaxValue));
        var ranges = BinaryPrimitives.ReadInt64LittleEndian(list);
        var end = BinaryPrimitives.ReadInt64LittleEndian(list.AsSpan(8));
        for (var at = 16; ranges-- > 0 && at + 16 <= list.Length; at += 16)
            end = Checked(path, place + at, end, BinaryPrimitives.ReadInt64LittleEndian(list.AsSpan(at + 8)));
        return end;
    }

    private static byte[] At(string path, FileStream file, long offset, int bytes)
    {
        if (offset < 0 || offset + bytes > file.Length)
            throw Truncated(path, file.Length, offset + bytes);
        var buffer = new byte[bytes];
        file.Position = offset;
        file.ReadExactly(buffer);
        return buffer;
    }

    /// <summary>End of a range in the file; refuses impossible values.</summary>
    private static long Checked(string path, long at, long offset, long bytes) =>
        offset < 0 || bytes < 0 || offset > long.MaxValue - bytes
            ? throw DumpErrors.Of(
                path,
                "the dump is damaged",
                at,
                "an offset and a size",
                Text($"they are {offset} and {bytes}"),
                "copy or take it again"
            )
            : offset + bytes;

    private static TraceFormatException Truncated(string path, long length, long expected) =>
        DumpErrors.Of(
            path,
            "the dump is truncated",
            length,
            Text($"{Plural.Of(expected, "byte")} by its header"),
            Text($"the file ends after {length}"),
            "copy it again, or take another one on a disk with enough space"
        );

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>How a dump is stored.</summary>
public enum DumpKind
{
    /// <summary>ELF core file: Linux.</summary>
    ElfCore = 0,

    /// <summary>Minidump: Windows, with any content.</summary>
    Minidump = 1,
}
