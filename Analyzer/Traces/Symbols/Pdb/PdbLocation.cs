namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>Location of a PDB file.</summary>
/// <param name="Path">The file, or the package that contains it.</param>
/// <param name="Entry">Its name in the package; empty for a file.</param>
internal readonly record struct PdbLocation(string Path, string Entry = "")
{
    /// <summary>The name of the PDB file without folders.</summary>
    public string FileName => System.IO.Path.GetFileName(Entry.Length > 0 ? Entry : Path);

    /// <summary>Opens it.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    /// <exception cref="InvalidDataException">The package is damaged.</exception>
    public Stream Open() =>
        Entry.Length > 0
            ? PdbPackage.Read(Path, Entry)
            : new FileStream(Path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1);

    /// <summary>Text for messages.</summary>
    public override string ToString() => Entry.Length > 0 ? $"{Entry} in {Path}" : Path;
}
