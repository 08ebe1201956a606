using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>Reads the lines of managed methods from a Windows PDB.</summary>
/// <remarks>
/// <para>
/// Layout (cvinfo.h of microsoft-pdb, LLVM's "The Module Information Stream"). A module's stream: symbols, C11 lines, C13 lines. S_GMANPROC
/// 0x112A, S_LMANPROC 0x112B: u32 token @28, offset @32, u16 section @36.
/// </para>
/// <para>
/// C13 lines are parts of u32 kind, u32 length, content, padded to 4. Checksums (0xF4), an entry a file: u32 offset of its name, u8 length,
/// u8 kind, checksum, padded to 4. Lines (0xF2): u32 offset, u16 section, u16 flags (1: columns), u32 length of the code, then blocks, each
/// of a file: u32 offset of its checksum, lines, bytes with these 12, and for each line u32 offset from the method's begin and u32 line (24
/// bits).
/// </para>
/// <para>
/// Compilers of managed code put a stream /src/files/PATH beside that: GUIDs of language, vendor, kind of text, checksum @48, then i32
/// length of the checksum @64, of the embedded text @68, checksum, text (ISymUnmanagedDocumentWriter).
/// </para>
/// </remarks>
internal sealed class WindowsPdbReader
{
    private const int GlobalMethod = 0x112A;
    private const int LocalMethod = 0x112B;
    private const int MethodSize = 38;
    private const uint MethodDef = 0x06;
    private const int SignatureSize = 4;

    private const uint LinesPart = 0xF2;
    private const uint ChecksumsPart = 0xF4;
    private const int LinesHeaderSize = 12;
    private const int HasColumns = 1;
    private const int LineSize = 8;
    private const int ColumnSize = 4;
    private const int LineMask = 0xFF_FFFF;

    // Line numbers that mean none: debuggers step over such code, or into it.
    private const int Hidden = 0xFE_EFEE;
    private const int NeverStepInto = 0xF0_0F00;

    /// <summary>Stream of the debug header that renumbers the methods after a tool merged modules.</summary>
    private const int MethodNumbers = 6;

    private const int SourceHeaderSize = 72;

    private readonly PdbFile _file;
    private readonly SymbolRecords _records;
    private readonly IReadOnlyDictionary<string, int> _streams;
    private readonly PdbNames? _names;
    private readonly byte[]? _numbers;

    private readonly List<WindowsPdbLine> _lines = [];
    private readonly List<SourceDocument> _documents = [];

    /// <summary>Index of each document by path.</summary>
    private readonly Dictionary<string, int> _byPath = [];

    /// <summary>Content of the source file streams; paths that differ only in case share one.</summary>
    private readonly Dictionary<int, (Guid Algorithm, byte[] Checksum, byte[]? Text)> _sources = [];

    /// <summary>Module streams that were read: no two modules share one.</summary>
    private readonly HashSet<int> _read = [];

    private WindowsPdbReader(PdbFile file)
    {
        _file = file;
        _records = new SymbolRecords(file.Container);
        _streams = PdbNames.ReadStreams(file.Container);
        _names = _streams.TryGetValue("/names", out var stream) ? PdbNames.Read(file.Container, stream) : null;
        _numbers = file.DebugStream(MethodNumbers);
    }

    /// <summary>Reads the lines; the file is not needed afterwards.</summary>
    /// <exception cref="PdbFormatException">It is damaged.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static WindowsPdb Read(PdbFile file)
    {
        var reader = new WindowsPdbReader(file);
        foreach (var module in file.Modules())
        {
            if (
                module.Stream != PdbFile.NoStream
                && module.SymbolBytes > SignatureSize
                && module.LineBytes > 0
                && reader._read.Add(module.Stream)
            )
                reader.ReadModule(module);
        }

        return new WindowsPdb(reader._documents, reader._lines);
    }

    private void ReadModule(in PdbModule module)
    {
        if (module.SymbolBytes + (long)module.OldLineBytes + module.LineBytes > _file.Container.Length(module.Stream))
            throw new PdbFormatException(
                FormattableString.Invariant($"symbols and lines of a module in stream {module.Stream}"),
                module.SymbolBytes
            );
        var methods = Methods(module);
        if (methods.Count == 0)
            return;
        var parts = _file.Container.Read(module.Stream, (int)(module.SymbolBytes + module.OldLineBytes), (int)module.LineBytes);
        ReadOnlySpan<byte> checksums = [];
        for (ReadOnlySpan<byte> rest = parts; TryReadPart(ref rest, out var kind, out var part);)
        {
            if (kind == ChecksumsPart)
                checksums = part;
        }

        for (ReadOnlySpan<byte> rest = parts; TryReadPart(ref rest, out var kind, out var part);)
        {
            if (kind != LinesPart)
                continue;
            if (part.Length < LinesHeaderSize)
                throw new PdbFormatException("the head of lines", 0);
            if (methods.TryGetValue((UInt16(part, 4), UInt32(part, 0)), out var method) && method != 0)
                ReadLines(method, part[LinesHeaderSize..], (UInt16(part, 6) & HasColumns) != 0, checksums);
        }
    }

