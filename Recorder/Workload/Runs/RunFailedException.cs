namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>A run did not complete; the message says why. Ends its series, not the suite.</summary>
public sealed class RunFailedException(string message) : Exception(message);
