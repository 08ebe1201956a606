using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>Texts of a PDB file by their offset in a table of them; each ends with a 0.</summary>
/// <remarks>
/// Layout (LLVM's "The PDB Info Stream", microsoft-pdb's nmt.h). Stream /names: u32 signature @0, version @4, size of the table @8, table.
/// Info stream, from @28: u32 size of a table, table, then a hash table of streams' names: u32 entries, u32 buckets, u32 words and words
/// that say which are used, the same of removed ones, and each entry's u32 offset of the name and u32 stream.
/// </remarks>
internal sealed class PdbNames
{
    private const uint Signature = 0xEFFE_EFFE;
    private const int HeaderSize = 12;
    private const int InfoStream = 1;
    private const int InfoSize = 28;

    private readonly byte[] _table;
    private readonly Dictionary<uint, string> _names = [];

    /// <summary>Texts do not overlap, so together they are not longer than the table.</summary>
    private int _unread;

    private PdbNames(byte[] table) => (_table, _unread) = (table, table.Length);

    /// <summary>Reads the table of the stream /names.</summary>
    /// <exception cref="PdbFormatException">It is damaged.</exception>
    public static PdbNames Read(MsfFile file, int stream)
    {
        var header = file.Read(stream, 0, HeaderSize);
        if (UInt32(header, 0) != Signature || UInt32(header, 8) > file.Length(stream) - HeaderSize)
            throw new PdbFormatException("the head of the stream /names", 0);
        return new PdbNames(file.Read(stream, HeaderSize, (int)UInt32(header, 8)));
    }

    /// <summary>Reads the names of streams.</summary>
    /// <returns>Stream numbers by name, ignoring case.</returns>
    /// <exception cref="PdbFormatException">The list is damaged.</exception>
    public static IReadOnlyDictionary<string, int> ReadStreams(MsfFile file)
    {
        var bytes = file.Read(InfoStream, 0, file.Length(InfoStream)).AsSpan(InfoSize);
        var names = new PdbNames(Take(ref bytes, Word(ref bytes)).ToArray());
        var count = Word(ref bytes);
        Word(ref bytes);
        for (var set = 0; set < 2; set++)
            Take(ref bytes, 4L * Word(ref bytes));
        var entries = Take(ref bytes, 8L * count);
        var streams = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase);
        for (; !entries.IsEmpty; entries = entries[8..])
            streams.TryAdd(names.At(UInt32(entries, 0)), (int)Math.Min(UInt32(entries, 4), PdbFile.NoStream));
        return streams;
    }

    /// <summary>The text at an offset.</summary>
    /// <exception cref="PdbFormatException">There is none.</exception>
    public string At(uint offset)
    {
        if (_names.TryGetValue(offset, out var name))
            return name;
        var length = offset < _table.Length ? _table.AsSpan((int)offset).IndexOf((byte)0) : -1;
        if (length < 0 || (_unread -= length) < 0)
            throw new PdbFormatException("a name in a table of names", offset);
        _names.Add(offset, name = Encoding.UTF8.GetString(_table, (int)offset, length));
        return name;
    }

    private static uint Word(ref Span<byte> bytes) => UInt32(Take(ref bytes, 4), 0);

    private static Span<byte> Take(ref Span<byte> bytes, long count)
    {
        if (count > bytes.Length)
            throw new PdbFormatException("the names of streams in stream 1", 0);
        var taken = bytes[..(int)count];
        bytes = bytes[(int)count..];
        return taken;
    }

    private static uint UInt32(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[offset..]);
}
