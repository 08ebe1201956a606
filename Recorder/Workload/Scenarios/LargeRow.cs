namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>What stood at one limit.</summary>
/// <param name="Case">What was tried.</param>
/// <param name="Outcome">How it ended.</param>
/// <param name="Detail">Sizes and time, or the exception.</param>
public sealed record LargeRow(string Case, LargeOutcome Outcome, string Detail);
