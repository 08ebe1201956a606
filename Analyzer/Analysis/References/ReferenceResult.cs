using EtwSerializerProfiler.Analysis.Findings;

namespace EtwSerializerProfiler.Analysis.References;

/// <summary>What came out of a look at assemblies.</summary>
/// <param name="Set">Files and references.</param>
/// <param name="Findings">What is wrong, warnings first.</param>
public sealed record ReferenceResult(ReferenceSet Set, IReadOnlyList<Finding> Findings);
