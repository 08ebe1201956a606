namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Fields of a sample (enum perf_event_sample_format, linux/perf_event.h).</summary>
[Flags]
public enum PerfSampleFields : ulong
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Instruction address.</summary>
    Ip = 1UL << 0,

    /// <summary>Process and thread.</summary>
    Tid = 1UL << 1,

    /// <summary>Time in ns of the event's clock.</summary>
    Time = 1UL << 2,

    /// <summary>Data address.</summary>
    Address = 1UL << 3,

    /// <summary>Counter values.</summary>
    Read = 1UL << 4,

    /// <summary>Call chain.</summary>
    CallChain = 1UL << 5,

    /// <summary>Id of the event, among the other fields.</summary>
    Id = 1UL << 6,

    /// <summary>Processor.</summary>
    Cpu = 1UL << 7,

    /// <summary>Period of the sample; ns for cpu-clock.</summary>
    Period = 1UL << 8,

    /// <summary>Id of the inherited event.</summary>
    StreamId = 1UL << 9,

    /// <summary>Payload of a tracepoint.</summary>
    Raw = 1UL << 10,

    /// <summary>Branch records.</summary>
    BranchStack = 1UL << 11,

    /// <summary>Registers of the user mode.</summary>
    RegistersUser = 1UL << 12,

    /// <summary>A copy of the user stack.</summary>
    StackUser = 1UL << 13,

    /// <summary>Id of the event at a fixed position: first in a sample, last in every other record.</summary>
    Identifier = 1UL << 16,
}
