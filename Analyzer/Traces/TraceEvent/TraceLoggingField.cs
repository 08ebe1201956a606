namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>A field of a TraceLogging event.</summary>
/// <param name="Name">Its name.</param>
/// <param name="InType">How it is stored: TDH_INTYPE of tdh.h.</param>
/// <param name="OutType">How it is shown: TlgOut_t of TraceLoggingProvider.h, 0 for the usual.</param>
/// <param name="Array">Whether there are several.</param>
/// <param name="Count">How many, for arrays of constant length.</param>
/// <param name="Members">The fields of a structure.</param>
internal sealed record TraceLoggingField(string Name, byte InType, byte OutType, TraceLoggingArray Array, ushort Count, IReadOnlyList<TraceLoggingField> Members)
{
    /// <summary>TDH_INTYPE_BINARY: bytes behind their 16-bit count.</summary>
    public const byte Binary = 14;

    /// <summary>TlgInSTRUCT: the fields that follow are its members.</summary>
    public const byte Structure = 24;

    /// <summary>Whether the field is a structure.</summary>
    public bool IsStructure => InType == Structure;
}
