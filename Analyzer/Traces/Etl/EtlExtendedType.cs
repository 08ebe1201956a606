namespace EtwSerializerProfiler.Etl;

/// <summary>Kind of an extended item of an event (EVENT_HEADER_EXT_TYPE).</summary>
public enum EtlExtendedType
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>GUID of the related activity.</summary>
    RelatedActivityId = 1,

    /// <summary>SID of the user.</summary>
    Sid = 2,

    /// <summary>Terminal session, u32.</summary>
    TerminalSessionId = 3,

    /// <summary>Instance and parent instance of a classic event.</summary>
    InstanceInfo = 4,

    /// <summary>Stack: u64 match id, then u32 addresses, the top frame first.</summary>
    StackTrace32 = 5,

    /// <summary>Stack: u64 match id, then u64 addresses, the top frame first.</summary>
    StackTrace64 = 6,

    /// <summary>Index of a precise sample.</summary>
    PebsIndex = 7,

    /// <summary>Values of hardware counters, u64 each.</summary>
    PmcCounters = 8,

    /// <summary>Key of a packaged application.</summary>
    PsmKey = 9,

    /// <summary>Key of the event, u64.</summary>
    EventKey = 10,

    /// <summary>TraceLogging metadata: name and fields of the event.</summary>
    EventSchemaTraceLogging = 11,

    /// <summary>Traits of the provider: its name, for TraceLogging.</summary>
    ProviderTraits = 12,

    /// <summary>Key of the process's start, u64.</summary>
    ProcessStartKey = 13,

    /// <summary>GUID of the control that enabled the event.</summary>
    ControlGuid = 14,

    /// <summary>Difference of clocks, u64.</summary>
    QpcDelta = 15,

    /// <summary>GUID of the container.</summary>
    ContainerId = 16,

    /// <summary>Key of a stack defined by another event: u64 match id, then u32.</summary>
    StackKey32 = 17,

    /// <summary>Key of a stack defined by another event: u64 match id, then u64.</summary>
    StackKey64 = 18,
}
