using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>Lines of a portable PDB (Portable PDB v1.0 of dotnet/runtime).</summary>
internal sealed class PortablePdb : IPdbLines
{
    private const int MethodDef = 0x06;

    private static readonly Guid s_embeddedSource = new("0e8a571b-6926-466e-b4ad-8ab04611f5fe");

    private readonly MetadataReader _reader;
    private readonly Dictionary<int, Statement[]> _methods = [];
    private readonly Dictionary<DocumentHandle, string> _files = [];

    private PortablePdb(MetadataReader reader) => _reader = reader;

    /// <summary>Its source files, without damaged entries.</summary>
    public IEnumerable<SourceDocument> Documents => _reader.Documents.Select(Document).OfType<SourceDocument>();

    /// <summary>Whether a file is a portable PDB, by its first bytes.</summary>
    /// <param name="file">The file at its start; its position does not change.</param>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static bool IsPortable(Stream file)
    {
        Span<byte> magic = stackalloc byte[4];
        var length = file.ReadAtLeast(magic, magic.Length, throwOnEndOfStream: false);
        file.Position = 0;
        return magic[..length].SequenceEqual("BSJB"u8);
    }

    /// <summary>Wraps opened metadata.</summary>
    /// <exception cref="BadImageFormatException">It is damaged.</exception>
    public static PortablePdb Read(MetadataReaderProvider pdb) => new(pdb.GetMetadataReader());

    /// <summary>Reads a PDB into memory; null when its id is not the expected one.</summary>
    /// <exception cref="BadImageFormatException">It is damaged.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static PortablePdb? Read(Stream file, BlobContentId expected)
    {
        var provider = MetadataReaderProvider.FromPortablePdbStream(file, MetadataStreamOptions.PrefetchMetadata);
        return provider.GetMetadataReader().DebugMetadataHeader is { } header && new BlobContentId(header.Id) == expected
            ? Read(provider)
            : null;
    }

    /// <inheritdoc/>
    public IReadOnlyList<Statement> Statements(int method)
    {
        if (_methods.TryGetValue(method, out var statements))
            return statements;
        statements = [];
        if ((uint)method >> 24 == MethodDef && (method & 0xFFFFFF) is var row && row >= 1 && row <= _reader.MethodDebugInformation.Count)
        {
            try
            {
                var information = _reader.GetMethodDebugInformation(MetadataTokens.MethodDebugInformationHandle(row));
                statements =
                [
                    .. information
                        .GetSequencePoints()
                        .Select(point => new Statement(
                            point.Offset,
                            new SourceLine(
                                FileOf(point.Document.IsNil ? information.Document : point.Document),
                                point.IsHidden ? 0 : point.StartLine
                            )
                        )),
                ];
            }
            catch (BadImageFormatException)
            {
                statements = []; // a damaged method has no lines; the others keep theirs
            }
        }

        _methods.Add(method, statements);
        return statements;
    }

    private SourceDocument? Document(DocumentHandle handle)
    {
        try
        {
            var document = _reader.GetDocument(handle);
            return new SourceDocument(
                FileOf(handle),
                _reader.GetGuid(document.HashAlgorithm),
                _reader.GetBlobBytes(document.Hash),
                () => Embedded(handle)
            );
        }
        catch (BadImageFormatException)
        {
            return null;
        }
    }

    private byte[]? Embedded(DocumentHandle document)
    {
        foreach (var handle in _reader.GetCustomDebugInformation(document))
        {
            var information = _reader.GetCustomDebugInformation(handle);
            if (_reader.GetGuid(information.Kind) == s_embeddedSource)
                return _reader.GetBlobBytes(information.Value);
        }

        return null;
    }

    /// <summary>The path of a document; empty when it is damaged.</summary>
    private string FileOf(DocumentHandle document)
    {
        if (_files.TryGetValue(document, out var file))
            return file;
        try
        {
            file = document.IsNil ? "" : _reader.GetString(_reader.GetDocument(document).Name);
        }
        catch (BadImageFormatException)
        {
            file = "";
        }

        _files.Add(document, file);
        return file;
    }
}
