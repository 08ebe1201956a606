namespace EtwSerializerProfiler.Traces.Symbols.NativeAot;

/// <summary>
/// The managed methods of a program or library compiled by NativeAOT. Names come from its own tables, with which the runtime prints stack
/// traces; symbols of a debug file add type arguments and methods that the tables lack.
/// </summary>
internal sealed class NativeAotProgram
{
    /// <summary>Kinds of tables: 300 + those of ReflectionMapBlob (MappingTableBlobs in dotnet/runtime).</summary>
    private const int MetadataTable = 313,
        StackTraceTable = 327;

    /// <summary>Known versions of the tables: .NET 8, 9 and 10.</summary>
    private const int VersionOfNet8 = 9,
        VersionOfNet9 = 10,
        VersionOfNet10 = 16;

    /// <summary>Module of code without a known assembly.</summary>
    public const string Module = "[nativeaot]";

    private readonly ElfSection _code;

    /// <summary>Entry points of value type methods for callers with boxed values.</summary>
    private readonly ElfSection _unboxing;
    private readonly EmbeddedMetadata? _metadata;
    private readonly Dictionary<ulong, (uint Type, uint Name)> _methods = [];
    private readonly Dictionary<ulong, NativeAotMethod> _named = [];
    private MangledNames? _mangled;

    private NativeAotProgram(ElfFile file, ElfSection code)
    {
        (_code, _unboxing, Problem) = (code, file.Section("__unbox"u8) ?? default, "");
        try
        {
            if (RuntimeHeader.Read(file) is not { } header)
                Problem = "its runtime's header was not found";
            else if (header.MajorVersion is not (VersionOfNet8 or VersionOfNet9 or VersionOfNet10))
                Problem = FormattableString.Invariant($"its tables have version {header.MajorVersion}, which is not known");
            else if (
                new EmbeddedMetadata(header.Table(MetadataTable).Bytes, header.MajorVersion < VersionOfNet10 ? 8 : 7)
                    is not { IsKnown: true } metadata
                || header.Table(StackTraceTable) is not ({ Length: > 0 } traces, var address)
            )
                Problem = "it was published with StackTraceSupport=false";
            else
                (_metadata, _methods) = (metadata, StackTraceMap.Read(traces, address));
        }
        catch (BadImageFormatException exception)
        {
            Problem = exception.Message;
        }
    }

    /// <summary>Why its tables have no method names; empty when they have.</summary>
    public string Problem { get; private set; }

    /// <summary>Reads a program; null when NativeAOT did not compile it.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static NativeAotProgram? Read(ElfFile file) =>
        file.Section("__managedcode"u8) is { } code ? new NativeAotProgram(file, code) : null;

    /// <summary>Whether an address is in managed code.</summary>
    public bool HasCodeAt(ulong address) => _code.Holds(address) || _unboxing.Holds(address);

    /// <summary>A method.</summary>
    /// <param name="start">Where its code begins.</param>
    /// <param name="symbol">Its symbol; empty for none.</param>
    /// <returns>The method; without a name if its name is uncertain.</returns>
    public NativeAotMethod Method(ulong start, string symbol)
    {
        if (!_named.TryGetValue(start, out var method))
        {
            try
            {
                method = Named(start, symbol);
            }
            catch (BadImageFormatException exception)
            {
                (Problem, method) = (exception.Message, null);
            }

            _named.Add(start, method ??= new NativeAotMethod(null, symbol));
        }

        return method;
    }

    private NativeAotMethod? Named(ulong start, string symbol)
    {
        if (_metadata is null)
            return null;
        if (_methods.TryGetValue(start, out var method) && _metadata.Type(method.Type) is { } type)
            return new NativeAotMethod(
                symbol.Contains('<', StringComparison.Ordinal) ? Mangled(_metadata).Instance(type.Definition, symbol) : type,
                _metadata.Text(method.Name)
            );
        return symbol.Length > 0 ? Mangled(_metadata).Method(symbol) : null;
    }

    /// <summary>Created on first use, because it needs all types.</summary>
    private MangledNames Mangled(EmbeddedMetadata metadata)
    {
        if (_mangled is not null)
            return _mangled;
        var definitions = new List<(NativeAotType Type, IReadOnlyList<string> Methods)>();
        try
        {
            foreach (var (type, _) in _methods.Values)
                metadata.Type(type);
            definitions.AddRange(metadata.Definitions());
        }
        catch (BadImageFormatException exception)
        {
            Problem = exception.Message;
        }

        return _mangled = new MangledNames(metadata.Known, definitions);
    }
}
