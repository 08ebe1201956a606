namespace EtwSerializerProfiler.Analysis.Regions;

/// <summary>What two events, or a region and its parent, have in common.</summary>
/// <param name="SameProcess">The process.</param>
/// <param name="SameThread">The thread.</param>
/// <param name="Field">A field of this name with the same value; empty for none.</param>
public sealed record RegionLink(bool SameProcess, bool SameThread, string Field = "");
