namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>A buffer's header, decoded.</summary>
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
        Processor = (Flags & EtlBufferFlags.ProcessorIndex) != 0
            ? EtlFormat.UInt16(bytes, EtlFormat.ProcessorAt) & EtlFormat.ProcessorIndexMask
            : bytes[EtlFormat.ProcessorAt];
    }

    /// <summary>Bytes in the file.</summary>
    public uint Size { get; }

    public uint SavedOffset { get; }

    /// <summary>When it was written: system time or ticks, depending on the writer.</summary>
    public long TimeStamp { get; }

    public long Sequence { get; }

    /// <summary>Valid bytes after decompression, this header included.</summary>
    public uint ValidEnd { get; }

    public EtlBufferFlags Flags { get; }

    public int Type { get; }

    public int Processor { get; }

    public bool IsCompressed => (Flags & EtlBufferFlags.Compressed) != 0;

    /// <summary>Whether it can be a buffer's header at all.</summary>
    public bool IsPlausible => Size is >= EtlFormat.BufferHeaderSize and <= EtlFormat.MaxBufferSize
        && ValidEnd is >= EtlFormat.BufferHeaderSize and <= EtlFormat.MaxBufferSize
        && (IsCompressed || ValidEnd <= Size)
        && (int)Flags <= 0x7F
        && Type <= (int)EtlBufferType.DebugInfo;
}
