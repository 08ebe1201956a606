using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.Symbols.Precompiled;

/// <summary>Reads the tables of precompiled assemblies: integers of one to five bytes, sparse arrays and hash tables.</summary>
/// <remarks>
/// Integers (NativeFormat of dotnet/runtime): the number of low one bits of the first byte is the number of further bytes, and the bits
/// after the zero are the value; in five bytes the value is in the last four.
/// </remarks>
/// <param name="bytes">The section.</param>
/// <param name="position">Position of the first byte to read.</param>
internal ref struct NativeFormat(ReadOnlySpan<byte> bytes, int position)
{
    /// <summary>Entries of an array that share an offset.</summary>
    private const int BlockEntries = 16;

    private readonly ReadOnlySpan<byte> _bytes = bytes;

    /// <summary>Position of the next byte in the section.</summary>
    public int Position { get; private set; } = position;

    /// <summary>Reads a byte.</summary>
    /// <exception cref="BadImageFormatException">The section ends early.</exception>
    public byte Byte() => At(Position++);

    /// <summary>Reads an integer.</summary>
    /// <exception cref="BadImageFormatException">The section ends early.</exception>
    public uint Unsigned()
    {
        var more = Length(out var first);
        var value = (uint)first >> (more + 1);
        for (var i = 0; i < more; i++)
            value |= (uint)Byte() << (7 - more + 8 * i);
        return more < 4 ? value : BinaryPrimitives.ReadUInt32LittleEndian(Last4());
    }

    /// <summary>Reads an integer with a sign.</summary>
    /// <exception cref="BadImageFormatException">The section ends early.</exception>
    public int Signed()
    {
        var start = Position;
        var value = Unsigned();
        var bits = (Position - start) * 7;
        return bits >= 32 ? (int)value : (int)(value << (32 - bits)) >> (32 - bits);
    }

    /// <summary>Reads an integer as signatures have it (ECMA-335, II.23.2): 7, 14 or 29 bits, high byte first.</summary>
    /// <exception cref="BadImageFormatException">The section ends early, or the first byte is invalid.</exception>
    public int Compressed()
    {
        var first = Byte();
        return (first & 0x80) == 0 ? first
            : (first & 0x40) == 0 ? (first & 0x3F) << 8 | Byte()
            : (first & 0x20) == 0 ? (first & 0x1F) << 24 | Byte() << 16 | Byte() << 8 | Byte()
            : throw new BadImageFormatException("a signature has an invalid integer");
    }

    /// <summary>
    /// Reads the index of a method's code among the image's functions; the low bits show whether a list of fixups follows.
    /// </summary>
    /// <exception cref="BadImageFormatException">The section ends early.</exception>
    public int FunctionIndex()
    {
        var value = Unsigned();
        return (int)((value & 1) != 0 ? value >> 2 : value >> 1);
    }

    /// <summary>Finds the entries of a sparse array, which begins here: their positions by index.</summary>
    /// <remarks>
    /// Header: count of entries × 4 + width of offsets (0: u8, 1: u16, 2: u32). Then the offset of each block of 16 entries; a block is a
    /// binary tree by the bits of the index, highest first.
    /// </remarks>
    /// <exception cref="BadImageFormatException">The array is damaged.</exception>
    public List<(int Index, int Position)> Array()
    {
        var header = Unsigned();
        var (count, width, start) = ((int)(header >> 2), (int)(header & 3), Position);
        if (count > _bytes.Length * BlockEntries)
            throw new BadImageFormatException("an array is longer than its section");
        var found = new List<(int, int)>();
        for (var block = 0; block * BlockEntries < count; block++)
            AddBlock(found, block * BlockEntries, start + Offset(start, block, width), BlockEntries / 2);
        return found;
    }

    /// <summary>Finds one entry of a sparse array, which begins here, without reading the others.</summary>
    /// <param name="index">Its index.</param>
    /// <param name="position">Its position.</param>
    /// <returns>False when the array has no such entry.</returns>
    /// <exception cref="BadImageFormatException">The array is damaged.</exception>
    public bool TryFindEntry(int index, out int position)
    {
        var header = Unsigned();
        var (count, width, start) = (header >> 2, (int)(header & 3), Position);
        position = 0;
        if (index < 0 || index >= count)
            return false;
        position = start + Offset(start, index / BlockEntries, width);
        for (var bit = BlockEntries / 2; bit > 0; bit /= 2)
        {
            var node = Position = position;
            var value = Unsigned();
            position = Position;
            if ((value & 3) == 0) // at most one entry
                return value >> 2 == index % BlockEntries;
            var isUpper = (index & bit) != 0;
            if ((value & (isUpper ? 2 : 1)) == 0)
                return false;
            if (isUpper)
                position = node + (int)(value >> 2);
        }

        return true;
    }

    /// <summary>Finds the entries of a hash table, which begins here.</summary>
    /// <remarks>
    /// Header: u8, logarithm of the number of buckets × 4 + width of offsets. Then the start of each bucket, and the end of the last one.
    /// An entry is a byte of its hash and a relative position.
    /// </remarks>
    /// <exception cref="BadImageFormatException">The table is damaged.</exception>
    public List<int> HashTable()
    {
        var header = Byte();
        var (buckets, width, start) = (1L << (header >> 2), header & 3, Position);
        if (buckets > _bytes.Length)
            throw new BadImageFormatException("a hash table is longer than its section");
        var entries = new List<int>();
        for (var bucket = 0; bucket < buckets; bucket++)
        {
            var end = start + Offset(start, bucket + 1, width);
            Position = start + Offset(start, bucket, width);
            while (Position < end)
            {
                Byte();
                var from = Position;
                entries.Add(from + Signed());
            }
        }

        return entries;
    }

    private void AddBlock(List<(int Index, int Position)> found, int first, int node, int bit)
    {
        if (bit == 0)
        {
            found.Add((first, node));
            return;
        }

        Position = node;
        var value = Unsigned();
        var next = Position;
        if ((value & 3) == 0) // at most one entry; in an empty block its index is outside of the block
        {
            if (value >> 2 < BlockEntries)
                found.Add(((first & -BlockEntries) + (int)(value >> 2), next));
            return;
        }

        if ((value & 1) != 0)
            AddBlock(found, first, next, bit / 2);
        if ((value & 2) != 0)
            AddBlock(found, first + bit, node + (int)(value >> 2), bit / 2);
    }

    private readonly int Offset(int start, int index, int width) =>
        width switch
        {
            0 => At(start + index),
            1 => At(start + 2 * index) | At(start + 2 * index + 1) << 8,
            _ => At(start + 4 * index) | At(start + 4 * index + 1) << 8 | At(start + 4 * index + 2) << 16 | At(start + 4 * index + 3) << 24,
        };

    private int Length(out byte first)
    {
        first = Byte();
        var more = System.Numerics.BitOperations.TrailingZeroCount(~first & 0xFF);
        return more <= 4 ? more : throw new BadImageFormatException("a table has an invalid integer");
    }

    private readonly ReadOnlySpan<byte> Last4() => _bytes.Slice(Position - 4, 4);

    private readonly byte At(int position) =>
        (uint)position < (uint)_bytes.Length ? _bytes[position] : throw new BadImageFormatException("a table ends too early");
}
