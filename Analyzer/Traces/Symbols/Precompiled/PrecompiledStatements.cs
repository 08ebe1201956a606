using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Symbols.Precompiled;

/// <summary>The IL statements of precompiled code, from the debug information of its image. Methods are decoded on request.</summary>
/// <remarks>
/// <para>
/// Format (debuginfostore.cpp and DebugInfoTableNode.cs of dotnet/runtime): a sparse array by the index of a method's first function. An
/// entry is the distance back to the content, which methods can share; 0 when it follows. The content: size of the bounds, size of the
/// variables, both as integers of half bytes; the bounds start at the next byte. From version 17 on, bounds of 0 bytes mark a longer
/// header, which crossgen2 writes only for methods without bounds.
/// </para>
/// <para>
/// Bounds begin with their count. Up to version 15 each is the difference of its native offset from the previous one, its IL offset + 3 and
/// its flags, as integers of half bytes. From version 16 on two widths - 1 follow the count, and from the next byte on each bound is a bit
/// field, the lowest bits first: flags (2 bits, from version 17 on 3), the difference in the first width, the IL offset + 3 in the second
/// one.
/// </para>
/// </remarks>
/// <param name="section">The section DebugInfo.</param>
/// <param name="version">Major version of the format.</param>
internal sealed class PrecompiledStatements(byte[] section, int version)
{
    /// <summary>The last version with a known encoding: that of .NET 11 previews; .NET 8 has 9, .NET 10 has 16.</summary>
    public const int LastVersion = 17;

    private const int PackedVersion = 16,
        ThreeFlagsVersion = 17;

    /// <summary>IL offsets count from the lowest of the JIT's special values (EPILOG, ICorDebugInfo::MappingTypes).</summary>
    private const int FirstInstruction = -3;

    /// <summary>A bound has at least 4 bits.</summary>
    private const int MaxBoundsForByte = 2;

    /// <summary>The statements of a method; null when the image has none.</summary>
    /// <param name="function">Index of the method's first function.</param>
    /// <param name="codeBytes">Size of its code; all offsets are below it.</param>
    /// <exception cref="BadImageFormatException">The entry is damaged.</exception>
    public CodePoints? Of(int function, uint codeBytes)
    {
        if (!new NativeFormat(section, 0).TryFindEntry(function, out var entry))
            return null;
        var format = new NativeFormat(section, entry);
        var back = format.Unsigned();
        var header = new NibbleReader(
            section,
            back == 0 ? format.Position
                : back <= entry ? entry - (int)back
                : throw new BadImageFormatException("debug information is before its section")
        );
        var boundsBytes = header.Unsigned();
        header.Unsigned(); // variables
        if (boundsBytes == 0)
            return null;
        var start = header.NextByte;
        if (start + boundsBytes > section.Length)
            throw new BadImageFormatException("debug information is longer than its section");
        var bounds = section.AsSpan((int)start, (int)boundsBytes);
        var reader = new NibbleReader(bounds, 0);
        var count = reader.Unsigned();
        if (count > MaxBoundsForByte * (ulong)boundsBytes)
            throw new BadImageFormatException("debug information has more bounds than fit its size");
        var (offsets, instructions) = (new uint[count], new int[count]);
        if (version >= PackedVersion)
            Unpack(bounds, reader, offsets, instructions);
        else
            Read(reader, offsets, instructions);
        Check(offsets, codeBytes);
        return new CodePoints(offsets, new int[count], instructions);
    }

    private static void Read(NibbleReader reader, uint[] offsets, int[] instructions)
    {
        var offset = 0u;
        for (var i = 0; i < offsets.Length; i++)
        {
            offsets[i] = offset += reader.Unsigned();
            instructions[i] = unchecked((int)reader.Unsigned() + FirstInstruction);
            reader.Unsigned(); // flags
        }
    }

    private void Unpack(ReadOnlySpan<byte> bounds, NibbleReader reader, uint[] offsets, int[] instructions)
    {
        var (deltaBits, instructionBits) = (reader.Unsigned() + 1UL, reader.Unsigned() + 1UL);
        var flagBits = version >= ThreeFlagsVersion ? 3 : 2;
        if (deltaBits > 32 || instructionBits > 32)
            throw new BadImageFormatException("debug information has offsets of more than 32 bits");
        var bit = reader.NextByte * 8;
        if (bit + (long)(deltaBits + instructionBits + (uint)flagBits) * offsets.Length > bounds.Length * 8L)
            throw new BadImageFormatException("debug information has more bounds than fit its size");
        var offset = 0u;
        for (var i = 0; i < offsets.Length; i++)
        {
            bit += flagBits;
            offsets[i] = offset += Bits(bounds, bit, (int)deltaBits);
            bit += (int)deltaBits;
            instructions[i] = unchecked((int)Bits(bounds, bit, (int)instructionBits) + FirstInstruction);
            bit += (int)instructionBits;
        }
    }

    private static uint Bits(ReadOnlySpan<byte> bytes, long first, int count)
    {
        var value = 0UL;
        var (at, shift) = ((int)(first / 8), (int)(first % 8));
        for (var read = 0; read < shift + count; read += 8)
            value |= (ulong)bytes[at++] << read;
        return (uint)(value >> shift & ((1UL << count) - 1));
    }

    private static void Check(uint[] offsets, uint codeBytes)
    {
        var before = 0u;
        foreach (var offset in offsets)
        {
            if (offset < before || offset > codeBytes)
                throw new BadImageFormatException("debug information names code outside its method");
            before = offset;
        }
    }
}
