using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Dumps.Files;

/// <summary>Creates errors of dumps in three parts: what, where, fix.</summary>
public static class DumpErrors
{
    /// <summary>Creates an error.</summary>
    /// <param name="path">The dump.</param>
    /// <param name="what">What is wrong.</param>
    /// <param name="offset">Offset in the file; 0 for the whole file.</param>
    /// <param name="expected">What was expected.</param>
    /// <param name="found">What was found instead.</param>
    /// <param name="advice">How to fix it.</param>
    /// <param name="inner">The cause, if any.</param>
    public static TraceFormatException Of(
        string path,
        string what,
        long offset,
        string expected,
        string found,
        string advice,
        Exception? inner = null
    ) => new(path, offset, new Problem($"{what}: expected {expected}; {found}", Problem.In(path, offset), advice), inner);
}
