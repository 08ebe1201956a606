using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>Names of the types and methods in an assembly's file, by their metadata tokens (ECMA-335, II.22).</summary>
internal sealed class ModuleMetadata
{
    /// <summary>Tables in the high byte of a token.</summary>
    private const int TypeDef = 0x02;
    private const int MethodDef = 0x06;

    /// <summary>Deeper nesting is damage: the table could hold a circle.</summary>
    private const int DeepestNesting = 100;

    private readonly MetadataReaderProvider _metadata;

    private ModuleMetadata(MetadataReaderProvider metadata, IReadOnlyList<Guid> pdbs)
    {
        _metadata = metadata;
        Pdbs = pdbs;
    }

    /// <summary>GUIDs of the PDB files that belong to it.</summary>
    public IReadOnlyList<Guid> Pdbs { get; }

    private MetadataReader Reader => _metadata.GetMetadataReader();

    /// <summary>Reads a file's metadata into memory.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    /// <exception cref="BadImageFormatException">It is no assembly.</exception>
    public static ModuleMetadata Read(string path)
    {
        using var file = new PEReader(File.OpenRead(path));
        if (!file.HasMetadata)
            throw new BadImageFormatException("it has no metadata");
        var pdbs = file.ReadDebugDirectory().Where(entry => entry.Type == DebugDirectoryEntryType.CodeView).Select(entry => file.ReadCodeViewDebugDirectoryData(entry).Guid).ToArray();
        var metadata = new ModuleMetadata(MetadataReaderProvider.FromMetadataImage(file.GetMetadata().GetContent()), pdbs);
        _ = metadata.Reader; // checks the headers
        return metadata;
    }

    /// <summary>The name of a method; null when the token is of none.</summary>
    public string? MethodName(int token)
    {
        if (!IsIn(token, MethodDef, Reader.MethodDefinitions.Count))
            return null;
        try
        {
            return Reader.GetString(Reader.GetMethodDefinition(MetadataTokens.MethodDefinitionHandle(token & 0xFFFFFF)).Name);
        }
        catch (BadImageFormatException)
        {
            return null;
        }
    }

    /// <summary>The full name of a type as the runtime writes it, nested ones behind a plus; null when the token is of none.</summary>
    public string? TypeName(int token)
    {
        if (!IsIn(token, TypeDef, Reader.TypeDefinitions.Count))
            return null;
        try
        {
            return TypeName(MetadataTokens.TypeDefinitionHandle(token & 0xFFFFFF), 0);
        }
        catch (BadImageFormatException)
        {
            return null;
        }
    }

    private string? TypeName(TypeDefinitionHandle handle, int depth)
    {
        var type = Reader.GetTypeDefinition(handle);
        var name = Reader.GetString(type.Name);
        if (type.GetDeclaringType() is { IsNil: false } outer)
            return depth < DeepestNesting && TypeName(outer, depth + 1) is { } outerName ? $"{outerName}+{name}" : null;
        return type.Namespace.IsNil ? name : $"{Reader.GetString(type.Namespace)}.{name}";
    }

    private static bool IsIn(int token, int table, int rows) => (uint)token >> 24 == table && (token & 0xFFFFFF) is var row && row >= 1 && row <= rows;
}
