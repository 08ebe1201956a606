using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions;

/// <summary>CPU time cannot be sampled in the way that was asked for.</summary>
/// <param name="reason">Why not.</param>
/// <param name="remedy">How to fix it, empty when nothing is known.</param>
public sealed class SamplerException(string reason, string remedy) : Exception(reason), IProblemSource
{
    /// <inheritdoc />
    public Problem Problem { get; } = new(reason, "--sampler", remedy.Length > 0 ? remedy : "leave out --sampler: the best way that is permitted is taken");
}
