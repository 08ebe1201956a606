namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>What one way to read one text took.</summary>
/// <param name="Reader">Who read it.</param>
/// <param name="LineBreaks">Whether the base64 text has line breaks.</param>
/// <param name="Reads">Reads that were timed.</param>
/// <param name="TotalMilliseconds">All reads together.</param>
/// <param name="MedianMilliseconds">Of one read.</param>
/// <param name="ExceptionsPerRead">Exceptions thrown and caught in one read; null where the runtime does not tell.</param>
public sealed record Base64Row(string Reader, bool LineBreaks, int Reads, double TotalMilliseconds, double MedianMilliseconds, long? ExceptionsPerRead);
