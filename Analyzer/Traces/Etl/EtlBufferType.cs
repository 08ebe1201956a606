namespace EtwSerializerProfiler.Etl;

/// <summary>Purpose of a buffer (ETW_BUFFER_TYPE, last field of the buffer header).</summary>
public enum EtlBufferType
{
    /// <summary>Events.</summary>
    Generic = 0,

    /// <summary>Rundown events.</summary>
    Rundown = 1,

    /// <summary>Context switches.</summary>
    ContextSwap = 2,

    /// <summary>A reference time.</summary>
    ReferenceTime = 3,

    /// <summary>The file's first buffer, with the log file header.</summary>
    Header = 4,

    /// <summary>Batched events.</summary>
    Batched = 5,

    /// <summary>A buffer without events that marks a time.</summary>
    EmptyMarker = 6,

    /// <summary>Debug information.</summary>
    DebugInfo = 7,
}
