namespace EtwSerializerProfiler.Reports.Comparison.Gates;

/// <summary>Files that a gate writes for build servers; null for none.</summary>
/// <param name="JUnit">Path of the JUnit XML.</param>
/// <param name="Markdown">Path of the Markdown.</param>
public sealed record GateFiles(string? JUnit = null, string? Markdown = null);
