using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Text;
using EtwSerializerProfiler.Traces.Symbols.Inlining;

namespace EtwSerializerProfiler.Traces.Symbols.Precompiled;

/// <summary>Names precompiled methods as the runtime's events do; generic instances by their signatures.</summary>
/// <remarks>
/// A method's signature (readytorun-format.md, "Method Signatures"): flags; index of the module, if the tokens belong to another one; type
/// that owns the method; row of its definition; count and types of type arguments. Types are those of ECMA-335, II.23.2.12, and two of the
/// runtime's own: __Canon for any reference type, and a type of another module.
/// </remarks>
internal sealed class InstanceNames
{
    private const int MethodInstantiation = 4,
        SlotInsteadOfToken = 8,
        MemberRefToken = 0x10,
        Constrained = 0x20,
        OwnerType = 0x40,
        UpdateContext = 0x80;
    private const int OfOtherModule = 0x3F,
        Canon = 0x3E,
        NativeValueType = 0x3D;

    /// <summary>Deeper nesting means damage.</summary>
    private const int MaxDepth = 50;

    private readonly MetadataReader _own;

    /// <summary>Names of assemblies that the image's code needs and its IL does not name; null when the image has none.</summary>
    private readonly MetadataReader? _manifest;

    /// <summary>Whether the manifest itself has a module number, as since version 6.3.</summary>
    private readonly bool _hasManifestIndex;
    private readonly Func<string, ModuleMetadata?> _assembly;

    /// <summary>Names methods of an image.</summary>
    /// <param name="own">Its metadata.</param>
    /// <param name="manifest">Metadata with further assembly references; null for none.</param>
    /// <param name="hasManifestIndex">Whether the manifest has a module number.</param>
    /// <param name="assembly">Metadata of another assembly by its simple name; null when unavailable.</param>
    public InstanceNames(MetadataReader own, MetadataReader? manifest, bool hasManifestIndex, Func<string, ModuleMetadata?> assembly) =>
        (_own, _manifest, _hasManifestIndex, _assembly) = (own, manifest, hasManifestIndex, assembly);

    /// <summary>The index of a method's code, which follows its signature.</summary>
    /// <exception cref="BadImageFormatException">The signature is damaged, or not an instance's.</exception>
    public static int FunctionIndex(ReadOnlySpan<byte> signatures, int position)
    {
        var reader = new NativeFormat(signatures, position);
        Method(null, ref reader);
        return reader.FunctionIndex();
    }

    /// <summary>Names a method by its token in the image's metadata.</summary>
    public PrecompiledMethodName Of(int token) => Definition(_own, token & 0xFFFFFF, null);

    /// <summary>Names a generic instance by its signature; null when an assembly in it is unavailable.</summary>
    /// <exception cref="BadImageFormatException">The signature is damaged.</exception>
    public PrecompiledMethodName? Of(ReadOnlySpan<byte> signatures, int position)
    {
        var reader = new NativeFormat(signatures, position);
        return Method(this, ref reader);
    }

    private PrecompiledMethodName Definition(MetadataReader module, int row, string? type)
    {
        if (row < 1 || row > module.MethodDefinitions.Count)
            throw new BadImageFormatException("a signature names no method");
        var method = module.GetMethodDefinition(MetadataTokens.MethodDefinitionHandle(row));
        return new PrecompiledMethodName(
            ReferenceEquals(module, _own) ? 0x0600_0000 | row : 0,
            type ?? CallTargets.TypeName(module, method.GetDeclaringType()),
            module.GetString(method.Name)
        );
    }

    /// <summary>The metadata of a module by its number: the image itself, assemblies that it references, those of the manifest.</summary>
    private MetadataReader? Module(int index)
    {
        var references = _own.AssemblyReferences.Count;
        if (index == 0)
            return _own;
        if (index <= references)
            return Named(_own, index);
        index -= references + (_hasManifestIndex ? 1 : 0);
        return _manifest is not null && index >= 1 && index <= _manifest.AssemblyReferences.Count ? Named(_manifest, index) : null;

        MetadataReader? Named(MetadataReader metadata, int row) =>
            _assembly(metadata.GetString(metadata.GetAssemblyReference(MetadataTokens.AssemblyReferenceHandle(row)).Name))?.Reader;
    }

