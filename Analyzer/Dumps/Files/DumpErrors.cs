using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Dumps.Files;

/// <summary>Errors of dumps: three parts that say what is wrong, where, and what would help.</summary>
public static class DumpErrors
{
    /// <summary>Makes an error.</summary>
    /// <param name="path">The dump.</param>
    /// <param name="what">What is wrong with it.</param>
    /// <param name="offset">Where, 0 for the file as a whole.</param>
    /// <param name="expected">What was expected there.</param>
    /// <param name="found">What is there instead.</param>
    /// <param name="advice">What would help.</param>
    /// <param name="inner">The cause, if any.</param>
    public static TraceFormatException Of(string path, string what, long offset, string expected, string found, string advice, Exception? inner = null) => new(
        path,
        offset,
        new Problem($"{what}: expected {expected}; {found}", Problem.In(path, offset), advice),
        inner);
}
