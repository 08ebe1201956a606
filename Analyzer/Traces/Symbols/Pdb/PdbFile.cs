using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>A Windows PDB file: the image that it belongs to, and the positions of its parts.</summary>
/// <remarks>
/// Stream 1 (info): u32 version @0, age @8, GUID @12. Stream 3 (DBI): u32 version @4, age @8, u16 stream of public symbols @16 and of
/// symbol records @20, sizes of its parts i32 @24 modules, @28 section contributions, @32 section map, @36 source files, @40 type servers,
/// @48 debug header, @52 edit and continue; u16 machine @56 + 2; parts from @64 on in the order modules, contributions, map, files, type
/// servers, edit and continue, debug header. The debug header is a list of u16 streams: 3 OMAP to source, 5 section headers, 10 original
/// ones.
/// </remarks>
internal sealed class PdbFile
{
    /// <summary>Means "no stream".</summary>
    public const int NoStream = 0xFFFF;

    private const int InfoStream = 1;
    private const int InfoSize = 28;
    private const int DbiStream = 3;
    private const int DbiHeaderSize = 64;
    private const uint DbiSignature = 0xFFFF_FFFF;
    private const int MachineX86 = 0x14c;

    // Sizes of the parts of DBI, in their order.
    private static readonly int[] s_sizesAt = [24, 28, 32, 36, 40, 52, 48];
    private const int ModulePart = 0;
    private const int ContributionPart = 1;
    private const int DebugHeaderPart = 6;

    private readonly (int Start, int Length)[] _parts = new (int, int)[s_sizesAt.Length];
    private readonly byte[] _debugStreams = [];

    private PdbFile(Stream file)
    {
        Container = MsfFile.Open(file);
        var info = Container.Read(InfoStream, 0, InfoSize);
        InfoAge = Age = BinaryPrimitives.ReadInt32LittleEndian(info.AsSpan(8));
        Guid = new Guid(info.AsSpan(12, 16));
        if (Container.Length(DbiStream) == 0)
            return;
        var header = Container.Read(DbiStream, 0, DbiHeaderSize);
        if (BinaryPrimitives.ReadUInt32LittleEndian(header) != DbiSignature)
            throw new PdbFormatException("the head of stream 3 (debug information)", 0);
        Age = BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(8));
        PublicStream = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(16));
        SymbolStream = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(20));
        IsX86 = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(58)) == MachineX86;
        var at = DbiHeaderSize;
        for (var i = 0; i < _parts.Length; i++)
        {
            var size = BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(s_sizesAt[i]));
            if (size < 0 || size > Container.Length(DbiStream) - at)
                throw new PdbFormatException("the sizes of the parts of stream 3 (debug information)", s_sizesAt[i]);
            _parts[i] = (at, size);
            at += size;
        }

        _debugStreams = Part(DebugHeaderPart);
    }

    /// <summary>The streams.</summary>
    public MsfFile Container { get; }

    /// <summary>GUID that the image names.</summary>
    public Guid Guid { get; }

    /// <summary>Number of times that the linker has written the file: the age in the image.</summary>
    public int Age { get; }

    /// <summary>Number of times that any tool has written it.</summary>
    public int InfoAge { get; }

    /// <summary>Whether it is for 32-bit x86, where C names have decorations.</summary>
    public bool IsX86 { get; }

    /// <summary>Stream of the public symbols' tables.</summary>
    public int PublicStream { get; } = NoStream;

    /// <summary>Stream of the symbol records.</summary>
    public int SymbolStream { get; } = NoStream;

    /// <summary>Contributions of each module to the image.</summary>
    public byte[] Contributions => Part(ContributionPart);

    /// <summary>Opens a file.</summary>
    /// <param name="file">The file; the caller disposes it.</param>
    /// <exception cref="PdbFormatException">It is not one, or is damaged.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static PdbFile Open(Stream file) => new(file);

    /// <summary>Whether it belongs to the image with this GUID and age.</summary>
    public bool IsOf(Guid guid, int age) => Guid == guid && (Age == age || InfoAge == age);

    /// <summary>The linked modules: object files, or the types of an assembly.</summary>
    /// <exception cref="PdbFormatException">The list of them is damaged.</exception>
    public IReadOnlyList<PdbModule> Modules()
    {
        var modules = new List<PdbModule>();
        ReadOnlySpan<byte> list = Part(ModulePart);
        for (var rest = list; rest.Length >= PdbModule.HeaderSize;)
        {
            modules.Add(PdbModule.Read(rest));
            var nameLength = rest[PdbModule.HeaderSize..].IndexOf((byte)0) + 1;
            var fileLength = rest[(PdbModule.HeaderSize + nameLength)..].IndexOf((byte)0) + 1;
            if (nameLength == 0 || fileLength == 0)
                throw new PdbFormatException("the names of a module in stream 3 (debug information)", list.Length - rest.Length);
            rest = rest[Math.Min((PdbModule.HeaderSize + nameLength + fileLength + 3) & ~3, rest.Length)..];
        }

        return modules;
    }

    /// <summary>The content of a stream that the debug header names; null when it names none.</summary>
    /// <exception cref="PdbFormatException">The file does not have it.</exception>
    public byte[]? DebugStream(int index)
    {
        if (
            _debugStreams.Length < 2 * (index + 1)
            || BinaryPrimitives.ReadUInt16LittleEndian(_debugStreams.AsSpan(2 * index)) is not (var stream and not NoStream)
        )
            return null;
        if (stream >= Container.Count)
            throw new PdbFormatException(
                FormattableString.Invariant($"a stream of the file instead of {stream} in the debug header"),
                2 * index
            );
        return Container.Read(stream, 0, Container.Length(stream));
    }

    private byte[] Part(int part) => _parts[part].Length == 0 ? [] : Container.Read(DbiStream, _parts[part].Start, _parts[part].Length);
}

/// <summary>A module of a PDB file; its stream has the parts in this order.</summary>
/// <param name="Stream">Number of its stream; <see cref="PdbFile.NoStream"/> for none.</param>
/// <param name="SymbolBytes">Bytes of symbols, with the 4 of a signature before them.</param>
/// <param name="OldLineBytes">Bytes of line numbers as old compilers wrote them (C11).</param>
/// <param name="LineBytes">Bytes of line numbers (C13).</param>
internal readonly record struct PdbModule(int Stream, uint SymbolBytes, uint OldLineBytes, uint LineBytes)
{
    /// <summary>Bytes of its entry in the list of modules, before its names.</summary>
    public const int HeaderSize = 64;

    /// <summary>Reads an entry of the list of modules: u16 stream @34, then the three sizes.</summary>
    public static PdbModule Read(ReadOnlySpan<byte> entry) =>
        new(
            BinaryPrimitives.ReadUInt16LittleEndian(entry[34..]),
            BinaryPrimitives.ReadUInt32LittleEndian(entry[36..]),
            BinaryPrimitives.ReadUInt32LittleEndian(entry[40..]),
            BinaryPrimitives.ReadUInt32LittleEndian(entry[44..])
        );
}

/// <summary>A file is not a Windows PDB file, or is damaged.</summary>
/// <param name="expected">What was expected there.</param>
/// <param name="offset">Where: offset in the file, or in the stream that <paramref name="expected"/> names.</param>
internal sealed class PdbFormatException(string expected, long offset)
    : Exception(FormattableString.Invariant($"expected {expected} at offset 0x{offset:x}"));
