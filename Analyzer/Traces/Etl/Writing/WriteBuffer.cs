namespace EtwSerializerProfiler.Etl.Writing;

/// <summary>A processor's buffer while it is filled.</summary>
internal sealed class WriteBuffer(int size)
{
    public byte[] Bytes { get; } = new byte[size];

    /// <summary>End of the filled part, including the buffer header.</summary>
    public int Filled { get; set; } = EtlFormat.BufferHeaderSize;

    /// <summary>Maximum time of its records.</summary>
    public long LastTime { get; set; } = long.MinValue;

    public bool IsEmpty => Filled == EtlFormat.BufferHeaderSize;
}
