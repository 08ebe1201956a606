using EtwSerializerProfiler.Analysis.Cpu;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>What is asked of a comparison.</summary>
/// <param name="Filter">Which runs count.</param>
/// <param name="Options">How they are compared.</param>
public sealed record ComparisonQuery(RunFilter Filter, ComparisonOptions Options)
{
    /// <summary>Groups of causes to be taken off both sides; none for none.</summary>
    public IReadOnlyList<string> FactorOut { get; init; } = [];
}
