using System.Buffers.Binary;

namespace EtwSerializerProfiler.Etl.Compression;

/// <summary>Compresses as plain LZ77 ([MS-XCA] 2.3): greedy; the match is the latest position with the same 3 bytes.</summary>
internal sealed class Lz77Encoder
{
    private const int HashBits = 13;
    private const int MaxDistance = 8192;
    private const int MinLength = 3;

    /// <summary>Latest position + 1 of a hash; 0 for none.</summary>
    private readonly int[] _places = new int[1 << HashBits];

    /// <summary>Maximum compressed size of a number of bytes: all literal, with their flags.</summary>
    public static int MaxSize(int bytes) => bytes + bytes / 8 + 16;

    /// <summary>Compresses and returns the size.</summary>
    /// <param name="input">Bytes.</param>
    /// <param name="output">Space for <see cref="MaxSize"/> bytes.</param>
    public int Encode(ReadOnlySpan<byte> input, Span<byte> output)
    {
        Array.Clear(_places);
        var flagsAt = 0;
        var to = 4;
        uint flags = 0;
        var bits = 0;
        var nibbleAt = -1;
        for (var from = 0; from < input.Length;)
        {
            var length = FindMatch(input, from, out var distance);
            flags <<= 1;
            if (length < MinLength)
            {
                output[to++] = input[from++];
            }
            else
            {
                flags |= 1;
                WriteMatch(output, ref to, ref nibbleAt, distance, length);
                for (var end = from + length; from < end; from++)
                    Remember(input, from);
            }

            if (++bits == 32)
            {
                BinaryPrimitives.WriteUInt32LittleEndian(output[flagsAt..], flags);
                flagsAt = to;
                to += 4;
                flags = 0;
                bits = 0;
            }
        }

        // The remaining flags are ones.
        flags = bits == 0 ? uint.MaxValue : (flags << (32 - bits)) | (uint.MaxValue >> bits);
        BinaryPrimitives.WriteUInt32LittleEndian(output[flagsAt..], flags);
        return to;
    }

    /// <summary>Longest match at the latest position with the same start; remembers the position.</summary>
    private int FindMatch(ReadOnlySpan<byte> input, int from, out int distance)
    {
        distance = 0;
        if (from + MinLength > input.Length)
            return 0;
        var place = Remember(input, from);
        distance = from - place;
        return place < 0 || distance > MaxDistance ? 0 : input[from..].CommonPrefixLength(input[place..]);
    }

    /// <summary>Records the position of 3 bytes and returns their previous position, -1 for none.</summary>
    private int Remember(ReadOnlySpan<byte> input, int at)
    {
        if (at + MinLength > input.Length)
            return -1;
        var key = (uint)(input[at] | (input[at + 1] << 8) | (input[at + 2] << 16));
        ref var entry = ref _places[(key * 2654435761u) >> (32 - HashBits)];
        var place = entry - 1;
        entry = at + 1;
        return place;
    }

    private static void WriteMatch(Span<byte> output, ref int to, ref int nibbleAt, int distance, int length)
    {
        var rest = length - MinLength;
        BinaryPrimitives.WriteUInt16LittleEndian(output[to..], (ushort)(((distance - 1) << 3) | Math.Min(rest, 7)));
        to += 2;
        if (rest < 7)
            return;
        var nibble = Math.Min(rest - 7, 15);
        if (nibbleAt >= 0)
        {
            output[nibbleAt] |= (byte)(nibble << 4);
            nibbleAt = -1;
        }
        else
        {
            nibbleAt = to;
            output[to++] = (byte)nibble;
        }

        if (nibble < 15)
            return;
        if (rest < 7 + 15 + 255)
        {
            output[to++] = (byte)(rest - 7 - 15);
            return;
        }

        output[to++] = 255;
        if (rest <= ushort.MaxValue)
        {
            BinaryPrimitives.WriteUInt16LittleEndian(output[to..], (ushort)rest);
            to += 2;
            return;
        }

        BinaryPrimitives.WriteUInt16LittleEndian(output[to..], 0);
        BinaryPrimitives.WriteUInt32LittleEndian(output[(to + 2)..], (uint)rest);
        to += 6;
    }
}
