using System.Text;
using EtwSerializerProfiler.Traces.Symbols.Precompiled;

namespace EtwSerializerProfiler.Traces.Symbols.NativeAot;

/// <summary>The metadata that NativeAOT embeds in a program for reflection and stack traces: names of types and methods.</summary>
/// <remarks>
/// Format: NativeFormatReaderGen.cs and NativeMetadataReader.cs of dotnet/runtime. u32 signature, then the list of assemblies. A record is
/// a sequence of integers of one to five bytes; it is named by its kind and offset, in one integer where several kinds are possible.
/// Records that matter, up to their last member that does: TypeDefinition (flags, base, namespace, name, size, packing, enclosing type,
/// lists of nested types and methods), TypeReference (parent, name), TypeSpecification (signature), TypeInstantiation (type, list of
/// arguments), NamespaceDefinition (parent, name, lists of types, forwarders, namespaces), Method (flags, more flags, name),
/// NamespaceReference (parent, name), ScopeDefinition (flags, name, hash algorithm, four numbers of the version, public key, culture, root
/// namespace), ScopeReference (flags, name).
/// </remarks>
/// <param name="bytes">The metadata.</param>
/// <param name="kindBits">Bits of a kind in a name of a record: 8 up to .NET 9, 7 since.</param>
internal sealed class EmbeddedMetadata(byte[] bytes, int kindBits)
{
    private const uint Signature = 0xDEAD_DFFD;
    private const int NamespaceDefinition = 0x2f,
        NamespaceReference = 0x30,
        TypeDefinition = 0x3a,
        TypeInstantiation = 0x3c,
        TypeReference = 0x3d,
        TypeSpecification = 0x3e,
        Array = 0x37;

    /// <summary>Deeper nesting means damage.</summary>
    private const int MaxDepth = 50;

    /// <summary>
    /// Maximum characters of a name, more than compilers generate. In damaged metadata many names can be the same long text.
    /// </summary>
    private const int MaxNameLength = 1 << 12;

    private readonly Dictionary<uint, NativeAotType?> _types = [];

    /// <summary>
    /// Number of list items read. Lists of types and namespaces share no items and lists of methods few, so there are fewer items than
    /// bytes.
    /// </summary>
    private long _listed;

    /// <summary>Whether it starts with the signature of metadata.</summary>
    public bool IsKnown => bytes.Length > 4 && BitConverter.ToUInt32(bytes) == Signature;

    /// <summary>A type by the number that tables outside the metadata use; null for a compiler-generated type without a name.</summary>
    /// <exception cref="BadImageFormatException">The metadata is damaged.</exception>
    public NativeAotType? Type(uint token) => Type((int)(token >> (32 - kindBits)), (int)(token & (uint.MaxValue >> kindBits)), 0);

    /// <summary>A text.</summary>
    /// <exception cref="BadImageFormatException">The metadata is damaged.</exception>
    public string Text(uint offset)
    {
        if (offset == 0)
            return "";
        var reader = At((int)offset);
        var length = reader.Unsigned();
        return length <= Math.Min(bytes.Length - reader.Position, MaxNameLength)
            ? Encoding.UTF8.GetString(bytes, reader.Position, (int)length)
            : throw new BadImageFormatException("a name is too long");
    }

    /// <summary>All defined types, with the names of the methods that reflection may call.</summary>
    /// <exception cref="BadImageFormatException">The metadata is damaged.</exception>
    public IEnumerable<(NativeAotType Type, IReadOnlyList<string> Methods)> Definitions()
    {
        var namespaces = new Stack<int>(Scopes());
        while (namespaces.TryPop(out var at))
        {
            foreach (var type in Members(at, namespaces))
                yield return type;
        }
    }

    /// <summary>Types that were requested, or are parts of these.</summary>
    public IEnumerable<NativeAotType> Known => _types.Values.OfType<NativeAotType>();

    private List<(NativeAotType Type, IReadOnlyList<string> Methods)> Members(int at, Stack<int> namespaces)
    {
        var reader = At(at);
        reader.Unsigned();
        reader.Unsigned();
        var open = new Stack<int>(List(ref reader));
        List(ref reader);
        foreach (var inner in List(ref reader))
            namespaces.Push(inner);
        var types = new List<(NativeAotType, IReadOnlyList<string>)>();
        while (open.TryPop(out var type))
        {
            var record = At(type);
            Skip(ref record, 7);
            foreach (var nested in List(ref record))
                open.Push(nested);
            if (Type(TypeDefinition, type, 0) is { } known)
                types.Add((known, [.. List(ref record).Select(MethodName)]));
        }

        return types;
    }

