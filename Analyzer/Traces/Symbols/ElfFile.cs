using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Symbols.Kept;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// An ELF file (64 bit, little-endian), or what a recording keeps of one. Every offset, size and count is checked against the file before
/// it is used.
/// </summary>
/// <remarks>
/// Layout (elf.h). Header: magic @0, class @4 (2), byte order @5 (1), u16 type @16, u16 machine @18, u64 entry @24, u64 program headers
/// @32, u64 section headers @40, u16 size and count of program headers @54 and of section headers @58, u16 section of the sections' names
/// @62. Program header, 56 bytes: u32 type @0, u64 file offset @8, u64 address @16, u64 bytes in the file @32. Section header, 64 bytes:
/// u32 name @0, u32 type @4, u64 address @16, u64 file offset @24, u64 size @32, u32 link @40, u64 size of an entry @56. Dynamic entry: u64
/// tag, u64 value. Note: u32 size of name, size of content, type; each padded to 4.
/// </remarks>
internal sealed class ElfFile
{
    private const int HeaderSize = 64;
    private const int ProgramHeaderSize = 56;
    private const int SectionHeaderSize = 64;

    private const int DynamicEntrySize = 16;

    private const int LoadSegment = 1;
    private const int DynamicSegment = 2;
    private const int NoteSegment = 4;
    private const int FrameIndexSegment = 0x6474e550; // PT_GNU_EH_FRAME
    private const int BuildIdNote = 3;
    private const int ExecutableFile = 2; // ET_EXEC
    private const ulong Flags1 = 0x6ffffffb; // DT_FLAGS_1
    private const ulong PositionIndependentExecutable = 0x08000000; // DF_1_PIE

    /// <summary>Largest table that is read: ten times that of the largest program known to have one.</summary>
    public const long MaxTableBytes = 1L << 30;

    /// <summary>
    /// Bytes of notes, more than linkers write: damaged headers may have tens of thousands of segments of notes, each as long as the file.
    /// </summary>
    private const int MaxNoteBytes = 1 << 16;

    /// <summary>Bytes of dynamic entries, more than linkers write.</summary>
    private const int MaxDynamicBytes = 1 << 16;

    /// <summary>Bytes of the names of all sections, more than linkers write.</summary>
    private const int MaxSectionNameBytes = 1 << 20;

    private readonly byte[] _names;

