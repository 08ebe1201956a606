using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace EtwSerializerProfiler.Etl.Compression;

/// <summary>Decompresses plain LZ77 (LZXPRESS without Huffman): [MS-XCA] 2.4.</summary>
/// <remarks>
/// The input is a sequence of groups: 32 flag bits, highest first; 0 means a literal byte, 1 a match: u16 with the distance - 1 in the
/// upper 13 bits and the length - 3 in the lower 3. A length of 7 continues in a nibble (two matches share a byte), a nibble of 15 in a
/// byte, a byte of 255 in a u16, and a u16 of 0 in a u32.
/// </remarks>
internal static class Lz77Decoder
{
    /// <summary>Bytes after the end of the output that wide copies may overwrite; the output span must have them.</summary>
    public const int Slack = 64;

    /// <summary>Maximum input of a step of the fast loop: 32 literal bytes, a match's 2, and 1 + 1 + 2 + 4 of its length.</summary>
    private const int InputMargin = 48;

    /// <summary>Maximum output of a step of the fast loop before it checks the end of the output: 32 bytes.</summary>
    private const int OutputMargin = 32;

    private const ulong EndOfGroup = 1UL << 63;
    private const string OutsideError = "a match points before the start of the data";

    /// <summary>Decompresses until the input ends or the output is full.</summary>
    /// <param name="input">Compressed bytes.</param>
    /// <param name="output">Space for <paramref name="length"/> bytes plus <see cref="Slack"/>.</param>
    /// <param name="length">Number of bytes to decompress.</param>
    /// <param name="error">Problem of the input; null when there is none.</param>
    /// <returns>Number of bytes decompressed; less than <paramref name="length"/> when the input ended early or is damaged.</returns>
    public static int Decode(ReadOnlySpan<byte> input, Span<byte> output, int length, out string? error)
    {
        if (length < 0 || length > output.Length - Slack)
            throw new ArgumentOutOfRangeException(nameof(length), length, "The output is too small.");
        var state = default(State);
        return DecodeFast(input, output, length, ref state, out error)
            ? DecodeSafely(input, output, length, ref state, out error)
            : state.To;
    }

    /// <summary>Decodes while both margins hold, so that a step only needs to check a match's distance; false for damage.</summary>
    /// <remarks>
    /// Compiled at once: precompiled code cannot have its vectors of 256 bits, and the first megabytes would be decoded by unoptimized
    /// code.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static bool DecodeFast(ReadOnlySpan<byte> input, Span<byte> output, int length, ref State state, out string? error)
    {
        error = null;
        ref var source = ref MemoryMarshal.GetReference(input);
        ref var target = ref MemoryMarshal.GetReference(output);
        var lastFrom = input.Length - InputMargin;
        var lastTo = length - OutputMargin;
        var from = 0;
        var to = 0;
        var nibbleAt = -1;
        var flags = EndOfGroup;
        while (from <= lastFrom && to <= lastTo)
        {
            if (flags == EndOfGroup)
            {
                // 32 flags at the top, followed by a one that ends the group: its position gives the number of remaining flags.
                flags = ((ulong)Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, from)) << 32) | 0x8000_0000;
                from += 4;
                continue; // without these 4 bytes, the margin does not cover the rest
            }

            var run = BitOperations.LeadingZeroCount(flags);
            Vector256.LoadUnsafe(ref source, (nuint)from).StoreUnsafe(ref target, (nuint)to);
            from += run;
            to += run;
            flags <<= run;
            if (flags == EndOfGroup)
                continue;
            flags <<= 1;
            int match = Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref source, from));
            from += 2;
            var distance = (match >> 3) + 1;
            var count = match & 7;
            if (count == 7 && !TryReadLength(input, ref from, ref nibbleAt, ref count, out error))
                break;
            count += 3;
            if (distance > to)
            {
                error = OutsideError;
                break;
            }

            count = Math.Min(count, length - to);
            Copy(ref target, to, distance, count);
            to += count;
        }

        // The lowest one bit is the end mark.
        state = new State
        {
            From = from,
            To = to,
            NibbleAt = nibbleAt,
            Flags = (uint)((flags & (flags - 1)) >> 32),
            Bits = 63 - BitOperations.TrailingZeroCount(flags),
        };
        return error is null;
    }

    /// <summary>Decodes the rest with every access checked.</summary>
    private static int DecodeSafely(ReadOnlySpan<byte> input, Span<byte> output, int length, ref State state, out string? error)
    {
        error = null;
        var from = state.From;
        var to = state.To;
        var nibbleAt = state.NibbleAt;
        while (to < length)
        {
            if (state.Bits == 0)
            {
                if (from + 4 > input.Length)
                    return to;
                state.Flags = EtlFormat.UInt32(input, from);
                state.Bits = 32;
                from += 4;
            }

            var isMatch = (int)state.Flags < 0;
            state.Flags <<= 1;
            state.Bits--;
            if (!isMatch)
            {
                if (from >= input.Length)
                    return to;
                output[to++] = input[from++];
                continue;
            }

            if (from + 2 > input.Length)
                return to;
            int match = EtlFormat.UInt16(input, from);
            from += 2;
            var distance = (match >> 3) + 1;
            var count = match & 7;
            if (count == 7 && !TryReadLength(input, ref from, ref nibbleAt, ref count, out error))
                return to;
            count = Math.Min(count + 3, length - to);
            if (distance > to)
            {
                error = OutsideError;
                return to;
            }

            Copy(ref MemoryMarshal.GetReference(output), to, distance, count);
            to += count;
        }

        return to;
    }

    /// <summary>State of decoding between its two loops.</summary>
    private struct State
    {
        /// <summary>Index of the next input byte.</summary>
        public int From;

        /// <summary>Index of the next output byte.</summary>
        public int To;

        /// <summary>Index of the byte whose upper nibble is next; -1 for none.</summary>
        public int NibbleAt;

        /// <summary>Remaining flags of the group, next one highest.</summary>
        public uint Flags;

        /// <summary>Number of remaining flags.</summary>
        public int Bits;
    }

    /// <summary>Reads the rest of a length that does not fit into 3 bits.</summary>
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
    /// Copies count bytes from distance bytes back; the ranges may overlap. Writes up to 15 bytes after the end, into the output's slack.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Copy(ref byte target, int to, int distance, int count)
    {
        ref var destination = ref Unsafe.Add(ref target, to);
        ref var origin = ref Unsafe.Subtract(ref destination, distance);
        if (distance >= 16)
        {
            Vector128.LoadUnsafe(ref origin).StoreUnsafe(ref destination);
            for (var done = 16; done < count; done += 16)
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
            // The pattern repeats: once 8 bytes of it exist, any multiple of the distance from 8 on is an equivalent distance.
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
                    Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref destination, done - back))
                );
            }
        }
    }
}
