namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>Properties of a machine that determine the size of its buffers.</summary>
/// <param name="MemoryBytes">Physical memory in bytes.</param>
/// <param name="Processors">Logical processors.</param>
public sealed record EtwMachine(long MemoryBytes, int Processors)
{
    /// <summary>The machine for which the committed scripts and profiles are written: 16 GB, 8 processors.</summary>
    public static EtwMachine Typical { get; } = new(16L << 30, 8);

    /// <summary>Reads this machine; in a container, the container's limits.</summary>
    public static EtwMachine Read() => new(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes, Environment.ProcessorCount);
}
