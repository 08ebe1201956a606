using EtwSerializerProfiler.Analysis.Cpu;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>What is asked of the events of a recording.</summary>
/// <param name="Filter">Which runs count.</param>
/// <param name="Top">Most rows, null for all.</param>
public sealed record EventQuery(RunFilter Filter, int? Top);
