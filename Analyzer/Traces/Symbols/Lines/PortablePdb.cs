using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>The source lines of an assembly's methods, by its portable PDB (Portable PDB v1.0 of dotnet/runtime).</summary>
internal sealed class PortablePdb
{
    private const int MethodDef = 0x06;

    private readonly MetadataReader _reader;

    /// <summary>Folder of the assembly.</summary>
    private readonly string _folder;
    private readonly Dictionary<int, Statement[]> _methods = [];
    private readonly Dictionary<DocumentHandle, string> _files = [];

    private PortablePdb(MetadataReaderProvider pdb, string folder) => (_reader, _folder) = (pdb.GetMetadataReader(), folder);

    /// <summary>Opens the PDB of an assembly: embedded in it, beside it, or in a folder or package with symbols.</summary>
    /// <param name="assembly">The assembly's file.</param>
    /// <param name="find">Finds PDB files by their name, GUID and age in folders with symbols.</param>
    /// <param name="problem">Why a PDB file that lies there was not used; empty when there is none, or it was.</param>
    /// <returns>The PDB; null when there is none that belongs to the assembly.</returns>
    public static PortablePdb? Open(string assembly, Func<string, Guid, int, IEnumerable<PdbLocation>> find, out string problem)
    {
        problem = "";
        var folder = Path.GetDirectoryName(assembly) ?? "";
        try
        {
            using var file = new PEReader(File.OpenRead(assembly));
            foreach (var entry in file.ReadDebugDirectory())
            {
                if (entry.Type == DebugDirectoryEntryType.EmbeddedPortablePdb)
                    return new PortablePdb(file.ReadEmbeddedPortablePdbDebugDirectoryData(entry), folder);
            }

            foreach (var entry in file.ReadDebugDirectory().Where(entry => entry is { Type: DebugDirectoryEntryType.CodeView, IsPortableCodeView: true }))
            {
                var named = file.ReadCodeViewDebugDirectoryData(entry);
                var name = named.Path[(named.Path.LastIndexOfAny(['/', '\\']) + 1)..];
                var beside = Path.Combine(folder, name);
                foreach (var location in (IEnumerable<PdbLocation>)[.. File.Exists(beside) ? [new(beside)] : (PdbLocation[])[], .. find(name, named.Guid, named.Age)])
                {
                    if (Read(location, folder, new BlobContentId(named.Guid, entry.Stamp), ref problem) is not { } pdb)
                        continue;
                    problem = "";
                    return pdb;
                }
            }
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            problem = $"no lines of {assembly}: {exception.Message.TrimEnd('.')}";
        }

        return null;
    }

    private static PortablePdb? Read(PdbLocation location, string folder, BlobContentId expected, ref string problem)
    {
        try
        {
            var provider = MetadataReaderProvider.FromPortablePdbStream(location.Open(), MetadataStreamOptions.PrefetchMetadata);
            if (provider.GetMetadataReader().DebugMetadataHeader is { } header && new BlobContentId(header.Id) == expected)
                return new PortablePdb(provider, folder);
            problem = $"{location} was not used: it belongs to another build of the assembly";
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            problem = $"{location} was not used: {exception.Message.TrimEnd('.')}";
        }

        return null;
    }

    /// <summary>The line of an instruction; null when the method has no lines: compilers make methods, too.</summary>
    /// <param name="method">Token of the method.</param>
    /// <param name="instruction">IL offset of the instruction; any number beyond the last one stands for the last.</param>
    public SourceLine? Find(int method, int instruction)
    {
        var statements = Statements(method);
        SourceLine? found = null;
        foreach (var statement in statements)
        {
            // What the compiler added (a state machine's dispatch) has no line: it counts to the statement before it, at the method's begin to the one after it.
            if (statement.Line.Line == 0)
                continue;
            if (statement.Start > instruction && found is not null)
                break;
            found = statement.Line;
        }

        return found;
    }

    /// <summary>The text of a source file; null when the PDB does not name it.</summary>
    /// <param name="file">Its path as of <see cref="SourceLine.File"/>.</param>
    public SourceText? Text(string file)
    {
        foreach (var document in _reader.Documents)
        {
            if (FileOf(document) == file)
                return SourceTextReader.Read(_reader, document, _folder);
        }

        return null;
    }

    private Statement[] Statements(int method)
    {
        if (_methods.TryGetValue(method, out var statements))
            return statements;
        statements = [];
        if ((uint)method >> 24 == MethodDef && (method & 0xFFFFFF) is var row && row >= 1 && row <= _reader.MethodDebugInformation.Count)
        {
            try
            {
                var information = _reader.GetMethodDebugInformation(MetadataTokens.MethodDebugInformationHandle(row));
                statements = [.. information.GetSequencePoints().Select(point => new Statement(point.Offset, new SourceLine(FileOf(point.Document.IsNil ? information.Document : point.Document), point.IsHidden ? 0 : point.StartLine)))];
            }
            catch (BadImageFormatException)
            {
                statements = []; // a damaged method has no lines; the others have theirs
            }
        }

        _methods.Add(method, statements);
        return statements;
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

    /// <summary>A statement: where it begins in the method's IL, and its line, 0 for code without one.</summary>
    private readonly record struct Statement(int Start, SourceLine Line);
}
