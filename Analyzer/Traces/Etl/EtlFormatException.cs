namespace EtwSerializerProfiler.Etl;

/// <summary>
/// Thrown for a file that is not a readable .etl trace; contains the file, the offset, what was expected, what was found, and the fix.
/// </summary>
public sealed class EtlFormatException : Exception
{
    /// <summary>Creates the error.</summary>
    /// <param name="file">Path of the file.</param>
    /// <param name="offset">Byte offset of the damage, 0 for the file as a whole.</param>
    /// <param name="expected">What was expected.</param>
    /// <param name="found">What was found.</param>
    /// <param name="fix">How to fix it.</param>
    /// <param name="inner">The cause, if any.</param>
    public EtlFormatException(string file, long offset, string expected, string found, string fix, Exception? inner = null)
        : base($"{file}: offset {offset}: expected {expected}; {found}; {fix}.", inner)
    {
        TraceFile = file;
        Offset = offset;
        Expected = expected;
        Found = found;
        Fix = fix;
    }

    /// <summary>Path of the file.</summary>
    public string TraceFile { get; }

    /// <summary>Byte offset of the damage.</summary>
    public long Offset { get; }

    /// <summary>What was expected.</summary>
    public string Expected { get; }

    /// <summary>What was found.</summary>
    public string Found { get; }

    /// <summary>How to fix it.</summary>
    public string Fix { get; }
}
