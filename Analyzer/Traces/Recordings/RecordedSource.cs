namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>Which sources the recorded program was built from, as far as the recorder could tell.</summary>
/// <param name="Branch">Name of the branch; null when unknown, also when a commit was checked out without a branch.</param>
/// <param name="Commit">Hash of the commit in hexadecimal; null when unknown.</param>
public sealed record RecordedSource(string? Branch, string? Commit);
