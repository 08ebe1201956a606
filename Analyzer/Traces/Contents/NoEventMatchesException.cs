using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>A filter leaves no event over; says what there is to choose from.</summary>
public sealed class NoEventMatchesException : Exception, IProblemSource
{
    /// <summary>Creates the error.</summary>
    /// <param name="what">What is wrong.</param>
    /// <param name="where">Where.</param>
    /// <param name="toDo">What to do.</param>
    /// <param name="inner">The cause, if any.</param>
    public NoEventMatchesException(string what, string where, string toDo, Exception? inner = null)
        : base($"{what}; {toDo}", inner) => Problem = new Problem(what, where, toDo);

    /// <inheritdoc />
    public Problem Problem { get; }
}
