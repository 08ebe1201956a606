using System.IO.Compression;

namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>
/// PDB files in a symbol package (.snupkg) or another zip file. The list is read once; each file is read into memory on request.
/// </summary>
internal sealed class PdbPackage
{
    /// <summary>Larger ones are not read into memory.</summary>
    private const long MaxFileBytes = 1 << 30;

    /// <summary>Deflate compresses by at most 1,032 : 1; a larger claim means damage and gets no memory.</summary>
    private const long MaxRatio = 1100;

    private readonly string _path;

    /// <summary>Entries by name without folder: a package has a PDB for each framework.</summary>
    private readonly ILookup<string, string> _entries;

    private PdbPackage(string path)
    {
        _path = path;
        using var zip = ZipFile.OpenRead(path);
        _entries = zip
            .Entries.Where(entry => entry.Name.EndsWith(".pdb", StringComparison.OrdinalIgnoreCase))
            .ToLookup(entry => entry.Name, entry => entry.FullName, StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>Whether a file is a package, by its name.</summary>
    public static bool IsName(string path) => Path.GetExtension(path).ToUpperInvariant() is ".SNUPKG" or ".NUPKG" or ".ZIP";

    /// <summary>Opens a package.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    /// <exception cref="InvalidDataException">It is not a zip file, or is damaged.</exception>
    public static PdbPackage Open(string path) => new(path);

    /// <summary>The PDB files of a name.</summary>
    public IEnumerable<PdbLocation> Find(string name) => _entries[name].Select(entry => new PdbLocation(_path, entry));

    /// <summary>Reads an entry.</summary>
    /// <exception cref="IOException">It cannot be read, or is shorter than it claims.</exception>
    /// <exception cref="InvalidDataException">It is damaged.</exception>
    public static Stream Read(string path, string name)
    {
        using var zip = ZipFile.OpenRead(path);
        var entry = zip.GetEntry(name) ?? throw new InvalidDataException("the package has no such file any more");
        if (entry.Length is < 0 or > MaxFileBytes)
            throw new InvalidDataException(
                FormattableString.Invariant($"it has {entry.Length >> 20} MB, more than {MaxFileBytes >> 20}; unpack it")
            );
        if (entry.Length > MaxRatio * (entry.CompressedLength + 1))
            throw new InvalidDataException("its size is damaged");
        var bytes = new byte[entry.Length];
        using var content = entry.Open();
        content.ReadExactly(bytes);
        return new MemoryStream(bytes, writable: false);
    }
}
