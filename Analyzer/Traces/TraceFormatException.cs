using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Traces;

/// <summary>
/// A file that cannot be read as what it should be. Says which file, which offset, what was expected, what was found, and what to do.
/// </summary>
public sealed class TraceFormatException : Exception, IProblemSource
{
    /// <summary>Creates the error.</summary>
    /// <param name="file">Path of the file.</param>
    /// <param name="offset">Byte offset of the damage, null for the file as a whole.</param>
    /// <param name="expected">What was expected.</param>
    /// <param name="found">What was found.</param>
    /// <param name="fix">How to fix it.</param>
    /// <param name="inner">The cause, if any.</param>
    public TraceFormatException(string file, long? offset, string expected, string found, string fix, Exception? inner = null)
        : base(
            $"{file}: {(offset is { } at ? string.Create(CultureInfo.InvariantCulture, $"offset {at}: ") : "")}expected {expected}; {found}; {fix}.",
            inner
        )
    {
        TraceFile = file;
        Offset = offset ?? 0;
        Problem = new Problem($"expected {expected}; {found}", Problem.In(file, offset), fix);
    }

    /// <summary>Creates the error of a file from its three parts.</summary>
    /// <param name="file">Path of the file.</param>
    /// <param name="offset">Byte offset of the damage, 0 for the file as a whole.</param>
    /// <param name="problem">What, where, fix.</param>
    /// <param name="inner">The cause, if any.</param>
    public TraceFormatException(string file, long offset, Problem problem, Exception? inner = null)
        : base(problem?.ToString(), inner)
    {
        ArgumentNullException.ThrowIfNull(problem);
        TraceFile = file;
        Offset = offset;
        Problem = problem;
    }

    /// <summary>Path of the file.</summary>
    public string TraceFile { get; }

    /// <summary>Byte offset of the damage, 0 for the file as a whole.</summary>
    public long Offset { get; }

    /// <inheritdoc />
    public Problem Problem { get; }
}
