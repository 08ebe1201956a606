namespace EtwSerializerProfiler.Etl;

/// <summary>One file of a trace.</summary>
/// <param name="Path">Its path; <c>archive!member</c> for one that lies in an archive.</param>
/// <param name="Bytes">Its size.</param>
/// <param name="Header">What it says of machine and session.</param>
public sealed record EtlFile(string Path, long Bytes, EtlTraceHeader Header);
