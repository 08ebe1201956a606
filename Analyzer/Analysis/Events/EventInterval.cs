using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Interval of an event in the trace.</summary>
/// <param name="Process">Process of the event.</param>
/// <param name="RunId">Number of its run in the process.</param>
/// <param name="StartMs">Start of the part inside the run, in ms since the start of the process's trace.</param>
/// <param name="StopMs">End of the part inside the run, in ms since the start of the process's trace.</param>
public readonly record struct EventInterval(ProcessKey Process, int RunId, double StartMs, double StopMs);
