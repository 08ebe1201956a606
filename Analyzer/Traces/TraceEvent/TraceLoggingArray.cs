namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>How often a TraceLogging field is there; bits 5 and 6 of its type.</summary>
internal enum TraceLoggingArray : byte
{
    /// <summary>Once.</summary>
    None = 0,

    /// <summary>As often as the description says.</summary>
    Constant = 0x20,

    /// <summary>As often as the 16 bits before the values say.</summary>
    Counted = 0x40,
}
