using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Symbols.Kept;
using EtwSerializerProfiler.Traces.Symbols.NativeAot;
using EtwSerializerProfiler.Traces.Symbols.Unwinding;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>The functions of an ELF file by file offset, from <c>.symtab</c>, <c>.dynsym</c> and its separate debug file.</summary>
/// <remarks>Symbol (elf.h), 24 bytes: u32 name @0, u8 type (low 4 bits) @4, u16 section @6, u64 address @8, u64 size @16.</remarks>
internal sealed class ElfImage
{
    private const int SymbolSize = 24;
    private const int SymbolSection = 2;
    private const int DynamicSymbolSection = 11;
    private const int FunctionSymbol = 2;
    private const int IndirectFunctionSymbol = 10;

    /// <summary>Maximum bytes of a name, more than compilers write. Bounds the search in damaged tables whose names have no end.</summary>
    private const int MaxNameBytes = 1 << 16;

    /// <summary>Longest <c>_start</c> that C libraries have, rounded up: 48 bytes on arm64, 40 on x64.</summary>
    private const ulong MaxStartBytes = 64;

    private readonly ElfFile _file;
    private readonly SymbolTable _symbols;

    /// <summary>Functions that the separate debug file names; null when there is none.</summary>
    private readonly SymbolTable? _debugSymbols;

    private IReadOnlyList<(ulong Start, ulong End, string Name)>? _runtimeFunctions;

    private UnwindTable? _unwind;
    private bool _triedUnwind;

    private ElfImage(ElfFile file, ElfFile? debugFile)
    {
        (_file, DebugFile) = (file, debugFile?.ImageFile);
        _symbols = ReadSymbols(file, file.EntryPoint);
        _debugSymbols = debugFile is null ? null : ReadSymbols(debugFile, entryPoint: 0);
        HasSymbols = (debugFile ?? file).Sections.Any(section => section.Kind == SymbolSection);
        DebugFileName = DebugFiles.LinkOf(file);
        NativeAot = NativeAotProgram.Read(file);
    }

    /// <summary>Build id (GNU note) in hexadecimal, empty when the file has none.</summary>
    public string BuildId => _file.BuildId;

    /// <summary>The bytes of the file.</summary>
    public ImageFile ImageFile => _file.ImageFile;

    /// <summary>The bytes of its debug file; null when there is none.</summary>
    public ImageFile? DebugFile { get; }

    /// <summary>Number of known functions.</summary>
    public int Count => _symbols.Count + (_debugSymbols?.Count ?? 0);

    /// <summary>Whether it or its debug file names all functions, not only the exported ones.</summary>
    public bool HasSymbols { get; }

    /// <summary>Name of its debug file; empty for none.</summary>
    public string DebugFileName { get; }

    /// <summary>Its managed methods; null unless compiled by NativeAOT.</summary>
    public NativeAotProgram? NativeAot { get; }

    /// <summary>Functions of the runtime's library that are found by their code; empty for other files and those with symbols.</summary>
    public IReadOnlyList<(ulong Start, ulong End, string Name)> RuntimeFunctions => _runtimeFunctions ??= ReadRuntimeFunctions();

    /// <summary>Reads a file; null when it is not a 64-bit little-endian ELF file, or its headers are damaged.</summary>
    /// <param name="path">The file.</param>
    /// <param name="debugFiles">Finds its debug file; null for symbols of the file itself only.</param>
    /// <exception cref="IOException">The file is unreadable.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public static ElfImage? Read(string path, DebugFiles? debugFiles = null) =>
        ElfFile.Open(path) is { } file ? new ElfImage(file, debugFiles?.Find(file)) : null;

    /// <summary>
    /// Reads what a recording keeps of a file; null when it is not a 64-bit little-endian ELF file, or its headers are damaged.
    /// </summary>
    /// <param name="file">The kept parts of the file.</param>
    /// <param name="debugFile">Finds the kept parts of a debug file by name.</param>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static ElfImage? ReadKept(ImageFile file, Func<string, ImageFile?> debugFile) =>
        ElfFile.Read(file) is { } kept
            ? new ElfImage(
                kept,
                DebugFiles.LinkOf(kept) is { Length: > 0 } name && debugFile(name) is { } debug ? ElfFile.Read(debug) : null
            )
            : null;

    /// <summary>The function at an offset in the file.</summary>
    public bool TryFind(ulong fileOffset, out string name)
    {
        name = "";
        return TryAddress(fileOffset, out var address) && TryFindAt(address, out _, out name);
    }

    /// <summary>The managed method at an offset in the file; null for other code.</summary>
    public NativeAotMethod? FindManaged(ulong fileOffset)
    {
        if (NativeAot is null || !TryAddress(fileOffset, out var address))
            return null;
        var isNamed = TryFindAt(address, out var start, out var symbol);
        if (!NativeAot.HasCodeAt(address))
            return NativeAotStubs.Find(symbol);
        if (!isNamed)
            start = Unwind?.FindFunction(address)?.Start ?? address;
        return NativeAot.Method(start, symbol);
    }

