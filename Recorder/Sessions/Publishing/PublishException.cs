using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Thrown when the suite cannot be built for a runtime, or does not start on it.</summary>
public sealed class PublishException : Exception, IProblemSource
{
    /// <summary>Creates the error.</summary>
    /// <param name="what">What is wrong.</param>
    /// <param name="where">The file, option or process that has the problem.</param>
    /// <param name="fix">How to fix it.</param>
    /// <param name="inner">The cause, if any.</param>
    public PublishException(string what, string where, string fix, Exception? inner = null)
        : base($"{what}; {fix}", inner) => Problem = new Problem(what, where, fix);

    /// <inheritdoc />
    public Problem Problem { get; }
}
