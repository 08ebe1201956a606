namespace EtwSerializerProfiler.Traces.Symbols.Precompiled;

/// <summary>
/// Reads integers of the runtime's debug information: 3 bits per half byte, the highest first; the fourth bit means that more follow. The
/// low half of a byte comes first.
/// </summary>
/// <param name="bytes">The section.</param>
/// <param name="position">The byte to begin at.</param>
internal ref struct NibbleReader(ReadOnlySpan<byte> bytes, int position)
{
    /// <summary>32 bits need no more.</summary>
    private const int MaxNibbles = 11;

    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private long _nibble = 2L * position;

    /// <summary>The first byte that was not read at all.</summary>
    public readonly long NextByte => (_nibble + 1) / 2;

    /// <summary>Reads an integer.</summary>
    /// <exception cref="BadImageFormatException">The section ends early, or the integer has more than 32 bits.</exception>
    public uint Unsigned()
    {
        var value = 0UL;
        for (var count = 0; count < MaxNibbles; count++)
        {
            var at = _nibble / 2;
            if (at < 0 || at >= _bytes.Length)
                throw new BadImageFormatException("debug information ends too early");
            var nibble = (_bytes[(int)at] >> (int)(4 * (_nibble & 1))) & 0xF;
            _nibble++;
            value = value << 3 | (uint)(nibble & 7);
            if (nibble < 8 && value <= uint.MaxValue)
                return (uint)value;
        }

        throw new BadImageFormatException("debug information has an integer of more than 32 bits");
    }
}
