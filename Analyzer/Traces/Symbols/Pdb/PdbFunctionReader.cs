using System.Buffers;
using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>
/// Reads the functions of a PDB file: public symbols and, where the file has them, the procedures of each module, which have lengths and
/// include static functions. A public symbol has no length: it extends to the next one, but at most to the end of its section contribution.
/// </summary>
/// <remarks>
/// Symbols (cvinfo.h), from the begin of the record. S_PUB32 0x110E: u32 flags @4 (1 code, 2 function, 4 managed, 8 IL), offset @8, u16
/// section @12, name @14. S_LPROC32 0x110F, S_GPROC32 0x1110 (and 0x1146, 0x1147): u32 length @16, offset @32, u16 section @36, name @39.
/// Public stream: u32 bytes of the hash table @0, of the address map @4; header of 28 bytes, hash table, address map: offsets of the
/// symbols that count. Section header (PE), 40 bytes: u32 size in memory @8, address @12. Contributions: u32 version, then 28 (or, version
/// 2, 32) bytes each: u16 section @0, u32 offset @4, size @8, characteristics @12.
/// </remarks>
internal sealed class PdbFunctionReader
{
    private const int PublicSymbol = 0x110E;
    private const int LocalProcedure = 0x110F;
    private const int GlobalProcedure = 0x1110;
    private const int LocalProcedureId = 0x1146;
    private const int GlobalProcedureId = 0x1147;

    private const uint CodeOrFunction = 3;
    private const uint ManagedCode = 12;

    private const int OmapToSource = 3;
    private const int SectionHeaders = 5;
    private const int OriginalSectionHeaders = 10;
    private const int SectionHeaderSize = 40;
    private const int PublicHeaderSize = 28;
    private const int ModuleSignatureSize = 4;
    private const uint ContributionVersion1 = 0xF12E_BA2D;
    private const uint ContributionVersion2 = 0xF131_51E4;
    private const uint ContainsCode = 0x20;

    /// <summary>Maximum bytes of names: ten times those of the largest known PDB files.</summary>
    private const long MaxTextBytes = 1L << 30;

    private readonly PdbFile _file;
    private readonly SymbolRecords _records;
    private readonly byte[] _sections;
    private readonly byte[] _moved;

    /// <summary>Pieces of code, ascending.</summary>
    private readonly List<(ulong Start, ulong End)> _pieces = [];

    /// <summary>Functions found; an end of 0: not known.</summary>
    private readonly List<(ulong Start, ulong End, int Offset, int Length)> _symbols = [];
    private readonly ArrayBufferWriter<byte> _text = new();

    /// <summary>Module streams that were read: no two modules share one.</summary>
    private readonly HashSet<int> _read = [];

    private PdbFunctionReader(PdbFile file)
    {
        _file = file;
        _records = new SymbolRecords(file.Container);
        _moved = file.DebugStream(OmapToSource) ?? [];
        _sections = (_moved.Length > 0 ? file.DebugStream(OriginalSectionHeaders) : file.DebugStream(SectionHeaders)) ?? [];
        if (_moved.Length > 0 && _sections.Length == 0)
            throw new PdbFormatException("the original section headers of an image whose code was moved", 0);
        for (var at = 8; at + 8 <= _moved.Length; at += 8)
        {
            if (UInt32(_moved, at) < UInt32(_moved, at - 8))
                throw new PdbFormatException("ascending offsets in the table of moved code (OMAP)", at);
        }
    }

    /// <summary>Reads the functions of a file.</summary>
    /// <exception cref="PdbFormatException">It is damaged.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static PdbFunctions Read(PdbFile file)
    {
        var reader = new PdbFunctionReader(file);
        reader.ReadContributions();
        reader.ReadPublicSymbols();
        reader.ReadModules();
        return new PdbFunctions(reader.Table(), reader._moved, file.IsX86);
    }

    private void ReadContributions()
    {
        var bytes = _file.Contributions;
        if (bytes.Length < 4)
            return;
        var size = UInt32(bytes, 0) switch
        {
            ContributionVersion1 => 28,
            ContributionVersion2 => 32,
            _ => 0,
        };
        for (var at = 4; size > 0 && at + size <= bytes.Length; at += size)
        {
            if (
                (UInt32(bytes, at + 12) & ContainsCode) != 0
                && TryPlace(UInt16(bytes, at), UInt32(bytes, at + 4), out var start, out var sectionEnd)
            )
                _pieces.Add((start, Math.Min(start + UInt32(bytes, at + 8), sectionEnd)));
        }

        _pieces.Sort();
    }

    private void ReadPublicSymbols()
    {
        var stream = _file.SymbolStream;
        if (stream == PdbFile.NoStream)
            return;
        var counts = AddressMap();
        var next = 0;
        _records.Begin(stream, 0, _file.Container.Length(stream));
        while (_records.TryRead(out var record))
        {
            if (
                UInt16(record, 2) != PublicSymbol
                || record.Length <= 14
                || (UInt32(record, 4) & CodeOrFunction) == 0
                || (UInt32(record, 4) & ManagedCode) != 0
            )
                continue;
            while (counts is not null && next < counts.Length && counts[next] < _records.Offset)
                next++;
            if (
                (counts is null || (next < counts.Length && counts[next] == _records.Offset))
                && TryPlace(UInt16(record, 12), UInt32(record, 8), out var start, out _)
            )
                Add(start, 0, record[14..]);
        }
    }

