namespace EtwSerializerProfiler.Etl;

/// <summary>Flags of a buffer (ETW_BUFFER_FLAG, at 0x34 of the buffer header).</summary>
[Flags]
internal enum EtlBufferFlags
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Last buffer of a flush.</summary>
    FlushMarker = 1,

    /// <summary>Events were lost before this buffer.</summary>
    EventsLost = 2,

    /// <summary>Buffers were lost before this one.</summary>
    BufferLost = 4,

    /// <summary>The backup of a real-time session was damaged.</summary>
    RealTimeBackupCorrupt = 8,

    /// <summary>From the backup of a real-time session.</summary>
    RealTimeBackup = 0x10,

    /// <summary>The processor's number has 16 bits.</summary>
    ProcessorIndex = 0x20,

    /// <summary>The events are compressed (plain LZ77).</summary>
    Compressed = 0x40,
}
