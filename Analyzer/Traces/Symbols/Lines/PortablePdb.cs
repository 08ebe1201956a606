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

    /// <summary>Documents with a line that was asked for.</summary>
    private readonly HashSet<string> _found = [];

    /// <summary>Folder of the assembly.</summary>
    private readonly string _folder;
    private readonly Dictionary<int, Statement[]> _methods = [];
    private readonly Dictionary<DocumentHandle, string> _files = [];

    private readonly ProgramFiles? _program;

    private PortablePdb(MetadataReaderProvider pdb, PdbLocation? location, string folder, ProgramFiles? program) => (_reader, Location, _folder, _program) = (pdb.GetMetadataReader(), location, folder, program);

    /// <summary>Where it lies; null when the assembly has it.</summary>
    public PdbLocation? Location { get; }

    /// <summary>Opens the PDB of an assembly: embedded in it, beside it, or in a folder or package with symbols.</summary>
    /// <param name="assembly">The assembly's file.</param>
    /// <param name="find">Finds PDB files by their name, GUID and age in folders with symbols.</param>
    /// <param name="program">The program's files that the recording keeps; null without a recording.</param>
    /// <param name="problem">Why a PDB file that lies there was not used; empty when there is none, or it was.</param>
    /// <returns>The PDB; null when there is none that belongs to the assembly.</returns>
    public static PortablePdb? Open(string assembly, Func<string, Guid, int, IEnumerable<PdbLocation>> find, ProgramFiles? program, out string problem)
    {
        problem = "";
        var folder = Path.GetDirectoryName(assembly) ?? "";
        try
        {
            using var file = new PEReader(File.OpenRead(assembly));
            foreach (var entry in file.ReadDebugDirectory())
            {
                if (entry.Type == DebugDirectoryEntryType.EmbeddedPortablePdb)
                    return new PortablePdb(file.ReadEmbeddedPortablePdbDebugDirectoryData(entry), null, folder, program);
            }

            foreach (var entry in file.ReadDebugDirectory().Where(entry => entry is { Type: DebugDirectoryEntryType.CodeView, IsPortableCodeView: true }))
            {
                var named = file.ReadCodeViewDebugDirectoryData(entry);
                var name = named.Path[(named.Path.LastIndexOfAny(['/', '\\']) + 1)..];
                var beside = Path.Combine(folder, name);
                foreach (var location in (IEnumerable<PdbLocation>)[.. File.Exists(beside) ? [new(beside)] : (PdbLocation[])[], .. find(name, named.Guid, named.Age)])
                {
                    if (Read(location, new BlobContentId(named.Guid, entry.Stamp), ref problem) is not { } pdb)
                        continue;
                    problem = "";
                    return new PortablePdb(pdb, location, folder, program);
                }
            }
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            problem = $"no lines of {assembly}: {exception.Message.TrimEnd('.')}";
        }

        return null;
    }

    private static MetadataReaderProvider? Read(PdbLocation location, BlobContentId expected, ref string problem)
    {
        try
        {
            var provider = MetadataReaderProvider.FromPortablePdbStream(location.Open(), MetadataStreamOptions.PrefetchMetadata);
            if (provider.GetMetadataReader().DebugMetadataHeader is { } header && new BlobContentId(header.Id) == expected)
                return provider;
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

        if (found is not null)
            _found.Add(found.File);
        return found;
    }

    /// <summary>The text of a source file; null when the PDB does not name it.</summary>
    /// <param name="file">Its path as of <see cref="SourceLine.File"/>.</param>
    public SourceText? Text(string file)
    {
        foreach (var document in _reader.Documents)
        {
            if (FileOf(document) == file)
                return SourceTextReader.Read(_reader, document, _folder, _program);
        }

        return null;
    }

    /// <summary>Keeps the source files in which a line was asked for; what is embedded is kept already.</summary>
    /// <param name="program">Takes them.</param>
    /// <exception cref="IOException">One cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">One may not be.</exception>
    public void KeepSource(ProgramFiles program)
    {
        foreach (var document in _reader.Documents)
        {
            if (_found.Contains(FileOf(document)) && SourceTextReader.OnDisk(_reader, document, _folder) is { } bytes)
                program.Keep(_reader.GetBlobBytes(_reader.GetDocument(document).Hash), bytes);
        }
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
