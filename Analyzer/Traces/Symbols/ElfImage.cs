using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Symbols.Kept;
using EtwSerializerProfiler.Traces.Symbols.Unwinding;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// The functions of an ELF file (64 bit, little-endian) by their place in the file, from <c>.symtab</c> and <c>.dynsym</c>. Every offset, size and count
/// is checked against the file before it is used.
/// </summary>
/// <remarks>
/// Layout (elf.h). Header: magic @0, class @4 (2), byte order @5 (1), u16 type @16, u16 machine @18, u64 entry @24, u64 program headers @32, u64 section headers @40, u16 size and count of program
/// headers @54 and of section headers @58. Program header, 56 bytes: u32 type @0, u64 file offset @8, u64 address @16, u64 bytes in the file @32. Dynamic entry: u64 tag, u64 value.
/// Section header, 64 bytes: u32 type @4, u64 file offset @24, u64 size @32, u32 link @40 (string table), u64 size of an entry @56. Symbol, 24 bytes:
/// u32 name @0, u8 type (low 4 bits) @4, u16 section @6, u64 address @8, u64 size @16. Note: u32 size of name, size of content, type; each padded to 4.
/// </remarks>
internal sealed class ElfImage
{
    private const int HeaderSize = 64;
    private const int ProgramHeaderSize = 56;
    private const int SectionHeaderSize = 64;
    private const int SymbolSize = 24;

    private const int DynamicEntrySize = 16;

    private const int LoadSegment = 1;
    private const int DynamicSegment = 2;
    private const int NoteSegment = 4;
    private const int FrameIndexSegment = 0x6474e550; // PT_GNU_EH_FRAME
    private const int SymbolSection = 2;
    private const int DynamicSymbolSection = 11;
    private const int FunctionSymbol = 2;
    private const int IndirectFunctionSymbol = 10;
    private const int BuildIdNote = 3;
    private const int ExecutableFile = 2; // ET_EXEC
    private const ulong Flags1 = 0x6ffffffb; // DT_FLAGS_1
    private const ulong PositionIndependentExecutable = 0x08000000; // DF_1_PIE

    /// <summary>Largest table that is read: ten times that of the largest program known to have one.</summary>
    private const long LargestTable = 1L << 30;

    /// <summary>Bytes of a name, longer than compilers make: where a damaged table has no ends of names, looking for each takes no longer than this.</summary>
    private const int MaxNameBytes = 1 << 16;

    /// <summary>Bytes of dynamic entries, more than linkers write.</summary>
    private const int MaxDynamicBytes = 1 << 16;

    /// <summary>Longest <c>_start</c> that C libraries have, rounded up: 48 bytes on arm64, 40 on x64.</summary>
    private const ulong MaxStartBytes = 64;

    /// <summary>Bytes of notes, more than linkers write: damaged headers may have tens of thousands of segments of notes, each as long as the file.</summary>
    private const int MaxNoteBytes = 1 << 16;

    private readonly (ulong Offset, ulong Length, ulong Address)[] _segments;
    private readonly SymbolTable _symbols;
    private readonly ImageFile _file;
    private readonly int _machine;

    /// <summary>The index of call frame information, of length 0 when there is none.</summary>
    private readonly (ulong Offset, ulong Length, ulong Address) _frameIndex;

    private UnwindTable? _unwind;
    private bool _triedUnwind;

    private ElfImage(ImageFile file, int machine, (ulong Offset, ulong Length, ulong Address)[] segments, (ulong Offset, ulong Length, ulong Address) frameIndex, SymbolTable symbols, string buildId)
    {
        _file = file;
        _machine = machine;
        _segments = segments;
        _frameIndex = frameIndex;
        _symbols = symbols;
        BuildId = buildId;
    }

    /// <summary>Build id (GNU note) in hexadecimal, empty when the file has none.</summary>
    public string BuildId { get; }

    /// <summary>The file.</summary>
    public ImageFile ImageFile => _file;

    /// <summary>Functions known.</summary>
    public int Count => _symbols.Count;

    /// <summary>Reads a file; null when it is no such ELF file or is damaged where it matters.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public static ElfImage? Read(string path)
    {
        // A pipe or device has no length: opening one could wait for ever.
        if (new FileInfo(path) is not { Exists: true, Length: >= HeaderSize })
            return null;
        return Read(ImageFile.Open(path));
    }

    /// <summary>Reads an opened file, or what a recording keeps of it; null when it is no such ELF file or is damaged where it matters.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static ElfImage? Read(ImageFile file)
    {
        var header = Take(file, 0, HeaderSize);
        if (header is null || !header.AsSpan().StartsWith("\x7f\x45LF\x02\x01"u8))
            return null;
        var programs = Headers(file, header, offsetAt: 32, sizeAt: 54, ProgramHeaderSize);
        var sections = Headers(file, header, offsetAt: 40, sizeAt: 58, SectionHeaderSize);
        if (programs is null || sections is null)
            return null;

        var segments = new List<(ulong, ulong, ulong)>();
        (ulong, ulong, ulong) frameIndex = default;
        var buildId = "";
        var isProgram = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(16)) == ExecutableFile;
        foreach (var program in programs)
        {
            var type = BinaryPrimitives.ReadInt32LittleEndian(program);
            if (type == LoadSegment)
                segments.Add((UInt64(program, 8), UInt64(program, 32), UInt64(program, 16)));
            else if (type == FrameIndexSegment)
                frameIndex = (UInt64(program, 8), UInt64(program, 32), UInt64(program, 16));
            else if (type == DynamicSegment && UInt64(program, 32) <= MaxDynamicBytes)
                isProgram |= IsPositionIndependentExecutable(Take(file, UInt64(program, 8), UInt64(program, 32)));
            else if (type == NoteSegment && buildId.Length == 0 && UInt64(program, 32) <= MaxNoteBytes)
                buildId = ReadBuildId(Take(file, UInt64(program, 8), UInt64(program, 32)));
        }

