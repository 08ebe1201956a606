using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Timelines;

/// <summary>A run on a timeline.</summary>
/// <param name="Run">The run.</param>
/// <param name="StartMs">Begin in ms of the timeline.</param>
public readonly record struct TimelineRun(Run Run, double StartMs);
