namespace EtwSerializerProfiler.Etl;

/// <summary>Kind of an event's header in the file: byte 2 of the record (TRACE_HEADER_TYPE).</summary>
public enum EtlHeaderType : byte
{
    /// <summary>Not an event header.</summary>
    None = 0,

    /// <summary>Kernel event with thread, process and CPU times, 32-bit system.</summary>
    System32 = 0x01,

    /// <summary>Kernel event with thread, process and CPU times, 64-bit system.</summary>
    System64 = 0x02,

    /// <summary>Kernel event with thread and process, 32-bit system.</summary>
    Compact32 = 0x03,

    /// <summary>Kernel event with thread and process, 64-bit system.</summary>
    Compact64 = 0x04,

    /// <summary>Classic event (a GUID and an opcode), 32-bit process.</summary>
    Full32 = 0x0A,

    /// <summary>Classic event of an instance, 32-bit process.</summary>
    Instance32 = 0x0B,

    /// <summary>An event that could not be logged.</summary>
    Error = 0x0D,

    /// <summary>Message of the WPP preprocessor.</summary>
    Message = 0x0F,

    /// <summary>Kernel event with only a time, 32-bit system.</summary>
    PerfInfo32 = 0x10,

    /// <summary>Kernel event with only a time, 64-bit system: samples, context switches, stacks.</summary>
    PerfInfo64 = 0x11,

    /// <summary>Event of a manifest or of TraceLogging, 32-bit process.</summary>
    Event32 = 0x12,

    /// <summary>Event of a manifest or of TraceLogging, 64-bit process.</summary>
    Event64 = 0x13,

    /// <summary>Classic event (a GUID and an opcode), 64-bit process.</summary>
    Full64 = 0x14,

    /// <summary>Classic event of an instance, 64-bit process.</summary>
    Instance64 = 0x15,
}
