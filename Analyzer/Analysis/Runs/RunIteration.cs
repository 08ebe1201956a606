using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>What is known of a run that is an iteration of BenchmarkDotNet.</summary>
/// <param name="Kind">Measured, or made before.</param>
/// <param name="Operations">Operations in it.</param>
internal sealed record RunIteration(RunKind Kind, long Operations);
