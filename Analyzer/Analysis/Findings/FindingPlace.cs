using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>A place in the trace that a finding is about.</summary>
/// <param name="Process">Process of it.</param>
/// <param name="RunId">Number of the run in its process; null when it lies in none or in several.</param>
/// <param name="StartMs">Begin in ms since the process's trace began.</param>
/// <param name="StopMs">End in ms since the process's trace began.</param>
/// <param name="What">What is there: a run, a collection, a method.</param>
public sealed record FindingPlace(ProcessKey Process, int? RunId, double StartMs, double StopMs, string What);
