namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// Kinds of records in the data section. The kernel writes values below 64 (enum perf_event_type, linux/perf_event.h), the recording tool
/// the others (enum perf_user_event_type, tools/lib/perf/include/perf/event.h). A value without a name here is passed on as a number.
/// </summary>
public enum PerfRecordType
{
    /// <summary>Not a record type, but the value of a zeroed header.</summary>
    None = 0,

    /// <summary>A file was mapped.</summary>
    Mmap = 1,

    /// <summary>Records were lost because the ring was full.</summary>
    Lost = 2,

    /// <summary>Sets a thread's name.</summary>
    Comm = 3,

    /// <summary>A thread ended.</summary>
    Exit = 4,

    /// <summary>Sampling was throttled.</summary>
    Throttle = 5,

    /// <summary>Sampling resumed.</summary>
    Unthrottle = 6,

    /// <summary>A thread or process was created.</summary>
    Fork = 7,

    /// <summary>Counter values.</summary>
    Read = 8,

    /// <summary>A sample or a tracepoint hit.</summary>
    Sample = 9,

    /// <summary>A file was mapped, with its inode or build id.</summary>
    Mmap2 = 10,

    /// <summary>New data in the AUX area.</summary>
    Aux = 11,

    /// <summary>An instruction trace began.</summary>
    ItraceStart = 12,

    /// <summary>Number of samples lost.</summary>
    LostSamples = 13,

    /// <summary>A thread of a recorded process was switched in or out.</summary>
    Switch = 14,

    /// <summary>The same in a system-wide session, with the other thread.</summary>
    SwitchCpuWide = 15,

    /// <summary>Namespaces of a process.</summary>
    Namespaces = 16,

    /// <summary>A kernel symbol was registered.</summary>
    Ksymbol = 17,

    /// <summary>A BPF program was loaded.</summary>
    BpfEvent = 18,

    /// <summary>A control group.</summary>
    Cgroup = 19,

    /// <summary>Kernel code was changed.</summary>
    TextPoke = 20,

    /// <summary>Hardware id of AUX data.</summary>
    AuxOutputHardwareId = 21,

    /// <summary>First value written by the recording tool: an attribute in a stream without header.</summary>
    HeaderAttribute = 64,

    /// <summary>Event descriptions in a stream without header.</summary>
    HeaderTracingData = 66,

    /// <summary>A build id.</summary>
    HeaderBuildId = 67,

    /// <summary>All rings were read once: records complete at the previous round are complete now.</summary>
    FinishedRound = 68,

    /// <summary>Ids with their CPU and thread.</summary>
    IdIndex = 69,

    /// <summary>AUX data; its bytes follow the record and are not counted in its size.</summary>
    AuxTrace = 71,

    /// <summary>Threads to record.</summary>
    ThreadMap = 73,

    /// <summary>Processors to record.</summary>
    CpuMap = 74,

    /// <summary>Compressed records (zstd).</summary>
    Compressed = 81,

    /// <summary>The recording tool finished its initial records.</summary>
    FinishedInit = 82,

    /// <summary>Compressed records, aligned.</summary>
    Compressed2 = 83,
}
