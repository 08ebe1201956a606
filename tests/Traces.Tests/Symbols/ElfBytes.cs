using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

/// <summary>
/// Makes a small ELF file by hand: one loaded segment of 0x1000 bytes at file offset 0x1000 and address 0x401000, a build id, and a symbol
/// table. <see cref="MakeProgram"/> makes it a position-independent program.
/// </summary>
internal static class ElfBytes
{
    public const string BuildId = "0102030405060708";

    private const int NotesAt = 64 + 2 * 56;
    private const int NotesSize = 24;

    private const int DynamicAt = 0x1800;

    /// <summary>A program that begins at an address; linkers set the flag for a position-independent one.</summary>
    public static byte[] MakeProgram(ulong entry, bool isFlagged, params (string Name, ulong Address, ulong Size, byte Type)[] symbols)
    {
        var file = Make(symbols);
        BinaryPrimitives.WriteUInt64LittleEndian(file.AsSpan(24), entry);
        U64(56, 3, size: 2); // program headers
        var header = 64 + 2 * 56;
        file.AsSpan(NotesAt, NotesSize).CopyTo(file.AsSpan(NotesAt + 56));
        U64(64 + 56 + 8, NotesAt + 56);
        U64(header, 2, size: 4); // PT_DYNAMIC
        U64(header + 8, DynamicAt);
        U64(header + 32, 32);
        U64(DynamicAt, 0x6ffffffb); // DT_FLAGS_1
        U64(DynamicAt + 8, isFlagged ? 0x0800_0001UL : 1UL);
        return file;

        void U64(int at, ulong value, int size = 8)
        {
            Span<byte> bytes = stackalloc byte[8];
            BinaryPrimitives.WriteUInt64LittleEndian(bytes, value);
            bytes[..size].CopyTo(file.AsSpan(at));
        }
    }

