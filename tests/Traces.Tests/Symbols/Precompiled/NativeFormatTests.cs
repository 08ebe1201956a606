using EtwSerializerProfiler.Traces.Symbols.Precompiled;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Precompiled;

public sealed class NativeFormatTests
{
    /// <summary>The encodings by the bits of the format: low one bits count the bytes that follow.</summary>
    [Theory]
    [InlineData("00", 0)]
    [InlineData("FE", 127)]
    [InlineData("0102", 0x80)]
    [InlineData("FDFF", 0x3FFF)]
    [InlineData("030002", 0x4000)]
    [InlineData("FBFFFF", 0x1FFFFF)]
    [InlineData("07000002", 0x200000)]
    [InlineData("F7FFFFFF", 0xFFFFFFF)]
    [InlineData("0F00000010", 0x10000000)]
    [InlineData("0FFFFFFFFF", uint.MaxValue)]
    public void Unsigned_integers(string bytes, uint value)
    {
        var reader = new NativeFormat(Convert.FromHexString(bytes), 0);

        Assert.Equal(value, reader.Unsigned());
        Assert.Equal(bytes.Length / 2, reader.Position);
    }

    [Theory]
    [InlineData("FE", -1)]
    [InlineData("7E", 63)]
    [InlineData("80", -64)]
    [InlineData("0101", 64)]
    [InlineData("FDFF", -1)]
    [InlineData("0FFEFFFFFF", -2)]
    public void Signed_integers(string bytes, int value) => Assert.Equal(value, new NativeFormat(Convert.FromHexString(bytes), 0).Signed());

    [Theory]
    [InlineData("03", 3)]
    [InlineData("7F", 0x7F)]
    [InlineData("8080", 0x80)]
    [InlineData("BFFF", 0x3FFF)]
    [InlineData("C0004000", 0x4000)]
    public void Compressed_integers_of_signatures(string bytes, int value) =>
        Assert.Equal(value, new NativeFormat(Convert.FromHexString(bytes), 0).Compressed());

    [Theory]
    [InlineData("")]
    [InlineData("01")]
    [InlineData("0F000000")]
    [InlineData("1F00000000")]
    public void What_is_cut_off_or_no_integer_is_an_error(string bytes) =>
        Assert.Throws<BadImageFormatException>(() => new NativeFormat(Convert.FromHexString(bytes), 0).Unsigned());

    /// <summary>Entries 3 and 18 of 20: a block of one entry each, which is one node with the low bits of its index.</summary>
    [Fact]
    public void A_sparse_array_has_the_entries_that_were_written()
    {
        // Header: 20 entries, offsets of a byte; the offsets; a node (index × 4, twice for the encoding) and an entry of each block.
        byte[] bytes = [20 << 2 << 1 & 0xFF | 1, 20 << 2 >> 6, 2, 4, 3 << 2 << 1, 0x55, 2 << 2 << 1, 0x66];

        Assert.Equal([(3, 5), (18, 7)], new NativeFormat(bytes, 0).Array());
    }

    /// <summary>An empty block is written as one with the entry 16: crossgen2 has one node for all of them.</summary>
    [Fact]
    public void An_empty_block_has_no_entries()
    {
        // 40 entries: a block with entry 3, an empty one whose node follows, and the same node again.
        byte[] bytes = [40 << 2 << 1 & 0xFF | 1, 40 << 2 >> 6, 3, 5, 5, 3 << 2 << 1, 0x55, 16 << 2 << 1, 0x66];

        Assert.Equal([(3, 6)], new NativeFormat(bytes, 0).Array());
        Assert.Equal([3], Enumerable.Range(-1, 50).Where(index => new NativeFormat(bytes, 0).TryFindEntry(index, out _)));
    }

    [Fact]
    public void One_entry_is_found_where_the_array_has_it()
    {
        byte[] bytes = [20 << 2 << 1 & 0xFF | 1, 20 << 2 >> 6, 2, 4, 3 << 2 << 1, 0x55, 2 << 2 << 1, 0x66];

        Assert.True(new NativeFormat(bytes, 0).TryFindEntry(18, out var position));
        Assert.Equal(7, position);
        Assert.False(new NativeFormat(bytes, 0).TryFindEntry(2, out _));
    }
}
