using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Where in the trace an event of a row lies.</summary>
/// <param name="Process">Its process.</param>
/// <param name="RunId">Number of its run in the process.</param>
/// <param name="StartMs">Begin in ms since the process's trace began.</param>
/// <param name="StopMs">End in ms since the process's trace began; that of the part inside the run.</param>
public readonly record struct EventPlace(ProcessKey Process, int RunId, double StartMs, double StopMs);
