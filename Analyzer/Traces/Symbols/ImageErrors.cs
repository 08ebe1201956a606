namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>What goes wrong with files of assemblies and PDBs.</summary>
internal static class ImageErrors
{
    /// <summary>Whether an error says that a file cannot be read or is damaged. System.Reflection.Metadata has several kinds for damage: sizes of streams that overflow, names that are too long, offsets outside.</summary>
    public static bool Is(Exception exception) => exception is IOException or UnauthorizedAccessException or BadImageFormatException or InvalidDataException or InvalidOperationException or OverflowException or ArgumentException or NotSupportedException or Pdb.PdbFormatException;
}
