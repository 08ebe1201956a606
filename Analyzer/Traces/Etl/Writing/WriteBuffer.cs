namespace EtwSerializerProfiler.Etl.Writing;

/// <summary>A processor's buffer that is being filled.</summary>
internal sealed class WriteBuffer(int size)
{
    public byte[] Bytes { get; } = new byte[size];

    /// <summary>End of what is filled, buffer header included.</summary>
    public int Filled { get; set; } = EtlFormat.BufferHeaderSize;

    /// <summary>Largest time of its records.</summary>
    public long LastTime { get; set; } = long.MinValue;

    public bool IsEmpty => Filled == EtlFormat.BufferHeaderSize;
}
