namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Data of a perf.data file on the machine and the recording. Empty, 0 or null when missing.</summary>
public sealed record PerfDataFeatures
{
    /// <summary>Name of the machine.</summary>
    public string HostName { get; init; } = "";

    /// <summary>Release of the kernel, for example 6.1.0.</summary>
    public string KernelRelease { get; init; } = "";

    /// <summary>Version of the tool that recorded.</summary>
    public string ToolVersion { get; init; } = "";

    /// <summary>Architecture as uname(2) names it: x86_64, aarch64.</summary>
    public string Architecture { get; init; } = "";

    /// <summary>Model of the processor.</summary>
    public string ProcessorModel { get; init; } = "";

    /// <summary>Number of processors of the machine.</summary>
    public int ProcessorsPresent { get; init; }

    /// <summary>Number of online processors.</summary>
    public int ProcessorsOnline { get; init; }

    /// <summary>Physical memory in bytes.</summary>
    public long MemoryBytes { get; init; }

    /// <summary>Command line of the tool that recorded.</summary>
    public IReadOnlyList<string> CommandLine { get; init; } = [];

    /// <summary>Build ids (GNU note, hexadecimal) of mapped files, by path.</summary>
    public IReadOnlyDictionary<string, string> BuildIds { get; init; } = new Dictionary<string, string>();

    /// <summary>Time of the first record, ns.</summary>
    public long FirstTime { get; init; }

    /// <summary>Time of the last record, ns.</summary>
    public long LastTime { get; init; }

    /// <summary>One moment on the records' clock and on the wall clock.</summary>
    public PerfClockData? Clock { get; init; }
}
