namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>How a process ended and what it wrote until then.</summary>
/// <param name="ExitCode">Its exit code; null when it was ended because it took too long.</param>
/// <param name="Output">Its standard output.</param>
/// <param name="Error">Its standard error.</param>
public sealed record ChildResult(int? ExitCode, string Output, string Error);