    public static byte[] Make(params (string Name, ulong Address, ulong Size, byte Type)[] symbols)
    {
        var strings = new List<byte> { 0 };
        var table = new byte[24 * (symbols.Length + 1)];
        for (var i = 0; i < symbols.Length; i++)
        {
            var symbol = table.AsSpan(24 * (i + 1));
            BinaryPrimitives.WriteInt32LittleEndian(symbol, strings.Count);
            symbol[4] = (byte)(symbols[i].Type | 0x10);
            BinaryPrimitives.WriteUInt16LittleEndian(symbol[6..], 1);
            BinaryPrimitives.WriteUInt64LittleEndian(symbol[8..], symbols[i].Address);
            BinaryPrimitives.WriteUInt64LittleEndian(symbol[16..], symbols[i].Size);
            strings.AddRange(Encoding.UTF8.GetBytes(symbols[i].Name));
            strings.Add(0);
        }

        var tableAt = 0x2000;
        var stringsAt = tableAt + table.Length;
        var sectionsAt = (stringsAt + strings.Count + 7) / 8 * 8;
        var file = new byte[sectionsAt + 3 * 64];
        "\u007fELF\u0002\u0001\u0001"u8.CopyTo(file);
        U64(32, 64);
        U64(40, (ulong)sectionsAt);
        U16(54, 56);
        U16(56, 2);
        U16(58, 64);
        U16(60, 3);

        U32(64, 1); // PT_LOAD
        U64(64 + 8, 0x1000);
        U64(64 + 16, 0x401000);
        U64(64 + 32, 0x1000);
        U32(64 + 56, 4); // PT_NOTE
        U64(64 + 56 + 8, NotesAt);
        U64(64 + 56 + 32, NotesSize);
        U32(NotesAt, 4);
        U32(NotesAt + 4, 8);
        U32(NotesAt + 8, 3);
        "GNU\0"u8.CopyTo(file.AsSpan(NotesAt + 12));
        Convert.FromHexString(BuildId).CopyTo(file, NotesAt + 16);

        table.CopyTo(file, tableAt);
        strings.CopyTo(file, stringsAt);
        U32(sectionsAt + 64 + 4, 2); // SHT_SYMTAB
        U64(sectionsAt + 64 + 24, (ulong)tableAt);
        U64(sectionsAt + 64 + 32, (ulong)table.Length);
        U32(sectionsAt + 64 + 40, 2);
        U64(sectionsAt + 64 + 56, 24);
        U32(sectionsAt + 128 + 4, 3); // SHT_STRTAB
        U64(sectionsAt + 128 + 24, (ulong)stringsAt);
        U64(sectionsAt + 128 + 32, (ulong)strings.Count);
        return file;

        void U16(int at, ushort value) => BinaryPrimitives.WriteUInt16LittleEndian(file.AsSpan(at), value);
        void U32(int at, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(file.AsSpan(at), value);
        void U64(int at, ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(file.AsSpan(at), value);
    }

    /// <summary>The same with another build id.</summary>
    public static byte[] WithBuildId(byte[] file, string buildId)
    {
        var changed = (byte[])file.Clone();
        Convert.FromHexString(buildId).CopyTo(changed, NotesAt + 16);
        return changed;
    }

    /// <summary>The same with sections that have names.</summary>
    public static byte[] WithSections(byte[] file, params (string Name, ulong Address, byte[] Content)[] sections)
    {
        var count = BinaryPrimitives.ReadUInt16LittleEndian(file.AsSpan(60));
        var headers = file.AsSpan((int)BinaryPrimitives.ReadUInt64LittleEndian(file.AsSpan(40)), count * 64).ToArray().ToList();
        var changed = file.ToList();
        var names = new List<byte> { 0 };
        foreach (var (name, address, content) in sections)
        {
            headers.AddRange(Header(names.Count, 1, address, changed.Count, content.Length));
            names.AddRange([.. Encoding.UTF8.GetBytes(name), 0]);
            changed.AddRange(content);
        }

        headers.AddRange(Header(0, 3, 0, changed.Count, names.Count));
        changed.AddRange(names);
        byte[] whole = [.. changed, .. headers];
        BinaryPrimitives.WriteUInt64LittleEndian(whole.AsSpan(40), (ulong)changed.Count);
        BinaryPrimitives.WriteUInt16LittleEndian(whole.AsSpan(60), (ushort)(count + sections.Length + 1));
        BinaryPrimitives.WriteUInt16LittleEndian(whole.AsSpan(62), (ushort)(count + sections.Length));
        return whole;

        static byte[] Header(int nameAt, int kind, ulong address, int at, int size)
        {
            var header = new byte[64];
            BinaryPrimitives.WriteInt32LittleEndian(header, nameAt);
            BinaryPrimitives.WriteInt32LittleEndian(header.AsSpan(4), kind);
            BinaryPrimitives.WriteUInt64LittleEndian(header.AsSpan(16), address);
            BinaryPrimitives.WriteInt64LittleEndian(header.AsSpan(24), at);
            BinaryPrimitives.WriteInt64LittleEndian(header.AsSpan(32), size);
            return header;
        }
    }

    /// <summary>
    /// An arm64 library with functions and their call frame instructions: code in units of 4, data of -8, return address in x30, the CFA of
    /// the first instruction is SP.
    /// </summary>
    public static byte[] MakeArm64(params (ulong Address, uint Size, byte[] Instructions)[] functions)
    {
        const int IndexAt = 0x1800;
        const int FramesAt = 0x1900;
        const int ToAddress = 0x400000;
        byte[] common = [0, 0, 0, 0, 1, (byte)'z', (byte)'R', 0, 4, 0x78, 30, 1, 0x1b, 0x0c, 31, 0];
        List<byte> frames = [.. BitConverter.GetBytes(common.Length), .. common];
        List<byte> index =
        [
            1,
            0x1b,
            0x03,
            0x3b,
            .. BitConverter.GetBytes(FramesAt - (IndexAt + 4)),
            .. BitConverter.GetBytes(functions.Length),
        ];
        foreach (var (address, size, instructions) in functions)
        {
            var entry = FramesAt + frames.Count;
            index.AddRange(BitConverter.GetBytes((int)address - (IndexAt + ToAddress)));
            index.AddRange(BitConverter.GetBytes(entry - IndexAt));
            frames.AddRange(BitConverter.GetBytes(13 + instructions.Length));
            frames.AddRange(BitConverter.GetBytes(frames.Count));
            frames.AddRange(BitConverter.GetBytes((int)address - (entry + 8 + ToAddress)));
            frames.AddRange([.. BitConverter.GetBytes(size), 0, .. instructions]);
        }

        var file = Make();
        U16(18, 183); // EM_AARCH64
        index.CopyTo(file, IndexAt);
        frames.CopyTo(file, FramesAt);
        const int Header = 64 + 56; // in place of the build id
        file.AsSpan(Header, 56).Clear();
        U64(Header, 0x6474e550); // PT_GNU_EH_FRAME
        U64(Header + 8, IndexAt);
        U64(Header + 16, IndexAt + ToAddress);
        U64(Header + 32, (ulong)index.Count);
        return file;

        void U16(int at, ushort value) => BinaryPrimitives.WriteUInt16LittleEndian(file.AsSpan(at), value);
        void U64(int at, ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(file.AsSpan(at), value);
    }

    /// <summary>Content of <c>.gnu_debuglink</c>.</summary>
    public static byte[] DebugLink(string name, uint checksum)
    {
        var content = new byte[(name.Length + 4) / 4 * 4 + 4];
        Encoding.UTF8.GetBytes(name).CopyTo(content, 0);
        BinaryPrimitives.WriteUInt32LittleEndian(content.AsSpan(content.Length - 4), checksum);
        return content;
    }
}
