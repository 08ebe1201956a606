namespace EtwSerializerProfiler.Etl.Compression;

/// <summary>Decompresses a buffer whose header says that it is compressed, but not how.</summary>
/// <remarks>
/// Every compressed trace that could be looked at is plain LZ77, so this is tried first. LZNT1, of which xperf is said to make use, carries a signature in each of its
/// chunks: it is taken where plain LZ77 does not come out, all of the buffer is a row of such chunks, and they hold as many bytes as the header says.
/// </remarks>
internal static class BufferDecompression
{
    /// <summary>Decompresses a whole buffer; the parameters are those of <see cref="Lz77Decoder.Decode"/>.</summary>
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
