namespace EtwSerializerProfiler.Traces.JitDumps;

/// <summary>Code that a runtime generated.</summary>
/// <param name="Time">Time of its first appearance, in ns of the dump's clock.</param>
/// <param name="Start">First address.</param>
/// <param name="Size">Bytes.</param>
/// <param name="Name">The runtime's name of it.</param>
/// <param name="MovedFrom">Previous address; 0 for new code.</param>
internal readonly record struct JitCode(long Time, ulong Start, uint Size, string Name, ulong MovedFrom = 0)
{
    /// <summary>Offset of its bytes in the dump; 0 when missing.</summary>
    public long BytesAt { get; init; }
}