    private string MethodName(int method)
    {
        var reader = At(method);
        Skip(ref reader, 2);
        return Text(reader.Unsigned());
    }

    /// <summary>Root namespaces of the assemblies.</summary>
    private List<int> Scopes()
    {
        var reader = At(4);
        var roots = new List<int>();
        foreach (var scope in List(ref reader))
        {
            var record = At(scope);
            Skip(ref record, 7);
            var key = record.Unsigned();
            if (key > bytes.Length - record.Position)
                throw new BadImageFormatException("a key is longer than the metadata");
            record = At(record.Position + (int)key);
            record.Unsigned();
            roots.Add((int)record.Unsigned());
        }

        return roots;
    }

    private NativeAotType? Type(int kind, int offset, int depth)
    {
        if (depth > MaxDepth)
            throw new BadImageFormatException("types are nested too deeply");
        if (kind == 0)
            return null;
        var key = (uint)kind << 25 | (uint)offset;
        if (!_types.TryGetValue(key, out var type))
            _types.Add(key, type = Read(kind, offset, depth + 1));
        return type;
    }

    private NativeAotType? Read(int kind, int offset, int depth)
    {
        var reader = At(offset);
        switch (kind)
        {
            case TypeDefinition:
                Skip(ref reader, 2);
                var space = (int)reader.Unsigned();
                var name = Text(reader.Unsigned());
                Skip(ref reader, 2);
                return reader.Unsigned() is not 0 and var enclosing
                    ? Type(TypeDefinition, (int)enclosing, depth)?.Nested(name)
                    : Named(Namespace(NamespaceDefinition, space, depth), name);
            case TypeReference:
                var (parentKind, parent) = Handle(ref reader);
                var referenced = Text(reader.Unsigned());
                if (parentKind == 0)
                    return null; // a type parameter can be an argument of its own type
                return parentKind == TypeReference
                    ? Type(TypeReference, parent, depth)?.Nested(referenced)
                    : Named(Namespace(parentKind, parent, depth), referenced);
            case TypeSpecification:
                var (signatureKind, signature) = Handle(ref reader);
                return Type(signatureKind, signature, depth);
            case TypeInstantiation:
                var (genericKind, generic) = Handle(ref reader);
                var arguments = new NativeAotType?[Count(ref reader)];
                for (var i = 0; i < arguments.Length; i++)
                {
                    var (argumentKind, argument) = Handle(ref reader);
                    arguments[i] = Type(argumentKind, argument, depth);
                }

                return Type(genericKind, generic, depth) is { } definition ? definition.Of(arguments) : null;
            case Array:
                var (elementKind, element) = Handle(ref reader);
                return Type(elementKind, element, depth) is { } of ? of with { Name = of.Name + "[]" } : null;
            default:
                return null;
        }
    }

    private static NativeAotType Named((string Assembly, string Name) space, string name) =>
        new(space.Assembly, space.Name, space.Name.Length > 0 ? $"{space.Name}.{name}" : name);

    private (string Assembly, string Name) Namespace(int kind, int offset, int depth)
    {
        if (depth > MaxDepth)
            throw new BadImageFormatException("namespaces are nested too deeply");
        var reader = At(offset);
        if (kind is not (NamespaceDefinition or NamespaceReference))
        {
            reader.Unsigned();
            return (Text(reader.Unsigned()), "");
        }

        var (parentKind, parent) = Handle(ref reader);
        var name = Text(reader.Unsigned());
        var (assembly, outer) = Namespace(parentKind, parent, depth + 1);
        return (assembly, outer.Length > 0 ? $"{outer}.{name}" : name);
    }

    private NativeFormat At(int offset) =>
        offset >= 0 && offset < bytes.Length
            ? new NativeFormat(bytes, offset)
            : throw new BadImageFormatException("a record is outside the metadata");

    private (int Kind, int Offset) Handle(ref NativeFormat reader)
    {
        var value = reader.Unsigned();
        return ((int)(value & ((1u << kindBits) - 1)), (int)(value >> kindBits));
    }

    private int Count(ref NativeFormat reader) =>
        reader.Unsigned() is var count && count <= bytes.Length
            ? (int)count
            : throw new BadImageFormatException("a list is longer than the metadata");

    private List<int> List(ref NativeFormat reader)
    {
        var items = new List<int>();
        var count = Count(ref reader);
        if ((_listed += count) > bytes.Length)
            throw new BadImageFormatException("lists share their items");
        for (var left = count; left > 0; left--)
            items.Add((int)reader.Unsigned());
        return items;
    }

    private static void Skip(ref NativeFormat reader, int integers)
    {
        for (; integers > 0; integers--)
            reader.Unsigned();
    }
}
