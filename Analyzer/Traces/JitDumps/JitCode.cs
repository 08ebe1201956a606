namespace EtwSerializerProfiler.Traces.JitDumps;

/// <summary>Code that a runtime made while it ran.</summary>
/// <param name="Time">When it was there first, in ns of the dump's clock.</param>
/// <param name="Start">First address.</param>
/// <param name="Size">Bytes.</param>
/// <param name="Name">The runtime's name of it.</param>
/// <param name="MovedFrom">Where it lay before; 0 for code that was made then.</param>
internal readonly record struct JitCode(long Time, ulong Start, uint Size, string Name, ulong MovedFrom = 0)
{
    /// <summary>Where its bytes lie in the dump; 0 when they are not in it.</summary>
    public long BytesAt { get; init; }
}
