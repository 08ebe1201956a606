using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Thrown when the sides cannot be compared as requested.</summary>
public sealed class NotComparableException : Exception, IProblemSource
{
    /// <summary>Creates the error.</summary>
    /// <param name="what">What is wrong.</param>
    /// <param name="where">Location.</param>
    /// <param name="fix">How to fix it.</param>
    /// <param name="inner">The cause, if any.</param>
    public NotComparableException(string what, string where, string fix, Exception? inner = null)
        : base($"{what}; {fix}", inner) => Problem = new Problem(what, where, fix);

    /// <inheritdoc />
    public Problem Problem { get; }
}
