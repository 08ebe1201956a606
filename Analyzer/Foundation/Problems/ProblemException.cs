namespace EtwSerializerProfiler.Foundation.Problems;

/// <summary>Thrown when a file, folder or port cannot be used as requested.</summary>
public sealed class ProblemException : IOException, IProblemSource
{
    /// <summary>Creates the error.</summary>
    /// <param name="problem">What, where, fix.</param>
    /// <param name="inner">The cause, if any.</param>
    public ProblemException(Problem problem, Exception? inner = null)
        : base(problem?.ToString(), inner)
    {
        ArgumentNullException.ThrowIfNull(problem);
        Problem = problem;
    }

    /// <inheritdoc />
    public Problem Problem { get; }
}