        var symbols = ReadSymbols(file, sections, isProgram ? UInt64(header, 24) : 0);
        return new ElfImage(file, BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(18)), [.. segments], frameIndex, symbols, buildId);
    }

    /// <summary>The function at an offset in the file.</summary>
    public bool TryFind(ulong fileOffset, out string name)
    {
        if (TryAddress(fileOffset, out var address))
            return _symbols.TryFind(address, out name);
        name = "";
        return false;
    }

    /// <summary>How to find the caller of the function at an offset in the file.</summary>
    public bool TryFindUnwindRow(ulong fileOffset, out UnwindRow row)
    {
        row = default;
        if (!_triedUnwind)
            _unwind = ReadUnwindTable();
        _triedUnwind = true;
        return _unwind is not null && TryAddress(fileOffset, out var address) && _unwind.TryFind(address, out row);
    }

    private bool TryAddress(ulong fileOffset, out ulong address)
    {
        foreach (var (offset, length, start) in _segments)
        {
            address = start + (fileOffset - offset);
            if (fileOffset >= offset && fileOffset - offset < length)
                return true;
        }

        address = 0;
        return false;
    }

    /// <summary>Read when it is first asked for: only stacks with a dump need it.</summary>
    private UnwindTable? ReadUnwindTable()
    {
        if (_frameIndex.Length == 0 || UnwindColumns.Of(_machine) is not { } columns)
            return null;
        try
        {
            return Take(_file, _frameIndex.Offset, _frameIndex.Length) is { } index ? UnwindTable.Create(columns, index, _frameIndex.Address, ReadSegment) : null;

            byte[]? ReadSegment(ulong address)
            {
                foreach (var (offset, length, start) in _segments)
                {
                    if (address >= start && address - start < length)
                        return Take(_file, offset + (address - start), length - (address - start));
                }

                return null;
            }
        }
        catch (IOException)
        {
            return null; // names were read from it a moment ago: it was replaced
        }
    }

    /// <summary>Reads the functions.</summary>
    /// <param name="file">The file.</param>
    /// <param name="sections">Its section headers.</param>
    /// <param name="entry">Where a program begins: its <c>_start</c> also where the name was stripped, as in .NET's hosts. 0 for a library, whose entry means nothing.</param>
    private static SymbolTable ReadSymbols(ImageFile file, List<byte[]> sections, ulong entry)
    {
        var symbols = new List<(ulong, ulong, int, int)>();
        var text = new MemoryStream();

        // The format has one section of each kind. Damaged headers may point many at one table: the first of each keeps what is read within the file's size.
        foreach (var section in sections.Where(section => Kind(section) is SymbolSection or DynamicSymbolSection).DistinctBy(Kind))
        {
            if (UInt64(section, 56) != SymbolSize)
                continue;
            var link = BinaryPrimitives.ReadUInt32LittleEndian(section.AsSpan(40));
            if (link >= sections.Count)
                continue;
            var names = sections[(int)link];
            if (Take(file, UInt64(section, 24), UInt64(section, 32)) is not { } table || Take(file, UInt64(names, 24), UInt64(names, 32)) is not { } strings || text.Length + strings.Length > LargestTable)
                continue;
            var textStart = (int)text.Length;
            text.Write(strings);
            for (var at = 0; at + SymbolSize <= table.Length; at += SymbolSize)
            {
                var symbol = table.AsSpan(at, SymbolSize);
                var name = BinaryPrimitives.ReadUInt32LittleEndian(symbol);
                var start = UInt64(symbol, 8);
                var size = UInt64(symbol, 16);
                if ((symbol[4] & 0xf) is not (FunctionSymbol or IndirectFunctionSymbol) || BinaryPrimitives.ReadUInt16LittleEndian(symbol[6..]) == 0 || name >= strings.Length || start + size < start)
                    continue;
                var length = strings.AsSpan((int)name, Math.Min(strings.Length - (int)name, MaxNameBytes)).IndexOf((byte)0);
                if (length > 0)
                    symbols.Add((start, size == 0 ? 0 : start + size, textStart + (int)name, length));
            }
        }

        if (entry is not 0 and <= ulong.MaxValue - MaxStartBytes && symbols.TrueForAll(symbol => symbol.Item1 != entry))
        {
            symbols.Add((entry, entry + MaxStartBytes, (int)text.Length, "_start"u8.Length));
            text.Write("_start"u8);
        }

        return new SymbolTable(symbols, text.ToArray());

        static int Kind(byte[] section) => BinaryPrimitives.ReadInt32LittleEndian(section.AsSpan(4));
    }

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

    /// <summary>The entries of a table of headers; null when it does not lie in the file.</summary>
    private static List<byte[]>? Headers(ImageFile file, byte[] header, int offsetAt, int sizeAt, int smallest)
    {
        var size = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(sizeAt));
        var count = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(sizeAt + 2));
        if (count == 0)
            return [];
        return size >= smallest && Take(file, UInt64(header, offsetAt), (ulong)size * count) is { } table ? [.. table.Chunk(size)] : null;
    }

    /// <summary>Bytes of the file; null when they do not lie in it.</summary>
    private static byte[]? Take(ImageFile file, ulong offset, ulong length)
    {
        var fileLength = (ulong)file.Length;
        if (offset > fileLength || length > fileLength - offset || length > LargestTable)
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
