using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>A run.</summary>
/// <param name="Process">Number of its process in the trace.</param>
/// <param name="Run">The run.</param>
public sealed record StoredRun(int Process, Run Run);
