namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>A decoded buffer header.</summary>
internal readonly struct BufferHeader
{
    public BufferHeader(ReadOnlySpan<byte> bytes)
    {
        Size = EtlFormat.UInt32(bytes, 0);
        SavedOffset = EtlFormat.UInt32(bytes, EtlFormat.SavedOffsetAt);
        TimeStamp = EtlFormat.Int64(bytes, EtlFormat.TimeStampAt);
        Sequence = EtlFormat.Int64(bytes, EtlFormat.SequenceAt);
        ValidEnd = EtlFormat.UInt32(bytes, EtlFormat.OffsetAt);
        Flags = (EtlBufferFlags)EtlFormat.UInt16(bytes, EtlFormat.FlagsAt);
        Type = EtlFormat.UInt16(bytes, EtlFormat.TypeAt);
        Processor =
            (Flags & EtlBufferFlags.ProcessorIndex) != 0
                ? EtlFormat.UInt16(bytes, EtlFormat.ProcessorAt) & EtlFormat.ProcessorIndexMask
                : bytes[EtlFormat.ProcessorAt];
    }

    /// <summary>Size in the file in bytes.</summary>
    public uint Size { get; }

    public uint SavedOffset { get; }

    /// <summary>Time of writing: system time or ticks, depending on the writer.</summary>
    public long TimeStamp { get; }

    public long Sequence { get; }

    /// <summary>End of the valid bytes after decompression, including this header.</summary>
    public uint ValidEnd { get; }

    public EtlBufferFlags Flags { get; }

    public int Type { get; }

    public int Processor { get; }

    public bool IsCompressed => (Flags & EtlBufferFlags.Compressed) != 0;

    /// <summary>Whether it can be a buffer's header.</summary>
    public bool IsPlausible =>
        Size is >= EtlFormat.BufferHeaderSize and <= EtlFormat.MaxBufferSize
        && ValidEnd is >= EtlFormat.BufferHeaderSize and <= EtlFormat.MaxBufferSize
        && (IsCompressed || ValidEnd <= Size)
        && (int)Flags <= 0x7F
        && Type <= (int)EtlBufferType.DebugInfo;
}
