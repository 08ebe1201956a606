using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.NetTrace;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class NetTraceLayoutTests
{
    [Fact]
    public void Finds_the_header_and_every_block()
    {
        var path = TestFiles.Data("net10/clr.nettrace");
        var layout = NetTraceLayout.Scan(path);

        Assert.Equal(4, layout.Header.Version);
        Assert.Equal(8, layout.Header.PointerBytes);
        Assert.Equal(2026, layout.Header.StartUtc.Year);
        Assert.Equal(new FileInfo(path).Length - 1, layout.ValidBytes);
        Assert.True(layout.Blocks.Count > 5);
        Assert.Equal(layout.Blocks.Select(block => block.Start).Order(), layout.Blocks.Select(block => block.Start));
    }

    [Fact]
    public void Format_6_ends_with_an_empty_block()
    {
        var file = Version6(blockBytes: 12);
        Assert.Null(Scan(file).Damage);
        Assert.Equal(77, Scan(file).Header.ProcessId);

        var cut = Scan(file[..^4]);
        Assert.Equal(file.Length - 4, cut.Damage!.Offset);
        Assert.Equal(file.Length - 4, cut.ValidBytes);

        var inBlock = Scan(file[..^8]);
        Assert.Equal(file.Length - 20, inBlock.Damage!.Offset);
        Assert.Equal(file.Length - 20, inBlock.ValidBytes);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-5)]
    [InlineData(long.MaxValue)]
    public void A_frequency_that_cannot_be_is_refused(long frequency)
    {
        var file = Version6(blockBytes: 12);
        BinaryPrimitives.WriteInt64LittleEndian(file.AsSpan(24 + 24), frequency);

        Assert.Contains("ticks per second", Assert.Throws<TraceFormatException>(() => Scan(file)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_date_that_does_not_exist_is_refused()
    {
        var file = Version6(blockBytes: 12);
        file[24 + 2] = 13; // month

        Assert.Contains("the date is invalid", Assert.Throws<TraceFormatException>(() => Scan(file)).Message, StringComparison.Ordinal);
    }

    private static NetTraceLayout Scan(byte[] file) => NetTraceLayout.Scan("x.nettrace", new MemoryStream(file));

    private static byte[] Version6(int blockBytes)
    {
        var file = new MemoryStream();
        using var writer = new BinaryWriter(file);
        writer.Write("Nettrace"u8);
        writer.Write(0);
        writer.Write(6);
        writer.Write(0);
        writer.Write(53 | (1 << 24));
        foreach (var part in (short[])[2026, 11, 6, 21, 14, 0, 0, 0])
            writer.Write(part);
        writer.Write(123L);
        writer.Write(1_000_000_000L);
        writer.Write(8);
        writer.Write(1);
        writer.Write("ProcessId"); // length in one byte, as the format has it
        writer.Write("77");
        writer.Write(blockBytes | (9 << 24));
        writer.Write(new byte[blockBytes]);
        writer.Write(0);
        return file.ToArray();
    }
}
