using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>The source lines of an assembly's methods, from its portable or Windows PDB.</summary>
internal sealed class AssemblyLines
{
    private readonly IPdbLines _pdb;

    /// <summary>Documents of which a line was requested.</summary>
    private readonly HashSet<string> _found = [];

    /// <summary>Folder of the assembly.</summary>
    private readonly string _folder;
    private readonly ProgramFiles? _program;

    private AssemblyLines(IPdbLines pdb, PdbLocation? location, string folder, ProgramFiles? program) =>
        (_pdb, Location, _folder, _program) = (pdb, location, folder, program);

    /// <summary>Path of the PDB; null when it is embedded in the assembly.</summary>
    public PdbLocation? Location { get; }

    /// <summary>Opens the PDB of an assembly: embedded in it, beside it, or in a folder or package with symbols.</summary>
    /// <param name="assembly">The assembly's file.</param>
    /// <param name="find">Finds PDB files by their name, GUID and age in folders with symbols.</param>
    /// <param name="program">The program's files that the recording keeps; null without a recording.</param>
    /// <param name="problem">Why an existing PDB file was not used; empty when there is none, or it was used.</param>
    /// <returns>Its lines; null without a PDB that belongs to the assembly.</returns>
    public static AssemblyLines? Open(
        string assembly,
        Func<string, Guid, int, IEnumerable<PdbLocation>> find,
        ProgramFiles? program,
        out string problem
    )
    {
        problem = "";
        var folder = Path.GetDirectoryName(assembly) ?? "";
        try
        {
            using var file = new PEReader(File.OpenRead(assembly));
            foreach (var entry in file.ReadDebugDirectory())
            {
                if (entry.Type == DebugDirectoryEntryType.EmbeddedPortablePdb)
                    return new AssemblyLines(
                        PortablePdb.Read(file.ReadEmbeddedPortablePdbDebugDirectoryData(entry)),
                        null,
                        folder,
                        program
                    );
            }

            foreach (var entry in file.ReadDebugDirectory().Where(entry => entry.Type == DebugDirectoryEntryType.CodeView))
            {
                var named = file.ReadCodeViewDebugDirectoryData(entry);
                var name = named.Path[(named.Path.LastIndexOfAny(['/', '\\']) + 1)..];
                var beside = Path.Combine(folder, name);
                foreach (
                    var location in (IEnumerable<PdbLocation>)
                        [.. File.Exists(beside) ? [new(beside)] : (PdbLocation[])[], .. find(name, named.Guid, named.Age)]
                )
                {
                    if (Read(location, named, entry.Stamp, ref problem) is not { } pdb)
                        continue;
                    problem = "";
                    return new AssemblyLines(pdb, location, folder, program);
                }
            }
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            problem = $"no lines of {assembly}: {exception.Message.TrimEnd('.')}";
        }

        return null;
    }

    /// <summary>The line of an instruction; null when the method has no lines, like methods that compilers generate.</summary>
    /// <param name="method">Token of the method.</param>
    /// <param name="instruction">IL offset of the instruction; any number beyond the last one stands for the last.</param>
    public SourceLine? Find(int method, int instruction)
    {
        SourceLine? found = null;
        foreach (var statement in _pdb.Statements(method))
        {
            // Code that the compiler added (a state machine's dispatch) has no line: it counts for the previous statement, at the start of
            // a method for the next one.
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
    /// <param name="file">Its path, as in <see cref="SourceLine.File"/>.</param>
    public SourceText? Text(string file) =>
        _pdb.Documents.FirstOrDefault(document => document.Path == file) is { } document
            ? SourceTextReader.Read(document, _folder, _program)
            : null;

    /// <summary>Keeps the source files of which a line was requested; embedded ones are in the PDB already.</summary>
    /// <param name="program">Takes them.</param>
    /// <exception cref="IOException">One cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public void KeepSource(ProgramFiles program)
    {
        foreach (var document in _pdb.Documents.Where(document => _found.Contains(document.Path)))
        {
            if (SourceTextReader.OnDisk(document, _folder) is { } bytes)
                program.Keep(document.Checksum, bytes);
        }
    }

    /// <summary>Detects the format by the content: tools convert PDBs without changing what the assembly says.</summary>
    private static IPdbLines? Read(PdbLocation location, CodeViewDebugDirectoryData named, uint stamp, ref string problem)
    {
        try
        {
            var file = location.Open();
            if (PortablePdb.IsPortable(file))
            {
                if (PortablePdb.Read(file, new BlobContentId(named.Guid, stamp)) is { } portable)
                    return portable;
            }
            else
            {
                using (file)
                {
                    var pdb = PdbFile.Open(file);
                    if (pdb.IsOf(named.Guid, named.Age))
                        return WindowsPdbReader.Read(pdb) is { HasLines: true } lines ? lines : null;
                }
            }

            problem = $"{location} was not used: it belongs to another build of the assembly";
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            problem = $"{location} was not used: {exception.Message.TrimEnd('.')}";
        }

        return null;
    }
}
