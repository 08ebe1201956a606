using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Stores;

/// <summary>Thrown when a store cannot be used as requested.</summary>
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

    /// <summary>Whether the request (a query, a selection) is at fault and not the store.</summary>
    public bool IsUsage { get; init; }
}
