namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>A thread that was created or ended.</summary>
/// <param name="ProcessId">Its process; equal to <paramref name="ThreadId"/> for the first thread of a process.</param>
/// <param name="ParentProcessId">Process that created it.</param>
/// <param name="ThreadId">The thread.</param>
/// <param name="ParentThreadId">Thread that created it.</param>
public readonly record struct PerfTask(int ProcessId, int ParentProcessId, int ThreadId, int ParentThreadId);
