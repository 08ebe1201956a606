namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>The bit field of perf_event_attr, byte offset 40 (linux/perf_event.h), lowest bit first as on little-endian machines.</summary>
[Flags]
public enum PerfEventBits : ulong
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Opened but not counting.</summary>
    Disabled = 1UL << 0,

    /// <summary>Also covers threads and processes created later.</summary>
    Inherit = 1UL << 1,

    /// <summary>User mode is not sampled.</summary>
    ExcludeUser = 1UL << 4,

    /// <summary>Kernel mode is not sampled.</summary>
    ExcludeKernel = 1UL << 5,

    /// <summary>The hypervisor is not sampled.</summary>
    ExcludeHypervisor = 1UL << 6,

    /// <summary>The idle task is not sampled.</summary>
    ExcludeIdle = 1UL << 7,

    /// <summary>Records of executable mappings.</summary>
    Mmap = 1UL << 8,

    /// <summary>Records of thread names.</summary>
    Comm = 1UL << 9,

    /// <summary>The period is a frequency in Hz.</summary>
    Frequency = 1UL << 10,

    /// <summary>Starts counting at the next exec.</summary>
    EnableOnExec = 1UL << 12,

    /// <summary>Records of thread creation and end.</summary>
    Task = 1UL << 13,

    /// <summary>The wake-up value is a number of bytes.</summary>
    Watermark = 1UL << 14,

    /// <summary>Records of data mappings.</summary>
    MmapData = 1UL << 17,

    /// <summary>Every record ends with thread, time, CPU and id.</summary>
    SampleIdAll = 1UL << 18,

    /// <summary>Call chains without kernel part.</summary>
    ExcludeCallChainKernel = 1UL << 21,

    /// <summary>Call chains without user part.</summary>
    ExcludeCallChainUser = 1UL << 22,

    /// <summary>Mapping records with inode.</summary>
    Mmap2 = 1UL << 23,

    /// <summary>Name records show whether exec set the name.</summary>
    CommExec = 1UL << 24,

    /// <summary>Times are on the clock in <see cref="PerfEventSettings.ClockId"/>.</summary>
    UseClockId = 1UL << 25,

    /// <summary>Records of context switches.</summary>
    ContextSwitch = 1UL << 26,

    /// <summary>Mapping records with the file's build id instead of its inode (kernel 5.12).</summary>
    BuildId = 1UL << 34,
}
