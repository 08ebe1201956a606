using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Stores;

/// <summary>A store that cannot be used as was asked for.</summary>
public sealed class StoreException : IOException, IProblemSource
{
    /// <summary>Creates the error.</summary>
    /// <param name="problem">What, where, fix.</param>
    /// <param name="inner">The cause, if any.</param>
    public StoreException(Problem problem, Exception? inner = null)
        : base(problem?.ToString(), inner)
    {
        ArgumentNullException.ThrowIfNull(problem);
        Problem = problem;
    }

    /// <inheritdoc />
    public Problem Problem { get; }

    /// <summary>Whether what was asked for is wrong, and not the store: a query, a selection.</summary>
    public bool IsUsage { get; init; }
}
