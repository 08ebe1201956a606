using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.Symbols.NativeAot;

/// <summary>Header by which the runtime of a NativeAOT program finds its tables.</summary>
/// <remarks>
/// Format: ModuleHeaders.cs of dotnet/runtime. Section <c>__modules</c> has the header's address: u32 signature, u16 major and minor
/// version, u32 flags, u16 count of tables, u8 bytes of an entry, u8 its form; an entry is u32 kind, u32 flags, u64 begin, u64 end. Some
/// linkers write zeros and put the addresses into relocations.
/// </remarks>
internal sealed class RuntimeHeader
{
    private const uint Signature = 0x0052_5452;
    private const int HeaderBytes = 16,
        EntryBytes = 24;
    private const int RelocationSection = 4,
        RelocationBytes = 24;

    /// <summary>R_X86_64_RELATIVE and R_AARCH64_RELATIVE.</summary>
    private const uint RelativeOfX64 = 8,
        RelativeOfArm64 = 1027;

    /// <summary>A larger table means damage.</summary>
    private const int MaxTableBytes = 256 << 20;

    private readonly ElfFile _file;
    private readonly byte[] _entries;
    private readonly ulong _entriesAddress;
    private readonly Lazy<Dictionary<ulong, ulong>> _relocated;

    private RuntimeHeader(ElfFile file)
    {
        _file = file;
        _relocated = new(Relocations);
        _entries = [];
        if (
            file.Section("__modules"u8) is not { Size: >= sizeof(ulong) } modules
            || file.TakeAt(modules.Address, sizeof(ulong)) is not { } pointer
        )
            return;
        var address = Pointer(pointer, 0, modules.Address);
        if (
            file.TakeAt(address, HeaderBytes) is not { } header
            || BinaryPrimitives.ReadUInt32LittleEndian(header) != Signature
            || header[14] != EntryBytes
        )
            return;
        _entriesAddress = address + HeaderBytes;
        _entries = file.TakeAt(_entriesAddress, (ulong)BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(12)) * EntryBytes) ?? [];
        MajorVersion = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(4));
    }

    /// <summary>Major version of the tables' formats.</summary>
    public int MajorVersion { get; }

    /// <summary>Reads the header of a program; null when it has none.</summary>
    /// <param name="file">The program; must stay open while tables are read.</param>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static RuntimeHeader? Read(ElfFile file) => new RuntimeHeader(file) is { _entries.Length: > 0 } header ? header : null;

    /// <summary>A table with its address; empty when there is none.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public (byte[] Bytes, ulong Address) Table(int kind)
    {
        for (var at = 0; at + EntryBytes <= _entries.Length; at += EntryBytes)
        {
            if (BinaryPrimitives.ReadInt32LittleEndian(_entries.AsSpan(at)) != kind)
                continue;
            var (start, end) = (Pointer(_entries, at + 8, _entriesAddress), Pointer(_entries, at + 16, _entriesAddress));
            return end > start && end - start <= MaxTableBytes && _file.TakeAt(start, end - start) is { } bytes ? (bytes, start) : ([], 0);
        }

        return ([], 0);
    }

    private ulong Pointer(byte[] bytes, int at, ulong address) =>
        BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(at)) is not 0 and var pointer
            ? pointer
            : _relocated.Value.GetValueOrDefault(address + (ulong)at);

    /// <summary>Relocated addresses by position; an entry is u64 position, u64 kind, u64 address.</summary>
    private Dictionary<ulong, ulong> Relocations()
    {
        var found = new Dictionary<ulong, ulong>();
        var tables = _file.Sections.Where(section => section.Kind == RelocationSection && section.EntrySize == RelocationBytes);
        foreach (var table in tables.DistinctBy(section => section.Offset).Take(2).Select(_file.Content).OfType<byte[]>())
        {
            for (var at = 0; at + RelocationBytes <= table.Length; at += RelocationBytes)
            {
                var relocation = table.AsSpan(at);
                if (BinaryPrimitives.ReadUInt32LittleEndian(relocation[8..]) is RelativeOfX64 or RelativeOfArm64)
                    found[BinaryPrimitives.ReadUInt64LittleEndian(relocation)] = BinaryPrimitives.ReadUInt64LittleEndian(relocation[16..]);
            }
        }

        return found;
    }
}
