using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Location of an event in the trace.</summary>
/// <param name="Process">Its process.</param>
/// <param name="RunId">Number of its run in the process.</param>
/// <param name="StartMs">Start in ms since the start of the process's trace.</param>
/// <param name="StopMs">End in ms since the start of the process's trace; for the part inside the run.</param>
public readonly record struct EventPlace(ProcessKey Process, int RunId, double StartMs, double StopMs);
