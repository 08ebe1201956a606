namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>Errors of reading assemblies and PDBs.</summary>
internal static class ImageErrors
{
    /// <summary>
    /// Whether an exception means that a file is unreadable or damaged. System.Reflection.Metadata throws several types for damage:
    /// overflowing stream sizes, too long names, offsets out of range.
    /// </summary>
    public static bool Is(Exception exception) =>
        exception
            is IOException
                or UnauthorizedAccessException
                or BadImageFormatException
                or InvalidDataException
                or InvalidOperationException
                or OverflowException
                or ArgumentException
                or NotSupportedException
                or Pdb.PdbFormatException;
}
