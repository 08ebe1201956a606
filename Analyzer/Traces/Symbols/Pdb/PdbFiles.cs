using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>
/// PDB files of Windows images, from folders of this machine. A file is used only if GUID and age match the image's. Without these, a file
/// of the right name may belong to another version and is not used.
/// </summary>
/// <param name="paths">
/// Folders, with files as they are (ntdll.pdb), as symbol servers lay them out (ntdll.pdb/GUIDAGE/ntdll.pdb) or in packages (.snupkg,
/// .nupkg, .zip); or single files.
/// </param>
public sealed class PdbFiles(IReadOnlyList<string> paths)
{
    /// <summary>Names that a sentence lists.</summary>
    private const int NamesInSentence = 5;

    private readonly Dictionary<PdbReference, PdbFunctions?> _functions = [];
    private readonly List<string> _problems = [];

    /// <summary>Entries of each folder by name, ignoring case.</summary>
    private readonly Dictionary<string, Dictionary<string, string>> _entries = [];

    /// <summary>Package of each file; null for an unreadable one.</summary>
    private readonly Dictionary<string, PdbPackage?> _packages = [];

    /// <summary>Images without a PDB file in the folders: image name, path of the PDB file.</summary>
    private readonly List<(string Image, string Place)> _missing = [];

    /// <summary>Images whose PDB file the trace does not identify.</summary>
    private readonly HashSet<string> _unidentified = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>A file with the name that one of these could have; null when there is none.</summary>
    private string? _notUsed;

    /// <summary>The searched folders and files; they may also contain debug files of ELF images.</summary>
    internal IReadOnlyList<string> Paths => paths;

    /// <summary>Why names are missing, a sentence each.</summary>
    public IReadOnlyList<string> Problems
    {
        get
        {
            var problems = new List<string>(_problems);
            if (_unidentified.Count > 0)
            {
                problems.Add(
                    $"no names of native functions of {Listed(_unidentified)}: the trace does not say which PDB files belong to them (it was not merged where it was recorded: wpr -stop, xperf -merge and PerfView do so)"
                        + (_notUsed is null ? "" : $"; {_notUsed} was not used, since it may be another version's")
                );
            }

            if (_missing.Count > 0)
                problems.Add(
                    $"no names of native functions of {Listed(_missing.Select(missing => missing.Image))}: no such file in {string.Join(", ", paths)}: {Listed(_missing.Select(missing => missing.Place))}"
                );
            return problems;
        }
    }

    /// <summary>The functions of an image; null when its PDB file was not found.</summary>
    internal PdbFunctions? Functions(in FileMapping image)
    {
        var imageName = LastPart(image.Path);
        if (image.Pdb is not { } reference)
        {
            if (_unidentified.Add(imageName) && _notUsed is null && Path.ChangeExtension(imageName, ".pdb") is var name && IsFileName(name))
                _notUsed = paths.Select(path => Flat(path, name)).FirstOrDefault(file => file is not null);
            return null;
        }

        if (_functions.TryGetValue(reference, out var functions))
            return functions;
        functions = IsFileName(LastPart(reference.FileName)) ? Find(reference, imageName) : null;
        _functions.Add(reference, functions);
        return functions;
    }

    /// <summary>
    /// Portable PDB files with a name: in the layout of symbol servers, whose key has FFFFFFFF instead of the age, or in a folder itself or
    /// a package in it.
    /// </summary>
    internal IEnumerable<PdbLocation> Find(string name, Guid guid, int age) =>
        paths
            .SelectMany(path =>
                ((string[])[Key(guid, unchecked((uint)-1)), Key(guid, (uint)age)]).SelectMany(key => Candidates(path, name, key))
            )
            .Distinct();

    private static string Key(Guid guid, uint age) => FormattableString.Invariant($"{guid:N}{age:X}").ToUpperInvariant();

    private PdbFunctions? Find(PdbReference reference, string imageName)
    {
        var name = LastPart(reference.FileName);
        var key = Key(reference.Guid, (uint)reference.Age);
        var isRefused = false;
        foreach (var file in paths.SelectMany(path => Candidates(path, name, key)))
        {
            if (Read(file, reference) is { } functions)
                return functions;
            isRefused = true;
        }

        if (!isRefused)
            _missing.Add((imageName, $"{name}/{key}/{name}"));
        return null;
    }

