namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>The machine a recording was made on.</summary>
/// <param name="MachineName">Host name.</param>
/// <param name="OperatingSystem">Name and version of the operating system.</param>
/// <param name="Architecture">Architecture of the recorder's process, for example X64.</param>
/// <param name="Cpu">Model name of the processor, empty when unknown.</param>
/// <param name="LogicalProcessors">Processors the recorder could use.</param>
/// <param name="MemoryBytes">Physical memory (or the container's limit) in bytes.</param>
public sealed record RecordingHost(
    string MachineName,
    string OperatingSystem,
    string Architecture,
    string Cpu,
    int LogicalProcessors,
    long MemoryBytes
)
{
    /// <summary>
    /// Frequency of the first processor when the recording began, in MHz; null when unknown. Many virtual machines report the nominal
    /// frequency regardless of the host's.
    /// </summary>
    public double? CpuMegahertz { get; init; }

    /// <summary>Size of the first processor's last-level cache in bytes; null when unknown.</summary>
    public long? LastLevelCacheBytes { get; init; }
}
