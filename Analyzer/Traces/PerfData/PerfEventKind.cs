namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Kind of event (enum perf_type_id, linux/perf_event.h); other values belong to a device of the machine.</summary>
public enum PerfEventKind
{
    /// <summary>A generic counter of the processor.</summary>
    Hardware = 0,

    /// <summary>A counter of the kernel, for example cpu-clock.</summary>
    Software = 1,

    /// <summary>A tracepoint; its number is the id in tracefs.</summary>
    Tracepoint = 2,

    /// <summary>A cache counter of the processor.</summary>
    HardwareCache = 3,

    /// <summary>A counter by the processor's own number.</summary>
    Raw = 4,

    /// <summary>A hardware breakpoint.</summary>
    Breakpoint = 5,
}
