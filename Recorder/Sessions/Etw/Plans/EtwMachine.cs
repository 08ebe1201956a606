namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>What of a machine decides how large its buffers are.</summary>
/// <param name="MemoryBytes">Physical memory in bytes.</param>
/// <param name="Processors">Logical processors.</param>
public sealed record EtwMachine(long MemoryBytes, int Processors)
{
    /// <summary>The machine that committed scripts and profiles are made for: 16 GB, 8 processors.</summary>
    public static EtwMachine Typical { get; } = new(16L << 30, 8);

    /// <summary>This machine; in a container what it is allowed.</summary>
    public static EtwMachine Read() => new(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes, Environment.ProcessorCount);
}
