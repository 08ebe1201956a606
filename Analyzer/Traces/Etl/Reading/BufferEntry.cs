namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>A buffer in the index of all buffers.</summary>
internal struct BufferEntry
{
    /// <summary>Offset in its file.</summary>
    public long Offset;

    /// <summary>Time of its first record, in the trace's ticks: order in which buffers are decoded.</summary>
    public long FirstTime;

    public long Sequence;

    /// <summary>Bytes in the file, header included; less than the header says where the file ends.</summary>
    public int Size;

    /// <summary>Valid bytes after decompression, header included.</summary>
    public int ValidEnd;

    /// <summary>Place among all buffers that breaks ties of time: file, then sequence number, then place in the file.</summary>
    public int Order;

    public ushort File;

    public ushort Processor;

    public bool IsCompressed;

    /// <summary>Whether it is the header buffer of its file.</summary>
    public bool IsHeader;
}
