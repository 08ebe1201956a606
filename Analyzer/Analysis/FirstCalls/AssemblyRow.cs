using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>An assembly that first calls loaded, made or did not find.</summary>
/// <param name="Calls">The row of the first calls.</param>
/// <param name="Name">Its name.</param>
/// <param name="Outcome">What became of it.</param>
/// <param name="IsPrecompiled">Whether it has precompiled code; null when it was not loaded.</param>
/// <param name="Runs">Runs in which it occurs.</param>
public sealed record AssemblyRow(SummaryKey Calls, string Name, AssemblyOutcome Outcome, bool? IsPrecompiled, int Runs);
