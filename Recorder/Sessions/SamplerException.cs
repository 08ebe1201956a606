using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions;

/// <summary>Thrown when the requested CPU sampler is not possible.</summary>
/// <param name="reason">Reason.</param>
/// <param name="remedy">How to fix it; empty when unknown.</param>
public sealed class SamplerException(string reason, string remedy) : Exception(reason), IProblemSource
{
    /// <inheritdoc />
    public Problem Problem { get; } =
        new(reason, "--sampler", remedy.Length > 0 ? remedy : "leave out --sampler to use the best permitted one");
}
