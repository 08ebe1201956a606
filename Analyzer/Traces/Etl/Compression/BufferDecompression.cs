namespace EtwSerializerProfiler.Etl.Compression;

/// <summary>Decompresses a buffer whose header marks it as compressed, but not with which format.</summary>
/// <remarks>
/// Every compressed trace examined so far is plain LZ77, so this is tried first. LZNT1, which xperf is said to use, has a signature in each
/// of its chunks: it is used if plain LZ77 fails, the whole buffer is a chain of such chunks, and they contain as many bytes as the header
/// states.
/// </remarks>
internal static class BufferDecompression
{
    /// <summary>Decompresses a whole buffer, with the parameters of <see cref="Lz77Decoder.Decode"/>.</summary>
    public static int Decode(ReadOnlySpan<byte> input, Span<byte> output, int length, out string? error)
    {
        var made = Lz77Decoder.Decode(input, output, length, out error);
        if ((made == length && error is null) || !Lznt1Decoder.IsChain(input))
            return made;
        if (Lznt1Decoder.Decode(input, output[..length]) != length)
            return Lz77Decoder.Decode(input, output, length, out error);
        error = null;
        return length;
    }
}
