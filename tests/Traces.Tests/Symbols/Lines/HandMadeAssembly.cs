using System.Collections.Immutable;
using System.IO.Compression;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Lines;

/// <summary>Writes an assembly with one method, M.F, and a portable PDB with features that compilers write only on request.</summary>
internal static class HandMadeAssembly
{
    /// <summary>Token of M.F.</summary>
    public const int Method = 0x06000001;

    private static readonly Guid s_sha256 = new("8829d00f-11b8-4213-878b-770e8597ac16");
    private static readonly Guid s_embeddedSource = new("0e8a571b-6926-466e-b4ad-8ab04611f5fe");

    /// <summary>Writes NAME.dll to a folder, and its PDB beside it or into it.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="points">Sequence points of the method: IL offset and line, 0 for a hidden one.</param>
    /// <param name="source">Path of its source, and checksum.</param>
    /// <param name="isEmbedded">Whether the PDB lies in the assembly.</param>
    /// <param name="embedded">Source to be put into the PDB; null for none.</param>
    /// <param name="id">Id of the build.</param>
    public static string Write(
        string folder,
        IReadOnlyList<(int Offset, int Line)> points,
        (string Path, byte[] Hash) source,
        bool isEmbedded = false,
        byte[]? embedded = null,
        byte id = 1
    )
    {
        var metadata = new MetadataBuilder();
        metadata.AddModule(
            0,
            metadata.GetOrAddString("made.dll"),
            metadata.GetOrAddGuid(new Guid(id, 0, 0, new byte[8])),
            default,
            default
        );
        metadata.AddAssembly(metadata.GetOrAddString("made"), new Version(1, 0), default, default, default, AssemblyHashAlgorithm.None);
        var il = new BlobBuilder();
        var code = new InstructionEncoder(new BlobBuilder());
        for (var i = 0; i < 40; i++)
            code.OpCode(ILOpCode.Nop);
        code.OpCode(ILOpCode.Ret);
        var body = new MethodBodyStreamEncoder(il).AddMethodBody(code);
        var signature = new BlobBuilder();
        new BlobEncoder(signature).MethodSignature().Parameters(0, type => type.Void(), _ => { });
        metadata.AddTypeDefinition(
            default,
            default,
            metadata.GetOrAddString("<Module>"),
            default,
            MetadataTokens.FieldDefinitionHandle(1),
            MetadataTokens.MethodDefinitionHandle(1)
        );
        metadata.AddTypeDefinition(
            TypeAttributes.Class,
            default,
            metadata.GetOrAddString("M"),
            default,
            MetadataTokens.FieldDefinitionHandle(1),
            MetadataTokens.MethodDefinitionHandle(1)
        );
        metadata.AddMethodDefinition(
            MethodAttributes.Static,
            MethodImplAttributes.IL,
            metadata.GetOrAddString("F"),
            metadata.GetOrAddBlob(signature),
            body,
            default
        );

        var pdb = Pdb(metadata.GetRowCounts(), points, source, embedded, out var contentId);
        var debug = new DebugDirectoryBuilder();
        debug.AddCodeViewEntry("made.pdb", contentId, 0x0100);
        if (isEmbedded)
            debug.AddEmbeddedPortablePdbEntry(pdb, 0x0100);
        else
            File.WriteAllBytes(Path.Combine(folder, "made.pdb"), pdb.ToArray());
        var file = new BlobBuilder();
        new ManagedPEBuilder(
            new PEHeaderBuilder(imageCharacteristics: Characteristics.Dll),
            new MetadataRootBuilder(metadata),
            il,
            debugDirectoryBuilder: debug
        ).Serialize(file);
        var path = Path.Combine(folder, "made.dll");
        File.WriteAllBytes(path, file.ToArray());
        return path;
    }

    private static BlobBuilder Pdb(
        ImmutableArray<int> rows,
        IReadOnlyList<(int Offset, int Line)> points,
        (string Path, byte[] Hash) source,
        byte[]? embedded,
        out BlobContentId id
    )
    {
        var metadata = new MetadataBuilder();
        var document = metadata.AddDocument(
            metadata.GetOrAddDocumentName(source.Path),
            metadata.GetOrAddGuid(s_sha256),
            metadata.GetOrAddBlob(source.Hash),
            default
        );
        metadata.AddMethodDebugInformation(document, metadata.GetOrAddBlob(SequencePoints(points)));
        if (embedded is not null)
        {
            using var deflated = new MemoryStream();
            deflated.Write(BitConverter.GetBytes(embedded.Length));
            using (var deflate = new DeflateStream(deflated, CompressionMode.Compress, leaveOpen: true))
                deflate.Write(embedded);
            metadata.AddCustomDebugInformation(
                document,
                metadata.GetOrAddGuid(s_embeddedSource),
                metadata.GetOrAddBlob(deflated.ToArray())
            );
        }

        var pdb = new BlobBuilder();
        id = new PortablePdbBuilder(metadata, rows, default).Serialize(pdb);
        return pdb;
    }

    /// <summary>The blob of sequence points (Portable PDB v1.0): all statements have one column.</summary>
    public static BlobBuilder SequencePoints(IReadOnlyList<(int Offset, int Line)> points)
    {
        var blob = new BlobBuilder();
        blob.WriteCompressedInteger(0); // no locals
        var (offset, line) = (0, 0);
        foreach (var point in points)
        {
            blob.WriteCompressedInteger(point.Offset - offset);
            offset = point.Offset;
            blob.WriteCompressedInteger(0); // lines
            if (point.Line == 0)
            {
                blob.WriteCompressedInteger(0); // hidden
                continue;
            }

            blob.WriteCompressedInteger(1); // columns
            if (line == 0)
                blob.WriteCompressedInteger(point.Line);
            else
                blob.WriteCompressedSignedInteger(point.Line - line);
            if (line == 0)
                blob.WriteCompressedInteger(1);
            else
                blob.WriteCompressedSignedInteger(0);
            line = point.Line;
        }

        return blob;
    }
}
