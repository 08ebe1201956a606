using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>The input or the output path is not valid for an export.</summary>
public sealed class ExportException : Exception, IProblemSource
{
    /// <summary>Creates the error.</summary>
    /// <param name="what">What is wrong.</param>
    /// <param name="where">The file, option or process that has the problem.</param>
    /// <param name="fix">How to fix it.</param>
    /// <param name="inner">The cause, if any.</param>
    public ExportException(string what, string where, string fix, Exception? inner = null)
        : base($"{what}; {fix}", inner) => Problem = new Problem(what, where, fix);

    /// <inheritdoc />
    public Problem Problem { get; }
}
