using System.Buffers.Binary;
using EtwSerializerProfiler.Etl.Compression;

namespace EtwSerializerProfiler.Etl.Tests;

public sealed class Lznt1Tests
{
    [Fact]
    public void The_example_of_the_specification()
    {
        // [MS-XCA] 3.3.
        var compressed = Convert.FromHexString(
            "38B08846232000204720410010A24701A045204400084501507900C045200524138805B4024A44EF0358028C091601484500BE009E000401189000"
        );
        var output = new byte[142];
        Assert.Equal(142, Lznt1Decoder.Decode(compressed, output));
        Assert.Equal(
            "F# F# G A A G F# E D D E F# F# E E F# F# G A A G F# E D D E F# E D D E E F# D E F# G F# D E F# G F# E D E A F# F# G A A G F# E D D E F# E D D\0",
            System.Text.Encoding.ASCII.GetString(output)
        );
        Assert.True(Lznt1Decoder.IsChain(compressed));
    }

    [Fact]
    public void A_file_whose_buffers_are_LZNT1_reads_as_the_uncompressed_one()
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("plain.etl");
        using (var writer = new EtlWriter(path, new EtlWriteOptions { BufferSize = 16 << 10 }))
        {
            for (var number = 0; number < 5000; number++)
                WrittenEvent
                    .Create(WrittenEvent.Types[number % WrittenEvent.Types.Length], number % 3, 100 + number, number % 7, number % 60)
                    .WriteTo(writer);
        }

        var plain = File.ReadAllBytes(path);
        var compressed = Compress(plain);
        using var expected = EtlReader.Open(plain, "plain");
        using var actual = EtlReader.Open(compressed, "compressed");
        while (expected.TryRead(out var one))
        {
            Assert.True(actual.TryRead(out var other));
            Assert.Equal(one.RawBytes.ToArray(), other.RawBytes.ToArray());
        }

        Assert.False(actual.TryRead(out _));
        Assert.Equal(0, actual.Statistics.DamageCount);
        Assert.True(actual.Statistics.CompressedBuffers > 10);
    }

    /// <summary>Puts LZNT1 in place of each buffer but the first.</summary>
    internal static byte[] Compress(byte[] plain)
    {
        using var file = new MemoryStream();
        var size = BinaryPrimitives.ReadInt32LittleEndian(plain);
        file.Write(plain, 0, size);
        for (var offset = size; offset < plain.Length; offset += size)
        {
            var header = plain.AsSpan(offset, 72).ToArray();
            var content = Encode(plain.AsSpan(offset + 72, BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(0x30)) - 72));
            BinaryPrimitives.WriteInt32LittleEndian(header, 72 + content.Length);
            header[0x34] |= 0x40;
            file.Write(header);
            file.Write(content);
        }

        return file.ToArray();
    }

    /// <summary>Chunks with matches at the distance of the last equal byte, or copied ones where that is not smaller.</summary>
    private static byte[] Encode(ReadOnlySpan<byte> bytes)
    {
        var all = new List<byte>();
        for (var begin = 0; begin < bytes.Length; begin += 4096)
        {
            var chunk = bytes[begin..Math.Min(begin + 4096, bytes.Length)];
            var packed = new List<byte>();
            for (var at = 0; at < chunk.Length;)
            {
                var flagsAt = packed.Count;
                packed.Add(0);
                for (var bit = 0; bit < 8 && at < chunk.Length; bit++)
                {
                    var lengthBits = 12;
                    for (var place = at - 1; place >= 16; place >>= 1)
                        lengthBits--;
                    var from = at + 3 <= chunk.Length ? chunk[..(at + 2)].LastIndexOf(chunk.Slice(at, 3)) : -1;
                    if (from < 0)
                    {
                        packed.Add(chunk[at++]);
                        continue;
                    }

                    var count = Math.Min(chunk[at..].CommonPrefixLength(chunk[from..]), (1 << lengthBits) + 2);
                    packed[flagsAt] |= (byte)(1 << bit);
                    var match = ((at - from - 1) << lengthBits) | (count - 3);
                    packed.Add((byte)match);
                    packed.Add((byte)(match >> 8));
                    at += count;
                }
            }

            var isSmaller = packed.Count < chunk.Length;
            var header = (isSmaller ? 0x8000 : 0) | 0x3000 | ((isSmaller ? packed.Count : chunk.Length) - 1);
            all.Add((byte)header);
            all.Add((byte)(header >> 8));
            all.AddRange(isSmaller ? [.. packed] : chunk);
        }

        return [.. all];
    }
}
