namespace EtwSerializerProfiler.Analysis.Flames;

/// <summary>A path of calls in a flame graph.</summary>
/// <param name="Depth">Callers above it.</param>
/// <param name="Frame">Number of its frame in <see cref="FlameSet.Frames"/>.</param>
/// <param name="InclusiveSamples">Samples on this path and below.</param>
/// <param name="Samples">Samples whose leaf is this.</param>
/// <param name="InclusiveTicks">CPU time of the former, in ticks.</param>
/// <param name="Ticks">CPU time of the latter, in ticks.</param>
/// <param name="Cause">
/// Number of the cause in <see cref="Causes.CauseCatalog.All"/> that the path has by its frames; <see cref="FlameSet.Own"/> for a serializer's own code, <see cref="FlameSet.Outside"/> above its
/// entry.
/// </param>
public readonly record struct FlameNode(int Depth, int Frame, long InclusiveSamples, long Samples, long InclusiveTicks, long Ticks, int Cause);
