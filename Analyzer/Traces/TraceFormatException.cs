namespace EtwSerializerProfiler.Traces;

/// <summary>A file that cannot be read as what it should be. Says which file, which offset, what was expected, and what to do.</summary>
public sealed class TraceFormatException : Exception
{
    /// <summary>Creates the error.</summary>
    /// <param name="file">Path of the file.</param>
    /// <param name="offset">Byte offset of the damage, 0 for the file as a whole.</param>
    /// <param name="expected">What was expected there.</param>
    /// <param name="advice">What was found instead and what to do.</param>
    /// <param name="inner">The cause, if any.</param>
    public TraceFormatException(string file, long offset, string expected, string advice, Exception? inner = null)
        : base($"{file}: offset {offset}: expected {expected}; {advice}.", inner)
    {
        TraceFile = file;
        Offset = offset;
    }

    /// <summary>Passes on the error of a reader that says all of it in its message.</summary>
    /// <param name="file">Path of the file.</param>
    /// <param name="offset">Byte offset of the damage, 0 for the file as a whole.</param>
    /// <param name="message">File, offset, what was expected, and what to do.</param>
    /// <param name="inner">That error.</param>
    public TraceFormatException(string file, long offset, string message, Exception inner)
        : base(message, inner)
    {
        TraceFile = file;
        Offset = offset;
    }

    /// <summary>Path of the file.</summary>
    public string TraceFile { get; }

    /// <summary>Byte offset of the damage.</summary>
    public long Offset { get; }
}
