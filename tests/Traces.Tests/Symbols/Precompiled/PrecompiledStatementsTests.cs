using EtwSerializerProfiler.Traces.Symbols.Precompiled;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Precompiled;

/// <summary>Handmade debug information, by the runtime's description of the format.</summary>
public sealed class PrecompiledStatementsTests
{
    private const int Prolog = -2,
        Epilog = -3;

    /// <summary>Native and IL offset of each bound.</summary>
    private static readonly (uint Offset, int Instruction)[] s_bounds = [(0, Prolog), (9, 0), (300, 77), (300, 5), (4000, Epilog)];

    [Theory]
    [InlineData(9)] // .NET 8
    [InlineData(15)]
    [InlineData(16)] // .NET 10
    [InlineData(17)]
    public void Bounds_are_those_that_were_written(int version)
    {
        var points = new PrecompiledStatements(Section(Content(version, s_bounds)), version).Of(0, 4000)!;

        Assert.Equal(
            [(0, 0), (8, 0), (9, 0), (299, 0), (300, 5), (3999, 5), (4000, int.MaxValue)],
            ((uint[])[0, 8, 9, 299, 300, 3999, 4000]).Select(offset => ((int)offset, points.StatementOf(points.At(offset), 0)!.Value))
        );
    }

    [Fact]
    public void Offsets_may_be_as_large_as_their_width()
    {
        (uint, int)[] bounds = [(0, 0), (int.MaxValue, 0x0FFF_FFFF)];
        var points = new PrecompiledStatements(Section(Content(16, bounds)), 16).Of(0, int.MaxValue)!;

        Assert.Equal(0x0FFF_FFFF, points.StatementOf(points.At(int.MaxValue), 0));
    }

    /// <summary>Methods with the same content share it: the second entry of the array names the distance back to it.</summary>
    [Fact]
    public void Methods_share_content()
    {
        // 2 entries, one block at offset 1 of it; a node with both sides; entry 8 at a distance of the node; entries are a distance back
        // and the content.
        var content = Content(16, (0, 0), (4, 6));
        var node = (byte)((content.Length + 2) << 3 | 3 << 1);
        byte[] leaf0 = [0 << 1, 0, .. content]; // node of one entry, index 0; distance 0
        byte[] leaf8 = [8 << 3, (byte)((content.Length + 1) << 1)];
        var section = (byte[])[9 << 3, 1, node, .. leaf0, .. leaf8];
        var statements = new PrecompiledStatements(section, 16);

        Assert.Equal(6, statements.Of(0, 10)!.StatementOf(1, 0));
        Assert.Equal(6, statements.Of(8, 10)!.StatementOf(1, 0));
        Assert.Null(statements.Of(1, 10));
        Assert.Null(statements.Of(9, 10));
        Assert.Null(statements.Of(-1, 10));
    }

    [Fact]
    public void A_method_without_bounds_has_no_statements() => Assert.Null(new PrecompiledStatements(Section([0]), 16).Of(0, 10));

    [Fact]
    public void Code_outside_of_the_method_and_what_is_cut_off_are_errors()
    {
        var section = Section(Content(16, s_bounds));

        Assert.Throws<BadImageFormatException>(() => new PrecompiledStatements(section, 16).Of(0, 3999));
        for (var length = 0; length < section.Length; length++)
            Assert.Throws<BadImageFormatException>(() => new PrecompiledStatements(section[..length], 16).Of(0, 4000));
    }

    [Theory]
    [InlineData(9)]
    [InlineData(16)]
    [InlineData(17)]
    public void Damage_is_an_error_or_other_offsets_of_the_method(int version)
    {
        var whole = Section(Content(version, s_bounds));
        var random = new Random(version);
        for (var round = 0; round < 5000; round++)
        {
            byte[] bytes = [.. whole];
            for (var change = 0; change < 1 + round % 4; change++)
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            try
            {
                _ = new PrecompiledStatements(bytes, version).Of(0, 4000)?.At(4000);
            }
            catch (BadImageFormatException) { }
        }
    }

    [Theory]
    [InlineData("07", 7u)]
    [InlineData("09", 8u)] // low half first: 1 and more, 0
    [InlineData("F97F", 1023u)]
    [InlineData("FBFFFFFFFF07", uint.MaxValue)]
    public void Integers_of_half_bytes(string bytes, uint value)
    {
        // 3 bits each, the highest first; 32 bits are 2 and 10 × 3.
        var reader = new NibbleReader(Convert.FromHexString(bytes), 0);

        Assert.Equal(value, reader.Unsigned());
    }

    /// <summary>An array of one entry.</summary>
    private static byte[] Section(byte[] content) => [1 << 3, 1, 0, 0, .. content];

    private static byte[] Content(int version, params (uint Offset, int Instruction)[] bounds)
    {
        var written = version >= 16 ? Packed(version, bounds) : Plain(bounds);
        var header = new Nibbles();
        header.Write((uint)written.Length);
        header.Write(0);
        return [.. header.Bytes, .. written];
    }

    private static byte[] Plain((uint Offset, int Instruction)[] bounds)
    {
        var nibbles = new Nibbles();
        nibbles.Write((uint)bounds.Length);
        var before = 0u;
        foreach (var (offset, instruction) in bounds)
        {
            nibbles.Write(offset - before);
            nibbles.Write((uint)(instruction + 3));
            nibbles.Write(2);
            before = offset;
        }

        return nibbles.Bytes;
    }

    private static byte[] Packed(int version, (uint Offset, int Instruction)[] bounds)
    {
        var deltas = bounds.Select((bound, i) => bound.Offset - (i == 0 ? 0 : bounds[i - 1].Offset)).ToArray();
        var (deltaBits, instructionBits) = (Width(deltas.Max()), Width((uint)bounds.Max(bound => bound.Instruction + 3)));
        var header = new Nibbles();
        header.Write((uint)bounds.Length);
        header.Write((uint)deltaBits - 1);
        header.Write((uint)instructionBits - 1);
        var bits = new List<bool>();
        for (var i = 0; i < bounds.Length; i++)
        {
            Add(2, version >= 17 ? 3 : 2);
            Add(deltas[i], deltaBits);
            Add((uint)(bounds[i].Instruction + 3), instructionBits);
        }

        var bytes = new byte[(bits.Count + 7) / 8];
        for (var i = 0; i < bits.Count; i++)
            bytes[i / 8] |= (byte)(bits[i] ? 1 << (i % 8) : 0);
        return [.. header.Bytes, .. bytes];

        void Add(uint value, int width)
        {
            for (var bit = 0; bit < width; bit++)
                bits.Add((value >> bit & 1) != 0);
        }

        static int Width(uint largest) => Math.Max(1, 32 - System.Numerics.BitOperations.LeadingZeroCount(largest));
    }

    /// <summary>Writes integers of half bytes.</summary>
    private sealed class Nibbles
    {
        private readonly List<int> _halves = [];

        public byte[] Bytes => [.. _halves.Chunk(2).Select(pair => (byte)(pair[0] | (pair.Length > 1 ? pair[1] << 4 : 0)))];

        public void Write(uint value)
        {
            var digits = Math.Max(1, (32 - System.Numerics.BitOperations.LeadingZeroCount(value) + 2) / 3);
            for (var digit = digits - 1; digit >= 0; digit--)
                _halves.Add((int)(value >> (3 * digit) & 7) | (digit > 0 ? 8 : 0));
        }
    }
}
