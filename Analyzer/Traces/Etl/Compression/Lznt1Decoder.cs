namespace EtwSerializerProfiler.Etl.Compression;

/// <summary>Decompresses LZNT1: [MS-XCA] 2.5.</summary>
/// <remarks>
/// The input is a sequence of chunks of 4096 bytes each when decompressed. A chunk has a 16-bit header: bits 0 to 11 its bytes - 1, bits 12
/// to 14 the signature 3, bit 15 whether it is compressed. A compressed chunk is a sequence of groups: a byte of flags, lowest first; 0
/// means a literal byte, 1 a match of 16 bits, in which the distance - 1 takes as many of the upper bits, 4 to 12, as the position in the
/// chunk needs, and the length - 3 takes the rest.
/// </remarks>
internal static class Lznt1Decoder
{
    private const int ChunkSize = 4096;
    private const int Signature = 3;

    /// <summary>Whether the whole input is a sequence of chunks, whose signatures identify LZNT1.</summary>
    public static bool IsChain(ReadOnlySpan<byte> input)
    {
        var at = 0;
        while (at + 2 <= input.Length)
        {
            int header = EtlFormat.UInt16(input, at);
            if (header == 0)
                break;
            if (((header >> 12) & 7) != Signature)
                return false;
            at += 2 + (header & 0xFFF) + 1;
        }

        return at > 0 && at <= input.Length;
    }

    /// <summary>Decompresses until the input ends or the output is full, and returns the number of bytes; stops before damage.</summary>
    public static int Decode(ReadOnlySpan<byte> input, Span<byte> output)
    {
        var to = 0;
        for (var from = 0; from + 2 <= input.Length && to < output.Length;)
        {
            int header = EtlFormat.UInt16(input, from);
            if (header == 0 || ((header >> 12) & 7) != Signature)
                break;
            from += 2;
            var chunk = input.Slice(from, Math.Min((header & 0xFFF) + 1, input.Length - from));
            from += chunk.Length;
            var room = output.Slice(to, Math.Min(ChunkSize, output.Length - to));
            if ((header & 0x8000) != 0)
            {
                if (!DecodeChunk(chunk, room, ref to))
                    break;
            }
            else
            {
                chunk = chunk[..Math.Min(chunk.Length, room.Length)];
                chunk.CopyTo(room);
                to += chunk.Length;
            }
        }

        return to;
    }

    /// <summary>Decompresses a chunk; false when damaged.</summary>
    private static bool DecodeChunk(ReadOnlySpan<byte> chunk, Span<byte> room, ref int total)
    {
        var to = 0;
        for (var from = 0; from < chunk.Length && to < room.Length;)
        {
            int flags = chunk[from++];
            for (var bit = 0; bit < 8 && from < chunk.Length && to < room.Length; bit++, flags >>= 1)
            {
                if ((flags & 1) == 0)
                {
                    room[to++] = chunk[from++];
                    total++;
                    continue;
                }

                if (from + 2 > chunk.Length)
                    return false;
                int match = EtlFormat.UInt16(chunk, from);
                from += 2;
                var lengthBits = 12;
                for (var place = to - 1; place >= 16; place >>= 1)
                    lengthBits--;
                var distance = (match >> lengthBits) + 1;
                var count = Math.Min((match & ((1 << lengthBits) - 1)) + 3, room.Length - to);
                if (distance > to)
                    return false;
                for (; count > 0; count--, to++, total++)
                    room[to] = room[to - distance];
            }
        }

        return true;
    }
}
