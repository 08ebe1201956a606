using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>A process with runs.</summary>
/// <param name="Number">Its number in the trace, from 0: what other tables name it by.</param>
/// <param name="Runs">Its runs.</param>
/// <param name="Traced">What was opened of it; null when it is not known.</param>
/// <param name="TicksPerSecond">Ticks of its trace's clock in one second.</param>
public sealed record StoredProcess(int Number, ProcessRuns Runs, TracedProcess? Traced, long TicksPerSecond);
