namespace EtwSerializerProfiler.Foundation.Problems;

/// <summary>An exception with a problem: what is wrong, where, and the fix.</summary>
public interface IProblemSource
{
    /// <summary>The problem.</summary>
    Problem Problem { get; }
}
