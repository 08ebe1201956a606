using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace EtwSerializerProfiler.Etl.Compression;

/// <summary>Decompresses plain LZ77 (LZXPRESS without Huffman): [MS-XCA] 2.4.</summary>
/// <remarks>
/// The input is a row of groups: 32 flag bits, the highest first; 0 stands for a byte that is copied, 1 for a match: u16 with the distance - 1 in the
/// upper 13 bits and the length - 3 in the lower 3. A length of 7 goes on in a nibble (two matches share a byte), a nibble of 15 in a byte, a byte of
/// 255 in a u16, and a u16 of 0 in a u32.
/// </remarks>
internal static class Lz77Decoder
{
    /// <summary>Bytes behind the end of the output that wide copies may overwrite: the output span has to have them.</summary>
    public const int Slack = 64;

    /// <summary>A run of bytes, a match's 9 bytes and a wide copy stay inside the input when so much is left.</summary>
    private const int InputMargin = 48;

    /// <summary>Decompresses until the input ends or the output is full.</summary>
    /// <param name="input">Compressed bytes.</param>
    /// <param name="output">Room for <paramref name="length"/> bytes and <see cref="Slack"/> more.</param>
    /// <param name="length">Bytes to make.</param>
    /// <param name="error">What is wrong with the input; null when nothing is.</param>
    /// <returns>Bytes made; less than <paramref name="length"/> when the input ended early or is damaged.</returns>
    public static int Decode(ReadOnlySpan<byte> input, Span<byte> output, int length, out string? error)
    {
        if (length < 0 || length > output.Length - Slack)
            throw new ArgumentOutOfRangeException(nameof(length), length, "The output has no room for it.");
        error = null;
        ref var source = ref MemoryMarshal.GetReference(input);
        ref var target = ref MemoryMarshal.GetReference(output);
        var from = 0; // next byte of the input
        var to = 0; // next byte of the output
        var nibbleAt = -1; // where the second half of a shared nibble byte stands
        while (to < length)
        {
            if (from + 4 > input.Length)
                return to;
            var flags = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, from));
            from += 4;
            var bits = 32;
            while (bits > 0 && to < length)
            {
                // Bytes that are copied: as many as there are zeros at the front.
                var run = Math.Min(BitOperations.LeadingZeroCount(flags), bits);
                if (run > 0)
                {
                    run = Math.Min(run, length - to);
                    if (from + InputMargin <= input.Length)
                    {
                        // run <= 32; the output has Slack bytes behind length.
                        Vector256.LoadUnsafe(ref source, (nuint)from).StoreUnsafe(ref target, (nuint)to);
                    }
                    else
                    {
                        run = Math.Min(run, input.Length - from);
                        if (run == 0)
                            return to;
                        input.Slice(from, run).CopyTo(output[to..]);
                    }

                    from += run;
                    to += run;
                    bits -= run;
                    flags = run == 32 ? 0 : flags << run;
                    continue;
                }

                if (from + 2 > input.Length)
                    return to;
                int match = Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref source, from));
                from += 2;
                bits--;
                flags <<= 1;
                var distance = (match >> 3) + 1;
                var count = match & 7;
                if (count == 7 && !TryReadLength(input, ref from, ref nibbleAt, ref count, out error))
                    return to;
                count += 3;
                if (distance > to)
                {
                    error = "a match points before the begin of the data";
                    return to;
                }

                count = Math.Min(count, length - to);
                Copy(ref target, to, distance, count);
                to += count;
            }
        }

        return to;
    }

    /// <summary>The rest of a length that does not fit into 3 bits.</summary>
    private static bool TryReadLength(ReadOnlySpan<byte> input, ref int from, ref int nibbleAt, ref int count, out string? error)
    {
        error = null;
        int nibble;
        if (nibbleAt >= 0)
        {
            nibble = input[nibbleAt] >> 4;
            nibbleAt = -1;
        }
        else
        {
            if (from >= input.Length)
                return Ended(out error);
            nibble = input[from] & 15;
            nibbleAt = from++;
        }

        if (nibble < 15)
        {
            count = 7 + nibble;
            return true;
        }

        if (from >= input.Length)
            return Ended(out error);
        int value = input[from++];
        if (value < 255)
        {
            count = 7 + 15 + value;
            return true;
        }

        if (from + 2 > input.Length)
            return Ended(out error);
        long large = EtlFormat.UInt16(input, from);
        from += 2;
        if (large == 0)
        {
            if (from + 4 > input.Length)
                return Ended(out error);
            large = EtlFormat.UInt32(input, from);
            from += 4;
        }

        if (large < 7 + 15)
        {
            error = "the length of a match is too small for its encoding";
            return false;
        }

        count = (int)Math.Min(large, int.MaxValue / 2);
        return true;
    }

    private static bool Ended(out string? error)
    {
        error = "the data ends inside a match";
        return false;
    }

    /// <summary>
    /// Copies count bytes from distance bytes back; the ranges may overlap. Writes up to 31 bytes behind the end, which the output's slack takes.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Copy(ref byte target, int to, int distance, int count)
    {
        ref var destination = ref Unsafe.Add(ref target, to);
        ref var origin = ref Unsafe.Subtract(ref destination, distance);
        if (distance >= 16)
        {
            for (var done = 0; done < count; done += 16)
                Vector128.LoadUnsafe(ref origin, (nuint)done).StoreUnsafe(ref destination, (nuint)done);
        }
        else if (distance >= 8)
        {
            for (var done = 0; done < count; done += 8)
                Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, done), Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref origin, done)));
        }
        else if (distance == 1)
        {
            Unsafe.InitBlockUnaligned(ref destination, origin, (uint)count);
        }
        else
        {
            // The pattern repeats: once 8 bytes of it exist, a multiple of the distance that is at least 8 is as good a distance.
            var first = Math.Min(count, 16);
            for (var done = 0; done < first; done++)
                Unsafe.Add(ref destination, done) = Unsafe.Add(ref origin, done);
            if (count <= 16)
                return;
            var back = distance * (8 / distance + (8 % distance == 0 ? 0 : 1));
            for (var done = 16; done < count; done += 8)
            {
                Unsafe.WriteUnaligned(
                    ref Unsafe.Add(ref destination, done),
                    Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref destination, done - back)));
            }
        }
    }
}
