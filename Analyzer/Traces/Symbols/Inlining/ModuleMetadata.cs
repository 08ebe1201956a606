using System.Buffers.Binary;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using EtwSerializerProfiler.Traces.Symbols.Kept;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>
/// Names of the types and methods in an assembly's file, and what methods call, by their metadata tokens (ECMA-335, II.22).
/// </summary>
internal sealed class ModuleMetadata
{
    /// <summary>Tables in the high byte of a token.</summary>
    private const int TypeDef = 0x02;
    private const int MethodDef = 0x06;

    /// <summary>A larger body means damage.</summary>
    private const int MaxBodyBytes = 16 << 20;

    private readonly MetadataReaderProvider _metadata;
    private readonly PEHeaders _headers;

    /// <summary>The file, from which bodies are read one by one: most are never needed.</summary>
    private readonly ImageFile _file;
    private readonly Dictionary<int, MethodCalls?> _calls = [];
    private readonly Dictionary<int, MethodIdentity> _identities = [];

    private ModuleMetadata(MetadataReaderProvider metadata, PEHeaders headers, ImageFile file, IReadOnlyList<Guid> pdbs)
    {
        _metadata = metadata;
        _headers = headers;
        _file = file;
        Pdbs = pdbs;
    }

    /// <summary>The file.</summary>
    public ImageFile ImageFile => _file;

    /// <summary>Where the file was when it was recorded.</summary>
    public string Path => _file.Path;

    /// <summary>GUIDs of the PDB files that belong to it.</summary>
    public IReadOnlyList<Guid> Pdbs { get; }

    /// <summary>Its tables.</summary>
    public MetadataReader Reader => _metadata.GetMetadataReader();

    /// <summary>Reads a file's metadata into memory.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    /// <exception cref="BadImageFormatException">It is not an assembly.</exception>
    public static ModuleMetadata Read(string path) => Read(ImageFile.Open(path));

    /// <summary>Reads the metadata of an opened file, or of what a recording keeps of it, into memory.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    /// <exception cref="BadImageFormatException">It is not an assembly.</exception>
    public static ModuleMetadata Read(ImageFile file)
    {
        using var reader = new PEReader(file.OpenStream());
        if (!reader.HasMetadata)
            throw new BadImageFormatException("the file has no metadata");
        var pdbs = reader
            .ReadDebugDirectory()
            .Where(entry => entry.Type == DebugDirectoryEntryType.CodeView)
            .Select(entry => reader.ReadCodeViewDebugDirectoryData(entry).Guid)
            .ToArray();
        var metadata = new ModuleMetadata(
            MetadataReaderProvider.FromMetadataImage(reader.GetMetadata().GetContent()),
            reader.PEHeaders,
            file,
            pdbs
        );
        _ = metadata.Reader; // checks the headers
        return metadata;
    }

    /// <summary>The name of a method; null when the token is not a method's.</summary>
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

    /// <summary>The full name of a type as the runtime writes it, nested types after a plus; null when the token is not a type's.</summary>
    public string? TypeName(int token)
    {
        if (!IsIn(token, TypeDef, Reader.TypeDefinitions.Count))
            return null;
        try
        {
            return CallTargets.TypeName(Reader, MetadataTokens.EntityHandle(token));
        }
        catch (BadImageFormatException)
        {
            return null;
        }
    }

    /// <summary>The method of a token, as calls name it; null when the token is not a method's.</summary>
    public MethodIdentity? Method(int token)
    {
        if (_identities.TryGetValue(token, out var known))
            return known;
        if (!IsIn(token, MethodDef, Reader.MethodDefinitions.Count))
            return null;
        try
        {
            var method = Reader.GetMethodDefinition((MethodDefinitionHandle)MetadataTokens.EntityHandle(token));
            var identity = new MethodIdentity(
                CallTargets.TypeName(Reader, method.GetDeclaringType()),
                Reader.GetString(method.Name),
                CallTargets.Parameters(Reader.GetBlobReader(method.Signature)),
                (method.Attributes & MethodAttributes.Virtual) != 0
            );
            _identities.Add(token, identity);
            return identity;
        }
        catch (BadImageFormatException)
        {
            return null;
        }
    }

    /// <summary>What a method calls; null when it has no readable IL.</summary>
    /// <param name="token">Its token, for which <see cref="Method"/> is not null.</param>
    public unsafe MethodCalls? Calls(int token)
    {
        if (_calls.TryGetValue(token, out var calls))
            return calls;
        try
        {
            var il = Body(token);
            fixed (byte* start = il)
                calls = il is null ? null : IlReader.Read(new BlobReader(start, il.Length), Reader);
        }
        catch (BadImageFormatException)
        {
            calls = null;
        }

        _calls.Add(token, calls);
        return calls;
    }

    /// <summary>Bytes of the image at a virtual address; null when its file does not have them.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public byte[]? Bytes(int address, int size)
    {
        if (size < 0 || _headers.GetContainingSectionIndex(address) is not (>= 0 and var index))
            return null;
        var section = _headers.SectionHeaders[index];
        if ((long)address - section.VirtualAddress + size > section.SizeOfRawData)
            return null;
        var bytes = new byte[size];
        return _file.Read(bytes, (long)address - section.VirtualAddress + section.PointerToRawData) == size ? bytes : null;
    }

    /// <summary>The IL of a method; null when it has no readable IL.</summary>
    /// <param name="token">Its token.</param>
    public byte[]? Body(int token)
    {
        if (!IsIn(token, MethodDef, Reader.MethodDefinitions.Count))
            return null;
        try
        {
            return ReadBody(Reader.GetMethodDefinition((MethodDefinitionHandle)MetadataTokens.EntityHandle(token)).RelativeVirtualAddress);
        }
        catch (Exception exception) when (exception is BadImageFormatException or IOException)
        {
            return null;
        }
    }

    /// <summary>Reads a body with its header of 1 or 12 bytes (ECMA-335, II.25.4).</summary>
    private byte[]? ReadBody(int address)
    {
        if (address == 0 || _headers.GetContainingSectionIndex(address) is not (>= 0 and var index))
            return null;
        var section = _headers.SectionHeaders[index];
        var offset = (long)address - section.VirtualAddress + section.PointerToRawData;
        Span<byte> header = stackalloc byte[12];
        var isFat = Read(header[..1]) && (header[0] & 3) == 3;
        if (isFat && !Read(header))
            return null;
        var size = isFat ? BinaryPrimitives.ReadInt32LittleEndian(header[4..]) : header[0] >> 2;
        if (size is <= 0 or > MaxBodyBytes)
            return null;
        offset += isFat ? 12 : 1;
        var il = new byte[size];
        return Read(il) ? il : null;

        bool Read(Span<byte> bytes) => _file.Read(bytes, offset) == bytes.Length;
    }

    private static bool IsIn(int token, int table, int rows) =>
        (uint)token >> 24 == table && (token & 0xFFFFFF) is var row && row >= 1 && row <= rows;
}
