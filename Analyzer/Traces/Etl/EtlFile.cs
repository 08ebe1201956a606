namespace EtwSerializerProfiler.Etl;

/// <summary>One file of a trace.</summary>
/// <param name="Path">Its path; <c>archive!member</c> for a file in an archive.</param>
/// <param name="Bytes">Its size.</param>
/// <param name="Header">Its header with data on machine and session.</param>
public sealed record EtlFile(string Path, long Bytes, EtlTraceHeader Header);
