namespace EtwSerializerProfiler.Foundation.Problems;

/// <summary>An exception that knows what is wrong, where, and what to do.</summary>
public interface IProblemSource
{
    /// <summary>The three parts.</summary>
    Problem Problem { get; }
}