    /// <summary>
    /// Candidate places of a file: the layout of a symbol server with one or two levels, the folder itself, its packages.
    /// </summary>
    private IEnumerable<PdbLocation> Candidates(string path, string name, string key)
    {
        foreach (var store in (string?[])[path, Entry(path, name[..Math.Min(2, name.Length)])])
        {
            if (store is not null && Entry(store, name) is { } folder && Entry(folder, key) is { } ofVersion)
            {
                if (Entry(ofVersion, name) is { } file && File.Exists(file))
                    yield return new PdbLocation(file);
                else if (Entry(ofVersion, name[..^1] + "_") is { } compressed)
                    _problems.Add($"{compressed} was not used: it is compressed; expand it (Windows: expand.exe, else cabextract)");
            }
        }

        if (Flat(path, name) is { } flat)
            yield return new PdbLocation(flat);
        foreach (var found in Packages(path).SelectMany(package => package.Find(name)))
            yield return found;
    }

    private IEnumerable<PdbPackage> Packages(string path)
    {
        string[] packages =
            PdbPackage.IsName(path) && File.Exists(path)
                ? [path]
                : [.. Entries(path).Values.Where(PdbPackage.IsName).Order(StringComparer.Ordinal)];
        return packages.Select(Package).OfType<PdbPackage>();
    }

    private PdbPackage? Package(string path)
    {
        if (_packages.TryGetValue(path, out var package))
            return package;
        try
        {
            // A pipe or device has no length: opening one could wait for ever.
            package = new FileInfo(path) is { Exists: true, Length: > 0 } ? PdbPackage.Open(path) : null;
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            Refuse($"{path} was not searched for PDB files: {exception.Message.TrimEnd('.')}");
        }

        _packages.Add(path, package);
        return package;
    }

    private string? Flat(string path, string name)
    {
        var file = LastPart(path).Equals(name, StringComparison.OrdinalIgnoreCase) && File.Exists(path) ? path : Entry(path, name);
        return file is not null && File.Exists(file) ? file : null;
    }

    private PdbFunctions? Read(PdbLocation location, PdbReference reference)
    {
        try
        {
            // A pipe or device has no length: opening one could wait for ever.
            if (new FileInfo(location.Path) is not { Exists: true, Length: > 0 })
                return null;
            using var stream = location.Open();
            var file = PdbFile.Open(stream);
            if (file.Guid != reference.Guid)
                Refuse($"{location} was not used: it has another GUID ({file.Guid}) than the image that was recorded ({reference.Guid})");
            else if (file.Age != reference.Age && file.InfoAge != reference.Age)
                Refuse(
                    FormattableString.Invariant(
                        $"{location} was not used: it has another age ({file.Age}) than the image that was recorded ({reference.Age})"
                    )
                );
            else
                return PdbFunctionReader.Read(file);
        }
        catch (PdbFormatException exception)
        {
            Refuse($"{location} was not used: {exception.Message}");
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or InvalidDataException or NotSupportedException)
        {
            Refuse($"{location} was not used: {exception.Message.TrimEnd('.')}");
        }

        return null;
    }

    private void Refuse(string problem)
    {
        if (!_problems.Contains(problem))
            _problems.Add(problem);
    }

    /// <summary>The entry of a folder with a name, ignoring case; null when there is none.</summary>
    private string? Entry(string folder, string name) => Entries(folder).GetValueOrDefault(name);

    private Dictionary<string, string> Entries(string folder)
    {
        if (_entries.TryGetValue(folder, out var entries))
            return entries;
        _entries[folder] = entries = new(StringComparer.OrdinalIgnoreCase);
        try
        {
            foreach (var entry in Directory.Exists(folder) ? Directory.EnumerateFileSystemEntries(folder) : [])
                entries.TryAdd(Path.GetFileName(entry), entry);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            Refuse($"{folder} was not searched for PDB files: {exception.Message.TrimEnd('.')}");
        }

        return entries;
    }

    /// <summary>The name comes from the trace, so it must be checked.</summary>
    private static bool IsFileName(string name) => name.Length > 2 && !name.Contains('\0', StringComparison.Ordinal) && name != "...";

    private static string LastPart(string path) => path[(path.LastIndexOfAny(['/', '\\']) + 1)..];

    private static string Listed(IEnumerable<string> names)
    {
        var all = names.Distinct(StringComparer.OrdinalIgnoreCase).ToList();
        return all.Count > NamesInSentence
            ? FormattableString.Invariant($"{string.Join(", ", all.Take(NamesInSentence))} and {all.Count - NamesInSentence} more")
            : string.Join(", ", all);
    }
}
