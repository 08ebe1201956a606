using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Blocks;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>Streams split into blocks and joined again.</summary>
public sealed class NetTraceBlockTests
{
    public static TheoryData<string> Files =>
        ["net10/clr.nettrace", "net10/code.nettrace", "net10/alloc.nettrace", "unmarked/program.nettrace"];

    [Theory]
    [MemberData(nameof(Files))]
    public void A_stream_in_pieces_of_any_size_is_the_same_when_its_blocks_are_written_again(string name)
    {
        var whole = File.ReadAllBytes(TestFiles.Data(name));
        foreach (var largest in (int[])[1, 37, 4096, int.MaxValue])
        {
            var random = new Random(largest);
            var parser = new NetTraceBlockParser(name);
            var output = new MemoryStream();
            NetTraceBlockWriter? writer = null;
            for (var at = 0; at < whole.Length;)
            {
                var length = random.Next(1, Math.Min(largest, whole.Length - at) + (largest == int.MaxValue ? 0 : 1));
                length = Math.Min(length, whole.Length - at);
                parser.Append(whole.AsSpan(at, length));
                at += length;
                while (parser.TryRead(out var block))
                {
                    writer ??= new NetTraceBlockWriter(output, parser.Head);
                    writer.Begin(parser.TypeOf(block.Kind), block.Content.Length);
                    writer.Write(block.Content);
                    writer.EndBlock();
                }
            }

            Assert.True(parser.HasEnded);
            writer!.EndStream();
            Assert.Equal(whole.Length, writer.Bytes);
            Assert.True(whole.AsSpan().SequenceEqual(output.ToArray()));
        }
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Events_are_counted_and_their_newest_time_is_known_without_decoding_them(string name)
    {
        var path = TestFiles.Data(name);
        var events = 0;
        var newest = long.MinValue;
        var rundown = false;
        foreach (var (kind, content) in Blocks(File.ReadAllBytes(path)))
        {
            if (kind == NetTraceBlockKind.Metadata)
                rundown |= NetTraceBlockContent.DefinesEventsOf(content, "Microsoft-Windows-DotNETRuntimeRundown");
            if (kind != NetTraceBlockKind.Event)
                continue;
            events += NetTraceBlockContent.CountEvents(content);
            Assert.True(NetTraceBlockContent.TryReadNewestTime(new NetTraceBlock(kind, content), out var time));
            newest = Math.Max(newest, time);
        }

        var expected = 0;
        var last = long.MinValue;
        var hasRundown = false;
        using var source = new EventPipeEventSource(path);
        source.AllEvents += data =>
        {
            expected++;
#pragma warning disable CS0618 // it is the only exact time
            last = Math.Max(last, data.TimeStampQPC);
#pragma warning restore CS0618
            hasRundown |= data.ProviderGuid == new Guid("a669021c-c450-4609-a035-5af59af4df18");
        };
        source.Process();
        Assert.Equal((expected, last, hasRundown), (events, newest, rundown));
        Assert.True(events > 500);
    }

    [Fact]
    public void Another_format_and_a_damaged_stream_are_refused_with_the_offset()
    {
        Assert.Contains(
            "it has format 6",
            Refused([.. "Nettrace"u8, 0, 0, 0, 0, 6, 0, 0, 0, .. new byte[64]]).Message,
            StringComparison.Ordinal
        );
        Assert.Contains("not a .nettrace stream", Refused([.. "PERFILE2"u8, .. new byte[64]]).Message, StringComparison.Ordinal);

        var damaged = File.ReadAllBytes(TestFiles.Data("net10/clr.nettrace"));
        var layout = NetTraceLayout.Scan(TestFiles.Data("net10/clr.nettrace"));
        damaged[layout.Blocks[2].Start] ^= 0x40;
        var refused = Refused(damaged);
        Assert.Equal(("a stream", layout.Blocks[2].Start), (refused.TraceFile, refused.Offset));

        static TraceFormatException Refused(byte[] bytes) => Assert.Throws<TraceFormatException>(() => Blocks(bytes).Count);
    }

    private static List<(NetTraceBlockKind Kind, byte[] Content)> Blocks(byte[] bytes)
    {
        var parser = new NetTraceBlockParser("a stream");
        parser.Append(bytes);
        var blocks = new List<(NetTraceBlockKind, byte[])>();
        while (parser.TryRead(out var block))
            blocks.Add((block.Kind, block.Content.ToArray()));
        return blocks;
    }
}
