using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions.Attach;

/// <summary>Thrown when a running process cannot be recorded.</summary>
public sealed class AttachException : Exception, IProblemSource
{
    /// <summary>Creates the error.</summary>
    /// <param name="what">What is wrong.</param>
    /// <param name="where">The file, option or process that has the problem.</param>
    /// <param name="fix">How to fix it.</param>
    /// <param name="inner">The cause, if any.</param>
    public AttachException(string what, string where, string fix, Exception? inner = null)
        : base($"{what}; {fix}", inner) => Problem = new Problem(what, where, fix);

    /// <inheritdoc />
    public Problem Problem { get; }
}