    /// <summary>Reads a method's signature.</summary>
    /// <param name="names">Names what is read; null to pass over it.</param>
    /// <param name="reader">Its position; advanced past the signature.</param>
    /// <returns>The method; null when it was skipped, or an assembly in it is unavailable.</returns>
    private static PrecompiledMethodName? Method(InstanceNames? names, ref NativeFormat reader)
    {
        var flags = reader.Compressed();
        if ((flags & (SlotInsteadOfToken | MemberRefToken)) != 0)
            throw new BadImageFormatException("a slot or a reference names an instance");
        var module = names?._own;
        if ((flags & UpdateContext) != 0)
            module = names?.Module(reader.Compressed());
        var owner = module;
        string? type = null;
        if ((flags & OwnerType) != 0)
        {
            var peek = reader;
            if (peek.Byte() == OfOtherModule)
                owner = names?.Module(peek.Compressed());
            type = Type(names, ref reader, module, module, 0);
            owner = type is null ? null : owner;
        }

        var row = reader.Compressed();
        if ((flags & MethodInstantiation) != 0)
        {
            for (var count = reader.Compressed(); count > 0; count--)
                Type(null, ref reader, null, null, 0);
        }

        if ((flags & Constrained) != 0)
            Type(null, ref reader, null, null, 0);
        return names is null || owner is null ? null : names.Definition(owner, row, type);
    }

    /// <summary>Reads a type.</summary>
    /// <param name="names">Names what is read; null to pass over it.</param>
    /// <param name="reader">Its position; advanced past the type.</param>
    /// <param name="module">The module of its tokens; null when unavailable.</param>
    /// <param name="outer">The module of the tokens of its type arguments.</param>
    /// <param name="depth">Nesting depth.</param>
    /// <returns>Its name; null when it was skipped, or an assembly in it is unavailable.</returns>
    private static string? Type(InstanceNames? names, ref NativeFormat reader, MetadataReader? module, MetadataReader? outer, int depth)
    {
        if (depth > MaxDepth)
            throw new BadImageFormatException("types of a signature are nested too deeply");
        var code = reader.Byte();
        switch (code)
        {
            case OfOtherModule:
                var index = reader.Compressed();
                return Type(names, ref reader, names?.Module(index), outer, depth + 1);
            case Canon:
                return "System.__Canon";
            case NativeValueType:
                return Type(names, ref reader, module, outer, depth + 1);
            case (int)SignatureTypeCode.SZArray:
                return Type(names, ref reader, module, outer, depth + 1) is { } element ? element + "[]" : null;
            case (int)SignatureTypeCode.Pointer:
                return Type(names, ref reader, module, outer, depth + 1) is { } target ? target + "*" : null;
            case (int)SignatureTypeCode.Array:
                var item = Type(names, ref reader, module, outer, depth + 1);
                var rank = Math.Clamp(reader.Compressed(), 1, MaxDepth);
                SkipIntegers(ref reader); // sizes
                SkipIntegers(ref reader); // lower bounds
                return item is null ? null : $"{item}[{new string(',', rank - 1)}]";
            case (int)SignatureTypeCode.GenericTypeInstance:
                return Instance(names, ref reader, module, outer, depth);
            case (int)SignatureTypeKind.Class or (int)SignatureTypeKind.ValueType:
                var coded = reader.Compressed();
                return module is null ? null : TypeName(module, coded);
            default:
                return Primitive((SignatureTypeCode)code)
                    ?? throw new BadImageFormatException($"a signature has a type of kind 0x{code:x}");
        }
    }

    private static string? Instance(InstanceNames? names, ref NativeFormat reader, MetadataReader? module, MetadataReader? outer, int depth)
    {
        var isKnown = true;
        var name = new StringBuilder();
        Add(Type(names, ref reader, module, outer, depth + 1), '\0');
        var count = reader.Compressed();
        for (var i = 0; i < count; i++)
            Add(Type(names, ref reader, outer, outer, depth + 1), i == 0 ? '[' : ',');
        return isKnown ? name.Append(']').ToString() : null;

        void Add(string? part, char separator)
        {
            isKnown &= part is not null;
            if (separator != '\0')
                name.Append(separator);
            name.Append(part);
        }
    }

    private static void SkipIntegers(ref NativeFormat reader)
    {
        for (var count = reader.Compressed(); count > 0; count--)
            reader.Compressed();
    }

    /// <summary>A type by its coded index: row × 4 + table.</summary>
    private static string TypeName(MetadataReader module, int coded) =>
        CallTargets.TypeName(
            module,
            (coded & 3) switch
            {
                0 => MetadataTokens.TypeDefinitionHandle(coded >> 2),
                1 => MetadataTokens.TypeReferenceHandle(coded >> 2),
                2 => MetadataTokens.TypeSpecificationHandle(coded >> 2),
                _ => throw new BadImageFormatException("a signature names no type"),
            }
        );

    private static string? Primitive(SignatureTypeCode code) =>
        code switch
        {
            SignatureTypeCode.Object => "System.Object",
            SignatureTypeCode.TypedReference => "System.TypedReference",
            >= SignatureTypeCode.Void and <= SignatureTypeCode.String or SignatureTypeCode.IntPtr or SignatureTypeCode.UIntPtr =>
                $"System.{(PrimitiveTypeCode)code}",
            _ => null,
        };
}
