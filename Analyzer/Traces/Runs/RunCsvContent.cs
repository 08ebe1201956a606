namespace EtwSerializerProfiler.Traces.Runs;

/// <summary>The rows of a run CSV and what could not be read of it.</summary>
/// <param name="Rows">Rows in the file's order.</param>
/// <param name="Problems">What was left out, a sentence each.</param>
public sealed record RunCsvContent(IReadOnlyList<RunCsvRow> Rows, IReadOnlyList<string> Problems);
