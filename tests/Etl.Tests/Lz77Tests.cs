using EtwSerializerProfiler.Etl.Compression;
using FsCheck.Fluent;

namespace EtwSerializerProfiler.Etl.Tests;

public sealed class Lz77Tests
{
    [Fact]
    public void The_examples_of_the_specification()
    {
        // [MS-XCA] 3.1 and 3.2 for plain LZ77.
        Assert.Equal("abcdefghijklmnopqrstuvwxyz", Decode("3f000000" + Convert.ToHexString("abcdefghijklmnopqrstuvwxyz"u8), 26));
        Assert.Equal(string.Concat(Enumerable.Repeat("abc", 100)), Decode("ffffff1f61626317000fff2601", 300));
    }

    [Fact]
    public void Compressed_data_round_trips()
    {
        var encoder = new Lz77Encoder();
        var bytes = Gen.Choose(1, 6).ListOf().SelectMany(kinds => Gen.Choose(0, int.MaxValue).Select(seed => Content([.. kinds], seed)));
        Prop.ForAll(
                bytes.ToArbitrary(),
                content =>
                {
                    var compressed = new byte[Lz77Encoder.MaxSize(content.Length)];
                    var size = encoder.Encode(content, compressed);
                    var output = new byte[content.Length + Lz77Decoder.Slack];
                    var made = Lz77Decoder.Decode(compressed.AsSpan(0, size), output, content.Length, out var error);
                    Assert.Null(error);
                    Assert.Equal(content.Length, made);
                    Assert.Equal(content, output.AsSpan(0, made).ToArray());
                    Assert.Equal(content, Reference(compressed.AsSpan(0, size), content.Length));
                }
            )
            .CheckRepeatably(300);
    }

    [Fact]
    public void Damaged_data_decodes_as_by_a_plain_implementation_of_the_specification()
    {
        var random = new Random(1);
        var encoder = new Lz77Encoder();
        for (var round = 0; round < 2000; round++)
        {
            var content = Content([.. Enumerable.Range(0, random.Next(1, 6)).Select(_ => random.Next(1, 7))], round);
            var compressed = new byte[Lz77Encoder.MaxSize(content.Length)];
            var input = compressed.AsSpan(0, encoder.Encode(content, compressed));
            for (var flip = random.Next(1, 4); flip > 0; flip--)
                input[random.Next(input.Length)] = (byte)random.Next(256);
            input = input[..random.Next(input.Length + 1)];
            var output = new byte[content.Length + Lz77Decoder.Slack];
            output.AsSpan(content.Length).Fill(0xEE);
            var made = Lz77Decoder.Decode(input, output, content.Length, out _);
            Assert.Equal(Reference(input, content.Length), output.AsSpan(0, made).ToArray());
        }
    }

    private static string Decode(string hex, int length)
    {
        var output = new byte[length + Lz77Decoder.Slack];
        Assert.Equal(length, Lz77Decoder.Decode(Convert.FromHexString(hex), output, length, out var error));
        Assert.Null(error);
        return System.Text.Encoding.ASCII.GetString(output, 0, length);
    }

    /// <summary>Pieces of random bytes, of few values, of repeated patterns and of earlier content.</summary>
    private static byte[] Content(int[] kinds, int seed)
    {
        var random = new Random(seed);
        var bytes = new List<byte>();
        foreach (var kind in kinds)
        {
            var length = random.Next(1, kind == 6 && seed % 16 == 0 ? 70_000 : 400);
            var distance = random.Next(1, Math.Max(2, Math.Min(bytes.Count, 40)));
            for (var number = 0; number < length; number++)
            {
                bytes.Add(
                    kind switch
                    {
                        1 => (byte)random.Next(256),
                        2 => (byte)random.Next(3),
                        _ when bytes.Count > distance => bytes[^distance],
                        _ => 0,
                    }
                );
            }
        }

        return [.. bytes];
    }

    /// <summary>The specification's steps, byte by byte, ending where the input does.</summary>
    private static byte[] Reference(ReadOnlySpan<byte> input, int length)
    {
        var output = new List<byte>(length);
        uint flags = 0;
        int bits = 0,
            at = 0,
            nibbleAt = -1;
        while (output.Count < length)
        {
            if (bits == 0)
            {
                if (at + 4 > input.Length)
                    break;
                flags = BitConverter.ToUInt32(input[at..]);
                at += 4;
                bits = 32;
            }

            bits--;
            if ((flags >> bits & 1) == 0)
            {
                if (at == input.Length)
                    break;
                output.Add(input[at++]);
                continue;
            }

            if (at + 2 > input.Length)
                break;
            long count = BitConverter.ToUInt16(input[at..]);
            at += 2;
            var distance = (int)(count >> 3) + 1;
            count &= 7;
            if (count == 7)
            {
                if (nibbleAt < 0 && at == input.Length)
                    break;
                count = nibbleAt < 0 ? input[at] & 15 : input[nibbleAt] >> 4;
                nibbleAt = nibbleAt < 0 ? at++ : -1;
                if (count == 15)
                {
                    if (at == input.Length)
                        break;
                    count = input[at++];
                    if (count == 255)
                    {
                        if (at + 2 > input.Length)
                            break;
                        count = BitConverter.ToUInt16(input[at..]);
                        at += 2;
                        if (count == 0)
                        {
                            if (at + 4 > input.Length)
                                break;
                            count = BitConverter.ToUInt32(input[at..]);
                            at += 4;
                        }

                        if (count < 22)
                            break;
                        count -= 22;
                    }

                    count += 15;
                }

                count += 7;
            }

            count += 3;
            if (distance > output.Count)
                break;
            for (; count > 0 && output.Count < length; count--)
                output.Add(output[^distance]);
        }

        return [.. output];
    }
}