    private ElfFile(ImageFile file, byte[] header, List<byte[]> programs, List<byte[]> sections)
    {
        ImageFile = file;
        Machine = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(18));
        var isProgram = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(16)) == ExecutableFile;
        foreach (var program in programs)
        {
            var type = BinaryPrimitives.ReadInt32LittleEndian(program);
            var segment = new ElfSegment(UInt64(program, 8), UInt64(program, 32), UInt64(program, 16));
            if (type == FrameIndexSegment)
                FrameIndex = segment;
            else if (type == DynamicSegment && segment.Length <= MaxDynamicBytes)
                isProgram |= IsPositionIndependentExecutable(Take(segment.Offset, segment.Length));
            else if (type == NoteSegment && BuildId.Length == 0 && segment.Length <= MaxNoteBytes)
                BuildId = ReadBuildId(Take(segment.Offset, segment.Length));
        }

        EntryPoint = isProgram ? UInt64(header, 24) : 0;
        Segments =
        [
            .. programs
                .Where(program => BinaryPrimitives.ReadInt32LittleEndian(program) == LoadSegment)
                .Select(program => new ElfSegment(UInt64(program, 8), UInt64(program, 32), UInt64(program, 16))),
        ];
        Sections = [.. sections.Select(SectionOf)];
        var names = (int)BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(62));
        _names = names < Sections.Count && Sections[names].Size <= MaxSectionNameBytes ? Content(Sections[names]) ?? [] : [];
    }

    /// <summary>Its bytes.</summary>
    public ImageFile ImageFile { get; }

    /// <summary>The file.</summary>
    public string Path => ImageFile.Path;

    /// <summary>Entry address of a program; 0 for a library.</summary>
    public ulong EntryPoint { get; }

    /// <summary>ELF machine number.</summary>
    public int Machine { get; }

    /// <summary>Build id (GNU note) in hexadecimal, empty when the file has none.</summary>
    public string BuildId { get; } = "";

    /// <summary>Parts that are loaded.</summary>
    public IReadOnlyList<ElfSegment> Segments { get; }

    /// <summary>The index of call frame information, of length 0 when there is none.</summary>
    public ElfSegment FrameIndex { get; }

    /// <summary>All sections.</summary>
    public IReadOnlyList<ElfSection> Sections { get; }

    /// <summary>Opens a file; null when it is not a 64-bit little-endian ELF file, or its headers are damaged.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public static ElfFile? Open(string path) =>
        // A pipe or device has no length, and opening one could block forever.
        new FileInfo(path)
            is { Exists: true, Length: >= HeaderSize }
            ? Read(ImageFile.Open(path))
            : null;

    /// <summary>Reads an opened file; null when it is not a 64-bit little-endian ELF file, or its headers are damaged.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static ElfFile? Read(ImageFile file) =>
        Take(file, 0, HeaderSize) is { } header
        && header.AsSpan().StartsWith("\x7f\x45LF\x02\x01"u8)
        && Headers(file, header, offsetAt: 32, sizeAt: 54, ProgramHeaderSize) is { } programs
        && Headers(file, header, offsetAt: 40, sizeAt: 58, SectionHeaderSize) is { } sections
            ? new ElfFile(file, header, programs, sections)
            : null;

    /// <summary>The first section with a name; null when there is none.</summary>
    public ElfSection? Section(ReadOnlySpan<byte> name)
    {
        foreach (var section in Sections)
        {
            if (
                section.Name < _names.Length
                && _names.AsSpan((int)section.Name) is var rest
                && rest.StartsWith(name)
                && rest.Length > name.Length
                && rest[name.Length] == 0
            )
                return section;
        }

        return null;
    }

    /// <summary>Content of a section; null when out of range.</summary>
    public byte[]? Content(ElfSection section) => Take(section.Offset, section.Size);

    /// <summary>Bytes of the file; null when out of range.</summary>
    public byte[]? Take(ulong offset, ulong length) => Take(ImageFile, offset, length);

    /// <summary>Bytes at an address of the loaded program; null when not in the file.</summary>
    public byte[]? TakeAt(ulong address, ulong length)
    {
        foreach (var segment in Segments)
        {
            if (segment.Holds(address) && length <= segment.Length - (address - segment.Address))
                return Take(segment.Offset + (address - segment.Address), length);
        }

        return null;
    }

    /// <summary>Bytes from an address of the loaded program up to the end of its segment; null when there are none.</summary>
    public byte[]? TakeFrom(ulong address) =>
        Segments.FirstOrDefault(segment => segment.Holds(address)) is { Length: > 0 } segment
            ? TakeAt(address, segment.Length - (address - segment.Address))
            : null;

    private static ElfSection SectionOf(byte[] header) =>
        new(
            BinaryPrimitives.ReadUInt32LittleEndian(header),
            BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(4)),
            UInt64(header, 16),
            UInt64(header, 24),
            UInt64(header, 32),
            BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(40)),
            UInt64(header, 56)
        );

    private static bool IsPositionIndependentExecutable(ReadOnlySpan<byte> entries)
    {
        for (; entries.Length >= DynamicEntrySize; entries = entries[DynamicEntrySize..])
        {
            if (UInt64(entries, 0) == Flags1)
                return (UInt64(entries, 8) & PositionIndependentExecutable) != 0;
        }

        return false;
    }

    private static string ReadBuildId(byte[]? notes)
    {
        var rest = notes.AsSpan();
        while (rest.Length >= 12)
        {
            var nameSize = BinaryPrimitives.ReadUInt32LittleEndian(rest);
            var size = BinaryPrimitives.ReadUInt32LittleEndian(rest[4..]);
            var type = BinaryPrimitives.ReadUInt32LittleEndian(rest[8..]);
            var content = 12 + Padded(nameSize);
            if (content + Padded(size) > (ulong)rest.Length)
                return "";
            if (type == BuildIdNote && rest[12..].StartsWith("GNU\0"u8))
                return Convert.ToHexStringLower(rest.Slice((int)content, (int)size));
            rest = rest[(int)(content + Padded(size))..];
        }

        return "";

        static ulong Padded(uint size) => ((ulong)size + 3) & ~3UL;
    }

    /// <summary>The entries of a table of headers; null when out of range.</summary>
    private static List<byte[]>? Headers(ImageFile file, byte[] header, int offsetAt, int sizeAt, int smallest)
    {
        var size = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(sizeAt));
        var count = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(sizeAt + 2));
        if (count == 0)
            return [];
        return size >= smallest && Take(file, UInt64(header, offsetAt), (ulong)size * count) is { } table ? [.. table.Chunk(size)] : null;
    }

    private static byte[]? Take(ImageFile file, ulong offset, ulong length)
    {
        var fileLength = (ulong)file.Length;
        if (offset > fileLength || length > fileLength - offset || length > MaxTableBytes)
            return null;
        var bytes = new byte[length];
        for (var done = 0; done < bytes.Length;)
        {
            var read = file.Read(bytes.AsSpan(done), (long)offset + done);
            if (read == 0)
                return null;
            done += read;
        }

        return bytes;
    }

    private static ulong UInt64(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt64LittleEndian(bytes[offset..]);
}

/// <summary>A part of an ELF file that is loaded.</summary>
/// <param name="Offset">Where it lies in the file.</param>
/// <param name="Length">Bytes of it in the file.</param>
/// <param name="Address">Its address in the program before relocation.</param>
internal readonly record struct ElfSegment(ulong Offset, ulong Length, ulong Address)
{
    /// <summary>Whether an address lies in it.</summary>
    public bool Holds(ulong address) => address >= Address && address - Address < Length;
}

/// <summary>A section of an ELF file.</summary>
/// <param name="Name">Offset of its name among the section names.</param>
/// <param name="Kind">Its type.</param>
/// <param name="Address">Where it is loaded.</param>
/// <param name="Offset">Where it lies in the file.</param>
/// <param name="Size">Its bytes.</param>
/// <param name="Link">For a symbol table, the section of its names.</param>
/// <param name="EntrySize">Bytes of an entry.</param>
internal readonly record struct ElfSection(uint Name, int Kind, ulong Address, ulong Offset, ulong Size, uint Link, ulong EntrySize)
{
    /// <summary>Whether an address lies in it.</summary>
    public bool Holds(ulong address) => address >= Address && address - Address < Size;
}
