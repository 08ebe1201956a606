using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>
/// Writes the functions and lines of Windows PDB files as linkers and compilers do. The pages of its streams are interleaved in the file.
/// </summary>
/// <param name="guid">Its identity.</param>
/// <param name="age">Its age.</param>
public sealed partial class SyntheticPdb(Guid guid, int age = 1)
{
    private const int PublicHeader = 28;
    private const ushort NoStream = 0xFFFF;

    private readonly List<(int Address, int Size)> _sections = [];
    private readonly List<(int Section, int Offset, int Size)> _pieces = [];
    private readonly List<(int From, int To)> _moved = [];
    private readonly List<byte> _symbols = [];
    private readonly List<int> _counting = [];
    private readonly List<(byte[] Stream, int SymbolBytes)> _modules = [];

    /// <summary>Size of a page.</summary>
    public int PageSize { get; init; } = 512;

    /// <summary>Age of the info stream, if different.</summary>
    public int? InfoAge { get; init; }

    /// <summary>Machine of the code.</summary>
    public ushort Machine { get; init; } = 0x8664;

    /// <summary>Adds a section; the first one has number 1.</summary>
    public SyntheticPdb Section(int address, int size)
    {
        _sections.Add((address, size));
        return this;
    }

    /// <summary>Adds a piece of code that a module contributed.</summary>
    public SyntheticPdb Piece(int section, int offset, int size)
    {
        _pieces.Add((section, offset, size));
        return this;
    }

    /// <summary>Adds an entry of OMAP to source; the linker's sections are then the original ones.</summary>
    public SyntheticPdb Moved(int from, int to)
    {
        _moved.Add((from, to));
        return this;
    }

    /// <summary>Adds a public symbol; <paramref name="counts"/>: whether the table of public symbols has it.</summary>
    public SyntheticPdb Public(int section, int offset, string name, uint flags = 2, bool counts = true)
    {
        if (counts)
            _counting.Add(_symbols.Count);
        var record = Record(0x110E, 14, name);
        BinaryPrimitives.WriteUInt32LittleEndian(record.AsSpan(4), flags);
        BinaryPrimitives.WriteInt32LittleEndian(record.AsSpan(8), offset);
        BinaryPrimitives.WriteUInt16LittleEndian(record.AsSpan(12), (ushort)section);
        _symbols.AddRange(record);
        return this;
    }

    /// <summary>Adds a module with procedures.</summary>
    public SyntheticPdb Module(params (int Section, int Offset, int Length, string Name)[] procedures)
    {
        var symbols = new MemoryStream();
        symbols.Write([4, 0, 0, 0]);
        foreach (var (section, offset, length, name) in procedures)
        {
            var record = Record(symbols.Length % 8 == 4 ? (ushort)0x1110 : (ushort)0x110F, 39, name);
            BinaryPrimitives.WriteInt32LittleEndian(record.AsSpan(16), length);
            BinaryPrimitives.WriteInt32LittleEndian(record.AsSpan(32), offset);
            BinaryPrimitives.WriteUInt16LittleEndian(record.AsSpan(36), (ushort)section);
            symbols.Write(record);
            symbols.Write([2, 0, 6, 0]); // S_END
        }

        _modules.Add((symbols.ToArray(), (int)symbols.Length));
        return this;
    }

    /// <summary>The file.</summary>
    public byte[] Build()
    {
        // Streams: 1 info, 3 DBI, 4 symbols, 5 public symbols, 6 section headers, 7 OMAP or numbers of methods, then those of the modules
        // and those with names.
        var info = new byte[28];
        Put(info, 0, 20000404);
        Put(info, 8, InfoAge ?? age);
        guid.TryWriteBytes(info.AsSpan(12));
        var headers = new byte[40 * _sections.Count];
        for (var i = 0; i < _sections.Count; i++)
        {
            Put(headers, (40 * i) + 8, _sections[i].Size);
            Put(headers, (40 * i) + 12, _sections[i].Address);
        }

        byte[] omap = [.. _moved.SelectMany(entry => (byte[])[.. BitConverter.GetBytes(entry.From), .. BitConverter.GetBytes(entry.To)])];
        var publics = new byte[PublicHeader + 16 + (4 * _counting.Count)];
        Put(publics, 0, 16);
        Put(publics, 4, 4 * _counting.Count);
        for (var i = 0; i < _counting.Count; i++)
            Put(publics, PublicHeader + 16 + (4 * i), _counting[^(i + 1)]); // by address, not by offset
        var named = NamedStreams();
        return Container([
            [],
            [.. info, .. NamesOfStreams(named.Select(stream => stream.Name))],
            [],
            Dbi(),
            _symbols.ToArray(),
            publics,
            headers,
            _numbers.Count > 0 ? [.. _numbers.SelectMany(BitConverter.GetBytes)] : omap,
            .. _modules.Select(module => module.Stream),
            .. named.Select(stream => stream.Bytes),
        ]);
    }

