namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>A process in a perf.data file.</summary>
/// <param name="ProcessId">The process; 0 is the idle task.</param>
/// <param name="Name">Last name of its first thread, at most 15 characters; empty when no record gives one.</param>
/// <param name="Samples">CPU samples of it.</param>
public sealed record PerfDataProcess(int ProcessId, string Name, long Samples);
