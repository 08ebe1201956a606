namespace EtwSerializerProfiler.Etl;

/// <summary>Families of event headers with one layout.</summary>
internal enum EtlHeaderKind : byte
{
    None,

    /// <summary>System and compact: thread, process, time at 16.</summary>
    System,

    /// <summary>Only a time at 8.</summary>
    PerfInfo,

    /// <summary>Full and instance: GUID at 24.</summary>
    Classic,

    /// <summary>EVENT_HEADER.</summary>
    Event,

    /// <summary>WPP: parts by flags.</summary>
    Message,

    /// <summary>Only a size.</summary>
    Error,
}
