using System.Buffers.Binary;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using EtwSerializerProfiler.Traces.Symbols.Inlining;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Symbols.Precompiled;

/// <summary>The precompiled code of an assembly (ReadyToRun): its methods and their positions in the file.</summary>
/// <remarks>
/// Format: docs/design/coreclr/botr/readytorun-format.md of dotnet/runtime. The header lies where the CLI header's ManagedNativeHeader
/// points: u32 signature, u16 major and minor version, u32 flags, u32 count of sections, each u32 type, u32 address, u32 size.
/// RuntimeFunctions is sorted by address, 12 bytes (begin, end, unwind data) on x64 and 8 (begin, unwind data) on arm64.
/// MethodDefEntryPoints and InstanceEntryPoints name the first function of a method; those up to the next method's first are its funclets.
/// DebugInfo: <see cref="PrecompiledStatements"/>.
/// </remarks>
internal sealed class ReadyToRunImage
{
    private const uint Signature = 0x0052_5452;

    /// <summary>
    /// Flag of an assembly whose code is in a composite image. (Flag 2, which the document calls composite, is SkipTypeValidation in
    /// readytorun.h.)
    /// </summary>
    private const uint Component = 0x20;
    private const int RuntimeFunctions = 102,
        MethodDefEntryPoints = 103,
        DebugInfo = 105,
        InstanceEntryPoints = 109,
        ManifestMetadata = 112;
    private const int HeaderBytes = 16,
        SectionBytes = 12;

    /// <summary>Versions as numbers: major × this + minor.</summary>
    private const int VersionUnit = 100;

    /// <summary>Version 6.3, since which the manifest has a module number.</summary>
    private const int ManifestIndexVersion = 603;

    /// <summary>A larger section means damage.</summary>
    private const int MaxSectionBytes = 64 << 20;

    /// <summary>Linux has pages of 4, 16 or 64 KB; mappings consist of pages.</summary>
    private static readonly ulong[] s_pageBytes = [4096, 16384, 65536];

    private readonly IReadOnlyList<SectionHeader> _sections;
    private readonly Method[] _methods;

    /// <summary>The section with the signatures of generic instances.</summary>
    private readonly byte[] _instances;
    private readonly InstanceNames _names;

    /// <summary>Address and size of the debug information, which is read only for lines.</summary>
    private readonly (int Address, int Size) _debugInfo;
    private readonly int _majorVersion;
    private PrecompiledStatements? _statements;

    /// <summary>Methods by token; created on first use.</summary>
    private Dictionary<int, int>? _byToken;

    private ReadyToRunImage(
        string path,
        Assemblies.AssemblyArchitecture architecture,
        IReadOnlyList<SectionHeader> sections,
        Method[] methods,
        byte[] instances,
        byte[] manifest,
        int version,
        (int Address, int Size) debugInfo,
        Func<string, ModuleMetadata?> assembly
    )
    {
        (_majorVersion, _debugInfo) = (version / VersionUnit, debugInfo);
        (Path, Architecture, _sections, _methods, _instances) = (path, architecture, sections, methods, instances);
        Metadata = ModuleMetadata.Read(path);
        var references = manifest.Length == 0 ? null : MetadataReaderProvider.FromMetadataImage([.. manifest]).GetMetadataReader();
        _names = new InstanceNames(Metadata.Reader, references, version >= ManifestIndexVersion, assembly);
    }

    /// <summary>The file.</summary>
    public string Path { get; }

    /// <summary>Processor of its code.</summary>
    public Assemblies.AssemblyArchitecture Architecture { get; }

    /// <summary>Its metadata.</summary>
    public ModuleMetadata Metadata { get; }

    /// <summary>Methods with code.</summary>
    public int Count => _methods.Length;