    /// <summary>
    /// Offsets of the valid public symbols, ascending: incremental linking leaves stale ones. Null when the file has no such list.
    /// </summary>
    private uint[]? AddressMap()
    {
        var stream = _file.PublicStream;
        if (stream == PdbFile.NoStream)
            return null;
        var header = _file.Container.Read(stream, 0, PublicHeaderSize);
        var hash = UInt32(header, 0);
        var size = UInt32(header, 4);
        if (hash + (ulong)size + PublicHeaderSize > (ulong)_file.Container.Length(stream))
            throw new PdbFormatException("the sizes of the tables of public symbols", 0);
        var bytes = _file.Container.Read(stream, PublicHeaderSize + (int)hash, (int)size);
        var offsets = new uint[bytes.Length / 4];
        for (var i = 0; i < offsets.Length; i++)
            offsets[i] = UInt32(bytes, 4 * i);
        Array.Sort(offsets);
        return offsets;
    }

    private void ReadModules()
    {
        foreach (var module in _file.Modules())
        {
            if (module.Stream != PdbFile.NoStream && module.SymbolBytes > ModuleSignatureSize && _read.Add(module.Stream))
                ReadProcedures(module.Stream, module.SymbolBytes);
        }
    }

    private void ReadProcedures(int stream, uint size)
    {
        if (size > _file.Container.Length(stream))
            throw new PdbFormatException(FormattableString.Invariant($"symbols of a module in stream {stream}"), size);
        _records.Begin(stream, ModuleSignatureSize, (int)size);
        while (_records.TryRead(out var record))
        {
            if (
                UInt16(record, 2) is not (LocalProcedure or GlobalProcedure or LocalProcedureId or GlobalProcedureId)
                || record.Length <= 39
            )
                continue;
            if (
                UInt32(record, 16) is var length and > 0
                && TryPlace(UInt16(record, 36), UInt32(record, 32), out var start, out var sectionEnd)
            )
                Add(start, Math.Min(start + length, sectionEnd), record[39..]);
        }
    }

    private void Add(ulong start, ulong end, ReadOnlySpan<byte> name)
    {
        var length = name.IndexOf((byte)0);
        if (length <= 0)
            return;
        if (_text.WrittenCount + (long)length > MaxTextBytes)
            throw new PdbFormatException("less than 1 GB of names", 0);
        _symbols.Add((start, end, _text.WrittenCount, length));
        _text.Write(name[..length]);
    }

    /// <summary>Image offsets of a place in a section (numbered from 1) and of the section's end.</summary>
    private bool TryPlace(int section, uint offset, out ulong start, out ulong sectionEnd)
    {
        start = sectionEnd = 0;
        var at = (section - 1) * SectionHeaderSize;
        if (at < 0 || at + SectionHeaderSize > _sections.Length)
            return false;
        var address = (ulong)UInt32(_sections, at + 12);
        start = address + offset;
        sectionEnd = address + UInt32(_sections, at + 8);
        return start < sectionEnd;
    }

    /// <summary>
    /// Of several names for the same place the first public one is used (folded functions have one); the end is that of a procedure, if
    /// there is one.
    /// </summary>
    private SymbolTable Table()
    {
        _symbols.Sort((left, right) => (left.Start, left.End, left.Offset).CompareTo((right.Start, right.End, right.Offset)));
        var count = 0;
        for (var i = 0; i < _symbols.Count;)
        {
            var symbol = _symbols[i];
            for (; i < _symbols.Count && _symbols[i].Start == symbol.Start; i++)
                symbol.End = Math.Max(symbol.End, _symbols[i].End);
            _symbols[count++] = symbol.End != 0 ? symbol : symbol with { End = EndOf(symbol.Start) };
        }

        _symbols.RemoveRange(count, _symbols.Count - count);
        return new SymbolTable(_symbols, _text.WrittenSpan.ToArray());
    }

    /// <summary>End of the contribution that contains a place; end of its section if none does.</summary>
    private ulong EndOf(ulong place)
    {
        var low = 0;
        var high = _pieces.Count;
        while (low < high)
        {
            var middle = (low + high) >>> 1;
            if (_pieces[middle].Start <= place)
                low = middle + 1;
            else
                high = middle;
        }

        if (low > 0 && place < _pieces[low - 1].End)
            return _pieces[low - 1].End;
        for (var section = 1; ; section++)
        {
            if (TryPlace(section, 0, out var start, out var end) && start <= place && place < end)
                return end;
        }
    }

    private static int UInt16(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[offset..]);

    private static uint UInt32(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[offset..]);
}
