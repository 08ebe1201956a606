namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>CPU time of a run with one cause, or in one of the parts beside the causes.</summary>
/// <param name="Process">Number of its process in the trace.</param>
/// <param name="RunId">Number of the run in its process.</param>
/// <param name="Cause">Key of the cause, or one of <see cref="CauseTable"/>'s own.</param>
/// <param name="Group">Group of the cause; empty for the parts beside the causes.</param>
/// <param name="CpuMs">CPU time in ms.</param>
public sealed record StoredCause(int Process, int RunId, string Cause, string Group, double CpuMs);
