using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using EtwSerializerProfiler.Traces.Symbols.Kept;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>Which of the program's files a recording keeps, so that it can be read after the next build and on another machine.</summary>
public enum KeptFiles
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>
    /// Parts of libraries and assemblies, including the platform's, that gave names and callers to samples: symbol tables, call frame
    /// information, metadata, IL.
    /// </summary>
    Symbols,

    /// <summary>Also whole assemblies that have a PDB, and the PDB.</summary>
    Assemblies,

    /// <summary>Also the source files in which time was spent.</summary>
    Source,
}

/// <summary>
/// The program's own files in a recording: <c>program/GUID of the PDB/NAME.dll</c> with the PDB beside it, and
/// <c>program/source/CHECKSUM</c>. Parts of the machine's files:
/// <c>program/GUID of the PDB/NAME.dll.parts</c> and <c>program/BUILD ID or HASH OF THE PATH/NAME.parts</c> (<see cref="ImageParts"/>);
/// of precompiled assemblies <c>program/HASH OF THE PATH/NAME.dll.methods.json</c> (<see cref="KeptMethods"/>);
/// of the kernel <c>program/kernel.functions</c> (<see cref="KernelSymbols.Found"/>).
/// </summary>
/// <param name="recording">Folder of the recording; empty when there is none.</param>
internal sealed class ProgramFiles(string recording)
{
    /// <summary>Name of the folder in a recording.</summary>
    private const string FolderName = "program";

    /// <summary>Maximum bytes of one file's parts before compression: three times those of the largest known library (libclang).</summary>
    private const long MaxPartsBytes = 64 << 20;

    /// <summary>Whether there is a recording folder.</summary>
    public bool CanKeep => recording.Length > 0;

    /// <summary>The kept copy of an assembly; null when there is none.</summary>
    /// <param name="path">Where the assembly was.</param>
    /// <param name="pdb">GUID of its PDB.</param>
    public string? Assembly(string path, Guid pdb)
    {
        if (recording.Length == 0 || pdb == Guid.Empty)
            return null;
        var file = AssemblyFile(path, pdb);
        return File.Exists(file) ? file : null;
    }

    /// <summary>Opens the kept parts of a library or an assembly; null when there are none.</summary>
    /// <param name="path">Its original path.</param>
    /// <param name="id">Its build id, a hash of its path, or the GUID of its PDB.</param>
    /// <exception cref="IOException">The copy is unreadable.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    /// <exception cref="InvalidDataException">The copy is damaged.</exception>
    public ImageFile? Parts(string path, string id)
    {
        if (recording.Length == 0 || id.Length == 0)
            return null;
        var file = PartsFile(path, id);
        return File.Exists(file) ? ImageFile.OpenKept(file, path) : null;
    }

    /// <summary>Identifies the parts of a file without an id of its own by its path: they belong to this recording alone.</summary>
    public static string IdOf(string path) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(path)).AsSpan(0, 20));

    /// <summary>The kept methods of a precompiled assembly; null when there are none.</summary>
    /// <exception cref="IOException">They are unreadable.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    /// <exception cref="InvalidDataException">They are damaged.</exception>
    public KeptMethods? Methods(string path)
    {
        if (recording.Length == 0 || MethodsFile(path) is var file && !File.Exists(file))
            return null;
        try
        {
            using var stream = File.OpenRead(file);
            return JsonSerializer.Deserialize(stream, KeptMethodsJson.Default.KeptMethods);
        }
        catch (JsonException exception)
        {
            throw new InvalidDataException(exception.Message, exception);
        }
    }

    /// <summary>The kept functions of the kernel; null when there are none.</summary>
    /// <exception cref="IOException">They are unreadable.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    /// <exception cref="InvalidDataException">They are damaged.</exception>
    public KernelSymbols? Kernel()
    {
        if (recording.Length == 0 || !File.Exists(KernelFile))
            return null;
        try
        {
            return KernelSymbols.ParseKept(File.ReadAllBytes(KernelFile));
        }
        catch (InvalidDataException exception)
        {
            throw new InvalidDataException($"{KernelFile} {exception.Message}", exception);
        }
    }

    /// <summary>The kept copy of a source file; null when there is none.</summary>
    /// <param name="checksum">The checksum that the PDB has of it.</param>
    public string? Source(byte[] checksum)
    {
        if (recording.Length == 0 || checksum.Length == 0)
            return null;
        var file = SourceFile(checksum);
        return File.Exists(file) ? file : null;
    }

    /// <summary>Copies an assembly and its PDB.</summary>
    /// <param name="path">The assembly.</param>
    /// <param name="pdb">GUID of its PDB.</param>
    /// <param name="location">Location of the PDB; null when it is embedded.</param>
    /// <exception cref="IOException">A file cannot be copied.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to a file is denied.</exception>
    public void Keep(string path, Guid pdb, PdbLocation? location)
    {
        var file = AssemblyFile(path, pdb);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.Copy(path, file, overwrite: true);
        if (location is not { } from)
            return;
        using var content = from.Open();
        using var copy = File.Create(Path.Combine(Path.GetDirectoryName(file)!, from.FileName));
        content.CopyTo(copy);
    }

    /// <summary>Writes a source file.</summary>
    /// <param name="checksum">The checksum that the PDB has of it.</param>
    /// <param name="text">Its bytes.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public void Keep(byte[] checksum, byte[] text)
    {
        var file = SourceFile(checksum);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllBytes(file, text);
    }

    /// <summary>Writes methods of a precompiled assembly.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public void Keep(string path, KeptMethods methods)
    {
        var file = MethodsFile(path);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllBytes(file, JsonSerializer.SerializeToUtf8Bytes(methods, KeptMethodsJson.Default.KeptMethods));
    }

    /// <summary>Writes the functions of the kernel that were found.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public void Keep(KernelSymbols kernel)
    {
        if (kernel.Found() is not { Length: > 0 } found)
            return;
        Directory.CreateDirectory(Path.GetDirectoryName(KernelFile)!);
        File.WriteAllText(KernelFile, found);
    }

    /// <summary>Writes the parts of a library or an assembly that were read.</summary>
    /// <param name="file">The library.</param>
    /// <param name="id">Its build id, a hash of its path, or the GUID of its PDB.</param>
    /// <returns>False when they are too large for a recording.</returns>
    /// <exception cref="IOException">They cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public bool TryKeepParts(ImageFile file, string id)
    {
        var copy = PartsFile(file.Path, id);
        Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
        return file.TryKeep(copy, MaxPartsBytes);
    }

    private string KernelFile => Path.Combine(recording, FolderName, "kernel.functions");

    private string PartsFile(string path, string id) => FileOf(path, id, ".parts");

    private string MethodsFile(string path) => FileOf(path, IdOf(path), ".methods.json");

    private string AssemblyFile(string path, Guid pdb) => FileOf(path, pdb.ToString("N"), "");

    private string FileOf(string path, string id, string ending) =>
        Path.Combine(recording, FolderName, id, path[(path.LastIndexOfAny(['/', '\\']) + 1)..] + ending);

    private string SourceFile(byte[] checksum) => Path.Combine(recording, FolderName, "source", Convert.ToHexStringLower(checksum));
}