    /// <summary>Reads a file; null when it has no precompiled code of its own.</summary>
    /// <param name="path">The file.</param>
    /// <param name="assembly">
    /// Metadata of another assembly by its simple name, for the names of generic instances; null when unavailable.
    /// </param>
    /// <exception cref="IOException">The file is unreadable.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    /// <exception cref="BadImageFormatException">It is damaged.</exception>
    public static ReadyToRunImage? Read(string path, Func<string, ModuleMetadata?> assembly)
    {
        using var handle = File.OpenHandle(path);
        using var reader = new PEReader(File.OpenRead(path));
        var headers = reader.PEHeaders;
        if (
            headers.CorHeader is not { ManagedNativeHeaderDirectory: { Size: >= HeaderBytes } directory }
            || TryTake(directory.RelativeVirtualAddress, directory.Size) is not { } header
            || BinaryPrimitives.ReadUInt32LittleEndian(header) != Signature
            || (BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(8)) & Component) != 0
        )
            return null;
        var version =
            BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(4)) * VersionUnit
            + BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(6));
        var instances = Section(InstanceEntryPoints);
        var architecture = Assemblies.AssemblyFileReader.OfMachine(headers.CoffHeader.Machine);
        var functionBytes = architecture == Assemblies.AssemblyArchitecture.X64 ? 12 : 8;
        var methods = Methods(Section(RuntimeFunctions), Section(MethodDefEntryPoints), instances, functionBytes);
        return new ReadyToRunImage(
            path,
            architecture,
            headers.SectionHeaders,
            methods,
            instances,
            Section(ManifestMetadata),
            version,
            Place(DebugInfo),
            assembly
        );

        byte[] Section(int type) =>
            Place(type) is var (address, size) && address == 0
                ? []
                : TryTake(address, size) ?? throw new BadImageFormatException("a table is outside the file");

        (int Address, int Size) Place(int type)
        {
            for (var at = HeaderBytes; at + SectionBytes <= header.Length; at += SectionBytes)
            {
                if (BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(at)) == type)
                    return (
                        BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(at + 4)),
                        BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(at + 8))
                    );
            }

            return default;
        }

        byte[]? TryTake(int address, int size)
        {
            if (size is < 0 or > MaxSectionBytes || headers.GetContainingSectionIndex(address) is not (>= 0 and var index))
                return null;
            var section = headers.SectionHeaders[index];
            var bytes = new byte[size];
            return RandomAccess.Read(handle, bytes, (long)address - section.VirtualAddress + section.PointerToRawData) == size
                ? bytes
                : null;
        }
    }

    /// <summary>Whether a mapping may be one of this file: it starts and ends where a section does, rounded to pages.</summary>
    public bool Fits(ulong fileOffset, ulong length)
    {
        foreach (var section in _sections)
        {
            var (start, end) = ((ulong)section.PointerToRawData, (ulong)(section.PointerToRawData + section.SizeOfRawData));
            foreach (var page in s_pageBytes)
            {
                if (fileOffset == start / page * page && fileOffset + length == (end + page - 1) / page * page)
                    return true;
            }
        }

        return false;
    }

    /// <summary>Finds the method whose code is at an offset in the file.</summary>
    /// <param name="fileOffset">The offset.</param>
    /// <param name="method">Number in the file.</param>
    /// <param name="start">Offset of its first byte in the file.</param>
    /// <param name="size">Bytes of its code with its funclets.</param>
    public bool TryFind(ulong fileOffset, out int method, out ulong start, out uint size)
    {
        (method, start, size) = (-1, 0, 0);
        foreach (var section in _sections)
        {
            var first = (ulong)section.PointerToRawData;
            if (fileOffset < first || fileOffset >= first + (ulong)section.SizeOfRawData)
                continue;
            var address = (uint)(fileOffset - first) + (uint)section.VirtualAddress;
            var (low, high) = (0, _methods.Length);
            while (low < high)
            {
                var middle = (low + high) >>> 1;
                if (_methods[middle].Start <= address)
                    low = middle + 1;
                else
                    high = middle;
            }

            method = low - 1;
            if (method < 0 || address >= _methods[method].End)
                return false;
            start = _methods[method].Start - (uint)section.VirtualAddress + first;
            size = _methods[method].End - _methods[method].Start;
            return true;
        }

        return false;
    }

    /// <summary>Finds the code of a method of this file that is not generic.</summary>
    /// <param name="token">Token of the method.</param>
    /// <param name="size">Expected size of its code, including its funclets.</param>
    /// <param name="method">Number in the file.</param>
    public bool TryFind(int token, uint size, out int method)
    {
        _byToken ??= Enumerable
            .Range(0, _methods.Length)
            .Where(number => _methods[number].Token != 0)
            .DistinctBy(number => _methods[number].Token)
            .ToDictionary(number => _methods[number].Token);
        return _byToken.TryGetValue(token, out method) && _methods[method].End - _methods[method].Start == size;
    }

    /// <summary>
    /// Reads the code of a method, which relocation does not change; null when the file has no code of that place and size, or is no longer
    /// readable.
    /// </summary>
    /// <param name="fileOffset">Where it begins in the file.</param>
    /// <param name="size">Bytes.</param>
    public byte[]? Read(ulong fileOffset, uint size)
    {
        if (!TryFind(fileOffset, out _, out var start, out var all) || start != fileOffset || size > all)
            return null;
        try
        {
            using var file = File.OpenHandle(Path);
            var bytes = new byte[size];
            return RandomAccess.Read(file, bytes, (long)fileOffset) == bytes.Length ? bytes : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>
    /// Names a method as the runtime's events do; null when the file does not name it, or an assembly in its signature is unavailable.
    /// </summary>
    /// <param name="method">Number in the file.</param>
    public PrecompiledMethodName? Name(int method)
    {
        try
        {
            return _methods[method] is { Token: not 0 } own ? _names.Of(own.Token) : _names.Of(_instances, _methods[method].Instance);
        }
        catch (BadImageFormatException)
        {
            return null;
        }
    }

    /// <summary>The IL statements of a method's code; null when the file has none, or its entry is damaged.</summary>
    /// <param name="method">Number in the file.</param>
    /// <exception cref="IOException">The debug information cannot be read.</exception>
    /// <exception cref="BadImageFormatException">The debug information of the whole file cannot be decoded.</exception>
    public CodePoints? Points(int method)
    {
        if (_debugInfo.Address == 0)
            return null;
        if (_majorVersion > PrecompiledStatements.LastVersion)
            throw new BadImageFormatException(
                FormattableString.Invariant($"version {_majorVersion} of the precompiled code's format is newer than this reader supports")
            );
        _statements ??= new PrecompiledStatements(
            (_debugInfo.Size <= MaxSectionBytes ? Metadata.Bytes(_debugInfo.Address, _debugInfo.Size) : null)
                ?? throw new BadImageFormatException("the debug information is outside the file"),
            _majorVersion
        );
        try
        {
            return _statements.Of(_methods[method].Function, _methods[method].End - _methods[method].Start);
        }
        catch (BadImageFormatException)
        {
            return null; // a damaged method has no lines; the others keep theirs
        }
    }

    /// <summary>The methods in the order of their code.</summary>
    private static Method[] Methods(byte[] functions, byte[] definitions, byte[] instances, int functionBytes)
    {
        var count = functions.Length / functionBytes;
        var methods = new List<(int Function, int Token, int Instance)>();
        if (definitions.Length > 0)
        {
            foreach (var (index, position) in new NativeFormat(definitions, 0).Array())
                methods.Add((new NativeFormat(definitions, position).FunctionIndex(), 0x0600_0001 + index, 0));
        }

        if (instances.Length > 0)
        {
            foreach (var position in new NativeFormat(instances, 0).HashTable())
                methods.Add((InstanceNames.FunctionIndex(instances, position), 0, position));
        }

        methods.RemoveAll(method => method.Function >= count);
        methods.Sort();
        var found = new Method[methods.Count];
        for (var i = 0; i < found.Length; i++)
        {
            var last = (i + 1 < found.Length ? methods[i + 1].Function : count) - 1;
            var start = Begin(methods[i].Function);
            found[i] = new Method(
                start,
                Math.Max(start, End(Math.Max(last, methods[i].Function))),
                methods[i].Function,
                methods[i].Token,
                methods[i].Instance
            );
        }

        return found;

        uint Begin(int function) => BinaryPrimitives.ReadUInt32LittleEndian(functions.AsSpan(function * functionBytes));

        // Without an end in the table (arm64) a function ends where the next one begins; the end of the last one is unknown.
        uint End(int function) =>
            functionBytes == 12 ? BinaryPrimitives.ReadUInt32LittleEndian(functions.AsSpan(function * functionBytes + 4))
            : function + 1 < count ? Begin(function + 1)
            : Begin(function) + 4;
    }

    /// <summary>
    /// Code of a method: addresses relative to the image, index of its first function, its token or the position of its signature among the
    /// instances.
    /// </summary>
    private readonly record struct Method(uint Start, uint End, int Function, int Token, int Instance);
}

/// <summary>Names of a precompiled method.</summary>
/// <param name="Token">Token of its definition in the image's metadata; 0 for a method of another assembly.</param>
/// <param name="Type">Full name of its type, with type arguments.</param>
/// <param name="Name">Its name.</param>
internal sealed record PrecompiledMethodName(int Token, string Type, string Name);
