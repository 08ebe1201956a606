namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>Memory that a decoding thread keeps from buffer to buffer.</summary>
internal sealed class DecodeScratch
{
    private byte[] _compressed = [];
    private byte[] _decompressed = [];

    /// <summary>Room for a buffer as it is in the file.</summary>
    public Span<byte> Compressed(int length) => Room(ref _compressed, length);

    /// <summary>Room for a large buffer's decompressed bytes.</summary>
    public Span<byte> Decompressed(int length) => Room(ref _decompressed, length);

    private static Span<byte> Room(ref byte[] bytes, int length)
    {
        if (bytes.Length < length)
            bytes = GC.AllocateUninitializedArray<byte>((length + 0xFFFF) & ~0xFFFF);
        return bytes.AsSpan(0, length);
    }
}