    private byte[] Dbi()
    {
        var modules = new MemoryStream();
        for (var i = 0; i < _modules.Count; i++)
        {
            var entry = new byte[64 + 8];
            BinaryPrimitives.WriteUInt16LittleEndian(entry.AsSpan(34), (ushort)(8 + i));
            Put(entry, 36, _modules[i].SymbolBytes);
            Put(entry, 44, _modules[i].Stream.Length - _modules[i].SymbolBytes);
            entry[64] = entry[66] = (byte)'m';
            modules.Write(entry);
        }

        var pieces = new byte[4 + (28 * _pieces.Count)];
        Put(pieces, 0, unchecked((int)0xF12EBA2D));
        for (var i = 0; i < _pieces.Count; i++)
        {
            var at = 4 + (28 * i);
            Put(pieces, at, _pieces[i].Section);
            Put(pieces, at + 4, _pieces[i].Offset);
            Put(pieces, at + 8, _pieces[i].Size);
            Put(pieces, at + 12, 0x60000020);
        }

        ushort[] streams =
        [
            NoStream,
            NoStream,
            NoStream,
            _moved.Count > 0 ? (ushort)7 : NoStream,
            NoStream,
            _moved.Count > 0 ? NoStream : (ushort)6,
            _numbers.Count > 0 ? (ushort)7 : NoStream,
            NoStream,
            NoStream,
            NoStream,
            _moved.Count > 0 ? (ushort)6 : NoStream,
        ];
        var header = new byte[64];
        Put(header, 0, -1);
        Put(header, 4, 19990903);
        Put(header, 8, age);
        header[16] = 5;
        header[20] = 4;
        Put(header, 24, (int)modules.Length);
        Put(header, 28, pieces.Length);
        Put(header, 48, 2 * streams.Length);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(58), Machine);
        return [.. header, .. modules.ToArray(), .. pieces, .. streams.SelectMany(BitConverter.GetBytes)];
    }

    private byte[] Container(byte[][] streams)
    {
        var pages = new List<byte[]> { new byte[PageSize], new byte[PageSize], new byte[PageSize] };
        var numbers = streams.Select(_ => new List<int>()).ToArray();
        for (var round = 0; streams.Any(stream => round * PageSize < stream.Length); round++)
        {
            for (var i = 0; i < streams.Length; i++)
            {
                if (round * PageSize < streams[i].Length)
                    numbers[i].Add(Add(streams[i].AsSpan(round * PageSize, Math.Min(PageSize, streams[i].Length - (round * PageSize)))));
            }
        }

        int[] directory = [streams.Length, .. streams.Select(stream => stream.Length), .. numbers.SelectMany(each => each)];
        var bytes = directory.SelectMany(BitConverter.GetBytes).ToArray();
        var directoryPages = bytes.Chunk(PageSize).Select(chunk => Add(chunk)).ToArray();
        var mapPages = directoryPages.SelectMany(BitConverter.GetBytes).Chunk(PageSize).Select(chunk => Add(chunk)).ToArray();
        var superblock = pages[0];
        "Microsoft C/C++ MSF 7.00\r\n\x1a\x44S\0\0\0"u8.CopyTo(superblock);
        Put(superblock, 32, PageSize);
        Put(superblock, 36, 1);
        Put(superblock, 40, pages.Count);
        Put(superblock, 44, bytes.Length);
        for (var i = 0; i < mapPages.Length; i++)
            Put(superblock, 52 + (4 * i), mapPages[i]);
        return [.. pages.SelectMany(page => page)];

        int Add(ReadOnlySpan<byte> content)
        {
            var page = new byte[PageSize];
            content.CopyTo(page);
            pages.Add(page);
            return pages.Count - 1;
        }
    }

    private static byte[] Record(ushort kind, int nameAt, string name)
    {
        var record = new byte[(nameAt + Encoding.UTF8.GetByteCount(name) + 1 + 3) & ~3];
        BinaryPrimitives.WriteUInt16LittleEndian(record, (ushort)(record.Length - 2));
        BinaryPrimitives.WriteUInt16LittleEndian(record.AsSpan(2), kind);
        Encoding.UTF8.GetBytes(name, record.AsSpan(nameAt));
        return record;
    }

    private static void Put(byte[] bytes, int at, int value) => BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(at), value);
}