    /// <summary>Token of each method by place; 0 where two methods claim the same place.</summary>
    private Dictionary<(int Section, uint Offset), int> Methods(in PdbModule module)
    {
        var methods = new Dictionary<(int, uint), int>();
        _records.Begin(module.Stream, SignatureSize, (int)module.SymbolBytes);
        while (_records.TryRead(out var record))
        {
            if (UInt16(record, 2) is not (GlobalMethod or LocalMethod) || record.Length < MethodSize)
                continue;
            var place = (UInt16(record, 36), UInt32(record, 32));
            var token = Token(UInt32(record, 28));
            methods[place] = methods.TryGetValue(place, out var known) && known != token ? 0 : token;
        }

        return methods;
    }

    /// <summary>A method's token in the assembly; 0 for other tokens.</summary>
    private int Token(uint token)
    {
        if (token >> 24 != MethodDef)
            return 0;
        if (_numbers is null or [])
            return (int)token;
        var at = 4L * (token & 0xFF_FFFF);
        return at + 4 <= _numbers.Length ? (int)((MethodDef << 24) | (UInt32(_numbers, (int)at) & 0xFF_FFFF)) : 0;
    }

    private void ReadLines(int method, ReadOnlySpan<byte> blocks, bool hasColumns, ReadOnlySpan<byte> checksums)
    {
        while (!blocks.IsEmpty)
        {
            if (blocks.Length < LinesHeaderSize)
                throw new PdbFormatException("the head of a block of lines", blocks.Length);
            var (count, size) = (UInt32(blocks, 4), UInt32(blocks, 8));
            if (size > blocks.Length || size < LinesHeaderSize + ((long)count * (LineSize + (hasColumns ? ColumnSize : 0))))
                throw new PdbFormatException("the size of a block of lines", size);
            var document = count > 0 ? Document(UInt32(blocks, 0), checksums) : 0;
            for (var i = 0; i < count; i++)
            {
                var at = LinesHeaderSize + (i * LineSize);
                var line = (int)(UInt32(blocks, at + 4) & LineMask);
                if (UInt32(blocks, at) is not (<= int.MaxValue and var start))
                    throw new PdbFormatException("the IL offset of a line", at);
                _lines.Add(new WindowsPdbLine(method, (int)start, line is Hidden or NeverStepInto ? 0 : line, document));
            }

            blocks = blocks[(int)size..];
        }
    }

    /// <summary>The number of a source file.</summary>
    /// <param name="entry">Offset of its checksum.</param>
    /// <param name="checksums">The module's checksums.</param>
    private int Document(uint entry, ReadOnlySpan<byte> checksums)
    {
        if (_names is null || entry > checksums.Length - 6 || checksums[(int)entry + 4] > checksums.Length - 6 - (int)entry)
            throw new PdbFormatException("the name of a source file", entry);
        var file = checksums[(int)entry..];
        var path = _names.At(UInt32(file, 0));
        if (_byPath.TryGetValue(path, out var number))
            return number;
        _byPath.Add(path, number = _documents.Count);
        var source = Source(path);
        _documents.Add(
            source.Checksum.Length > 0
                ? new SourceDocument(path, source.Algorithm, source.Checksum, () => source.Text)
                : new SourceDocument(path, Algorithm(file[5]), file.Slice(6, file[4]).ToArray(), () => source.Text)
        );
        return number;
    }

    private (Guid Algorithm, byte[] Checksum, byte[]? Text) Source(string path)
    {
        if (!_streams.TryGetValue("/src/files/" + path, out var stream) || _file.Container.Length(stream) < SourceHeaderSize)
            return (Guid.Empty, [], null);
        if (_sources.TryGetValue(stream, out var source))
            return source;
        var header = _file.Container.Read(stream, 0, SourceHeaderSize);
        var (checksum, text) = (
            BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(64)),
            BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(68))
        );
        source = (
            new Guid(header.AsSpan(48, 16)),
            _file.Container.Read(stream, SourceHeaderSize, checksum),
            text == 0 ? null : _file.Container.Read(stream, (int)Math.Min(SourceHeaderSize + (long)checksum, int.MaxValue), text)
        );
        _sources.Add(stream, source);
        return source;
    }

    /// <summary>The kind of a checksum (CV_SourceChksum_t).</summary>
    private static Guid Algorithm(byte kind) =>
        kind switch
        {
            1 => SourceTextReader.Md5,
            2 => SourceTextReader.Sha1,
            3 => SourceTextReader.Sha256,
            _ => Guid.Empty,
        };

    private static bool TryReadPart(scoped ref ReadOnlySpan<byte> parts, out uint kind, out ReadOnlySpan<byte> part)
    {
        kind = 0;
        part = default;
        if (parts.IsEmpty)
            return false;
        if (parts.Length < 8 || UInt32(parts, 4) > parts.Length - 8)
            throw new PdbFormatException("a part of a module's lines", parts.Length);
        kind = UInt32(parts, 0);
        part = parts.Slice(8, (int)UInt32(parts, 4));
        parts = parts[Math.Min((8 + part.Length + 3) & ~3, parts.Length)..];
        return true;
    }

    private static int UInt16(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[offset..]);

    private static uint UInt32(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[offset..]);
}
