namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>A function in the samples of a long pause.</summary>
/// <param name="Name">Its name: <c>WKS::gc_heap::plan_phase</c>; module+? when its module has no names.</param>
/// <param name="Module">Its module.</param>
/// <param name="Samples">Samples that hit it.</param>
/// <param name="InclusiveSamples">Samples that hit it or what it called.</param>
public sealed record LongPauseMethod(string Name, string Module, long Samples, long InclusiveSamples);
