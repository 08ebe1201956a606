using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions;

/// <summary>Thrown when the requested CPU sampler is not possible.</summary>
/// <param name="reason">Reason.</param>
/// <param name="fix">How to fix it; empty when unknown.</param>
public sealed class SamplerException(string reason, string fix) : Exception(reason), IProblemSource
{
    /// <inheritdoc />
    public Problem Problem { get; } = new(reason, "--sampler", fix.Length > 0 ? fix : "leave out --sampler to use the best permitted one");
}
