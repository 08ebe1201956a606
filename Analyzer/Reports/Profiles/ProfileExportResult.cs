namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>What was written.</summary>
/// <param name="Path">The file.</param>
/// <param name="Bytes">Its size.</param>
/// <param name="Document">What is in it.</param>
/// <param name="Elapsed">How long it took.</param>
public sealed record ProfileExportResult(string Path, long Bytes, ProfileDocument Document, TimeSpan Elapsed);