    /// <summary>How to find the caller of the function at an offset in the file.</summary>
    public bool TryFindUnwindRow(ulong fileOffset, out UnwindRow row)
    {
        row = default;
        return Unwind is { } unwind && TryAddress(fileOffset, out var address) && unwind.TryFind(address, out row);
    }

    private bool TryFindAt(ulong address, out ulong start, out string name) =>
        (_debugSymbols is not null && _debugSymbols.TryFind(address, out start, out name))
        || _symbols.TryFind(address, out start, out name)
        || TryFindRuntimeFunction(address, out start, out name);

    private bool TryFindRuntimeFunction(ulong address, out ulong start, out string name)
    {
        (start, name) = (0, "");
        foreach (var function in RuntimeFunctions)
        {
            if (address < function.Start || address >= function.End)
                continue;
            (start, name) = (function.Start, function.Name);
            return true;
        }

        return false;
    }

    private List<(ulong Start, ulong End, string Name)> ReadRuntimeFunctions()
    {
        if (HasSymbols || !Symbols.RuntimeFunctions.AreIn(_file.Path))
            return [];
        try
        {
            return Symbols.RuntimeFunctions.Find(_file, address => Unwind?.FindFunction(address));
        }
        catch (IOException)
        {
            return []; // the file was replaced after its names were read
        }
    }

    private bool TryAddress(ulong fileOffset, out ulong address)
    {
        foreach (var segment in _file.Segments)
        {
            address = segment.Address + (fileOffset - segment.Offset);
            if (fileOffset >= segment.Offset && fileOffset - segment.Offset < segment.Length)
                return true;
        }

        address = 0;
        return false;
    }

    /// <summary>Read on first use: only stacks with a dump need it.</summary>
    private UnwindTable? Unwind
    {
        get
        {
            if (!_triedUnwind)
                _unwind = ReadUnwindTable();
            _triedUnwind = true;
            return _unwind;
        }
    }

    private UnwindTable? ReadUnwindTable()
    {
        try
        {
            return
                _file.FrameIndex.Length > 0
                && UnwindColumns.Of(_file.Machine) is { } columns
                && _file.Take(_file.FrameIndex.Offset, _file.FrameIndex.Length) is { } index
                ? UnwindTable.Create(columns, index, _file.FrameIndex.Address, _file.TakeFrom)
                : null;
        }
        catch (IOException)
        {
            return null; // the file was replaced after its names were read
        }
    }

    /// <summary>Reads the functions of the symbol tables.</summary>
    /// <param name="file">The file.</param>
    /// <param name="entryPoint">
    /// Entry address: the function there is <c>_start</c>, also when its name was stripped, as in .NET's hosts. 0 for none.
    /// </param>
    private static SymbolTable ReadSymbols(ElfFile file, ulong entryPoint)
    {
        var symbols = new List<(ulong, ulong, int, int)>();
        var text = new MemoryStream();

        // The format allows one section of each kind. In damaged headers many may point to the same table; using only the first bounds the
        // work by the file's size.
        foreach (
            var section in file
                .Sections.Where(section => section.Kind is SymbolSection or DynamicSymbolSection)
                .DistinctBy(section => section.Kind)
        )
        {
            if (section.EntrySize != SymbolSize || section.Link >= file.Sections.Count)
                continue;
            if (
                file.Content(section) is not { } table
                || file.Content(file.Sections[(int)section.Link]) is not { } strings
                || text.Length + strings.Length > ElfFile.MaxTableBytes
            )
                continue;
            var textStart = (int)text.Length;
            text.Write(strings);
            for (var at = 0; at + SymbolSize <= table.Length; at += SymbolSize)
            {
                var symbol = table.AsSpan(at, SymbolSize);
                var name = BinaryPrimitives.ReadUInt32LittleEndian(symbol);
                var start = BinaryPrimitives.ReadUInt64LittleEndian(symbol[8..]);
                var size = BinaryPrimitives.ReadUInt64LittleEndian(symbol[16..]);
                if (
                    (symbol[4] & 0xf) is not (FunctionSymbol or IndirectFunctionSymbol)
                    || BinaryPrimitives.ReadUInt16LittleEndian(symbol[6..]) == 0
                    || name >= strings.Length
                    || start + size < start
                )
                    continue;
                var length = strings.AsSpan((int)name, Math.Min(strings.Length - (int)name, MaxNameBytes)).IndexOf((byte)0);
                if (length > 0)
                    symbols.Add((start, size == 0 ? 0 : start + size, textStart + (int)name, length));
            }
        }

        if (entryPoint is not 0 and <= ulong.MaxValue - MaxStartBytes && symbols.TrueForAll(symbol => symbol.Item1 != entryPoint))
        {
            symbols.Add((entryPoint, entryPoint + MaxStartBytes, (int)text.Length, "_start"u8.Length));
            text.Write("_start"u8);
        }

        return new SymbolTable(symbols, text.ToArray());
    }
}
