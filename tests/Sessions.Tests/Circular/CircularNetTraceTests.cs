using System.Buffers.Binary;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.Circular;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Blocks;
using FsCheck.Fluent;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Sessions.Tests.Circular;

public sealed class CircularNetTraceTests
{
    private static readonly long[] s_threads = [1, 2, 3];

    [Fact]
    public void What_fits_is_written_as_it_came()
    {
        var stream = new NetTraceBytes().Batch(5, 100, s_threads).SequencePoint().Batch(5, 100, s_threads).WithRundown(3).ToArray();

        Assert.Equal(stream, Cut(stream, 10, out var trace));
        Assert.Equal((0, 0), (trace.DroppedEvents, trace.DroppedBytes));
    }

    [Fact]
    public void Of_real_streams_that_fit_not_an_event_is_missing()
    {
        foreach (var name in (string[])["net10/clr.nettrace", "net10/code.nettrace", "net10/alloc.nettrace", "unmarked/program.nettrace"])
        {
            var whole = File.ReadAllBytes(TestFiles.Data(name));
            var written = Cut(whole, 100, out _);
            using var folder = new TempFolder();
            Assert.Equal(Read(folder.Write("a.nettrace", whole)), Read(folder.Write("b.nettrace", written)));
        }
    }

    /// <summary>
    /// Any stream, in a memory of any size: the written part is read without damage or loss and holds the newest events, their stacks, and
    /// all of the rundown.
    /// </summary>
    [Fact]
    public void The_cut_stream_holds_the_newest_events_with_their_stacks_and_reports_no_losses() =>
        Prop.ForAll(
                ArbMap.Default.ArbFor<int>().Filter(seed => seed >= 0),
                seed =>
                {
                    var random = new Random(seed);
                    var stream = new NetTraceBytes();
                    for (var batch = random.Next(5, 60); batch > 0; batch--)
                    {
                        stream.Batch(random.Next(1, 40), random.Next(600), [.. s_threads.Where(_ => random.Next(3) > 0).DefaultIfEmpty(9)]);
                        if (random.Next(8) == 0)
                            stream.SequencePoint();
                    }

                    var rundown = random.Next(30);
                    if (rundown > 0)
                        stream.WithRundown(rundown);
                    var written = Cut(stream.ToArray(), random.Next(4, 12), out var trace, random);

                    var (kept, rundownEvents, lost) = ReadNumbers(written);
                    Assert.Equal((rundown, 0), (rundownEvents, lost));
                    Assert.Equal(stream.Events.Skip((int)trace.DroppedEvents).Select(item => item.Number), kept.Order());
                    Assert.Equal(0, trace.LostStackBlocks);
                    AssertStacksAreThere(written);
                    using var folder = new TempFolder();
                    var result = NetTraceSource.Open(folder.Write("cut.nettrace", written), EventKinds.None).Read(new EventHub());
                    Assert.Equal((kept.Count + rundown, 0L, null), (result.Events, result.LostEvents, result.Damage));
                }
            )
            .CheckRepeatably();

    [Fact]
    public void All_that_is_newer_than_the_cut_is_kept()
    {
        var stream = new NetTraceBytes();
        for (var batch = 0; batch < 100; batch++)
            stream.Batch(10, 500, s_threads);
        var memory = new CircularMemory(6 * CircularMemory.PageBytes);
        var written = Write(new CircularNetTrace(memory, "x"), stream.ToArray());

        var kept = ReadNumbers(written).Numbers;
        Assert.InRange(kept.Count, 30, 2000);
        Assert.Subset(kept.ToHashSet(), stream.Events.Where(item => item.Time > memory.CutTime).Select(item => item.Number).ToHashSet());
    }

    [Fact]
    public void A_loss_after_the_cut_is_reported_and_one_before_it_is_not()
    {
        var before = new NetTraceBytes().Batch(1, 10, s_threads).Lose(2, 1000);
        for (var batch = 0; batch < 60; batch++)
            before.Batch(10, 600, s_threads);
        Assert.Equal(1000, ReadNumbers(before.ToArray()).Lost);
        Assert.Equal(0, ReadNumbers(Cut(before.ToArray(), 6, out _)).Lost);

        before.Lose(3, 17).Batch(10, 600, s_threads);
        Assert.Equal(17, ReadNumbers(Cut(before.ToArray(), 6, out _)).Lost);
    }

    [Fact]
    public void A_thread_whose_events_all_lie_before_the_cut_is_not_missed_at_the_sequence_point()
    {
        var stream = new NetTraceBytes().Batch(20, 10, 55);
        for (var batch = 0; batch < 60; batch++)
            stream.Batch(10, 600, s_threads);
        stream.SequencePoint().Batch(1, 10, 55);

        var written = Cut(stream.ToArray(), 6, out var trace);
        Assert.True(trace.DroppedEvents > 20);
        Assert.Equal(0, ReadNumbers(written).Lost);
    }

    [Fact]
    public void Stacks_that_would_fill_the_memory_are_given_up_and_that_is_said()
    {
        var stream = new NetTraceBytes();
        for (var batch = 0; batch < 60; batch++)
            stream.Batch(400, 4, s_threads); // 14 KB of stacks a batch, and no sequence point
        var written = Cut(stream.ToArray(), 6, out var trace);

        Assert.True(trace.LostStackBlocks > 0);
        var (kept, _, lost) = ReadNumbers(written);
        Assert.Equal((stream.Events.Count - trace.DroppedEvents, 0), (kept.Count, lost));

        // After the next sequence point none is missing.
        for (var batch = 0; batch < 40; batch++)
            stream.SequencePoint().Batch(100, 300, s_threads);
        AssertStacksAreThere(Cut(stream.ToArray(), 6, out trace));
        Assert.Equal(0, trace.LostStackBlocks);
    }

    [Fact]
    public void A_stream_that_breaks_off_is_written_with_a_proper_end()
    {
        var whole = new NetTraceBytes().Batch(5, 100, s_threads).Batch(5, 100, s_threads).ToArray();
        var written = Cut(whole[..^200], 10, out _);

        Assert.Equal(15, ReadNumbers(written).Numbers.Count);
        Assert.Equal(1, written[^1]);
    }

    [Fact]
    public void A_stream_that_cannot_be_cut_is_an_error_that_says_what_to_do()
    {
        using var trace = new CircularNetTrace(new CircularMemory(1 << 20), "clr.nettrace");

        var error = Assert.Throws<ProblemException>(() => trace.Write([.. "Nettrace"u8, 0, 0, 0, 0, 6, 0, 0, 0, .. new byte[64]]));
        Assert.Contains(
            "clr.nettrace, offset 0: expected a stream of format 4 or 5; it has format 6",
            error.Message,
            StringComparison.Ordinal
        );
        Assert.Contains("record with --mode file", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Of_a_process_that_ended_before_the_cut_nothing_is_kept()
    {
        var memory = new CircularMemory(6 * CircularMemory.PageBytes);
        using var first = new CircularNetTrace(memory, "first");
        first.Write(new NetTraceBytes().Batch(10, 10, s_threads).WithRundown(10).ToArray());
        first.Dispose();
        Assert.True(first.HasContent);

        lock (memory.Gate)
            memory.CutAt(long.MaxValue - 1);
        Assert.False(first.HasContent);
        Assert.Equal(30, first.DroppedEvents);
    }

    private static byte[] Cut(byte[] stream, int pages, out CircularNetTrace trace, Random? random = null) =>
        Write(trace = new CircularNetTrace(new CircularMemory(pages * CircularMemory.PageBytes), "x"), stream, random);

    private static byte[] Write(CircularNetTrace trace, byte[] stream, Random? random = null)
    {
        for (var at = 0; at < stream.Length;)
        {
            var length = Math.Min(random?.Next(1, 100_000) ?? 128 * 1024, stream.Length - at);
            trace.Write(stream.AsSpan(at, length));
            at += length;
        }

        var output = new MemoryStream();
        Assert.Equal(trace.WriteTo(output), output.Length);
        return output.ToArray();
    }

    private static (List<int> Numbers, int Rundown, int Lost) ReadNumbers(byte[] stream)
    {
        var numbers = new List<int>();
        var rundown = 0;
        using var source = new EventPipeEventSource(new MemoryStream(stream));
        source.AllEvents += data =>
        {
            if ((int)data.ID == NetTraceBytes.EventId)
                numbers.Add(BinaryPrimitives.ReadInt32LittleEndian(data.EventData()));
            else if ((int)data.ID == NetTraceBytes.RundownEventId)
                rundown++;
        };
        source.Process();
        return (numbers, rundown, source.EventsLost);
    }

    /// <summary>Every event in the blocks has the stack that it names, between the last sequence point and the event.</summary>
    private static void AssertStacksAreThere(byte[] stream)
    {
        var parser = new NetTraceBlockParser("cut");
        parser.Append(stream);
        var stacks = new Dictionary<int, long>();
        while (parser.TryRead(out var block))
        {
            var content = block.Content;
            switch (block.Kind)
            {
                case NetTraceBlockKind.SequencePoint:
                    stacks.Clear();
                    break;
                case NetTraceBlockKind.Stack:
                    var first = BinaryPrimitives.ReadInt32LittleEndian(content);
                    for (var index = 0; index < BinaryPrimitives.ReadInt32LittleEndian(content[4..]); index++)
                        stacks.Add(first + index, BinaryPrimitives.ReadInt64LittleEndian(content[(12 + (12 * index))..]));
                    break;
                case NetTraceBlockKind.Event:
                    for (var at = 20; at < content.Length;)
                    {
                        var stack = BinaryPrimitives.ReadInt32LittleEndian(content[(at + 32)..]);
                        var payload = BinaryPrimitives.ReadInt32LittleEndian(content[(at + 76)..]);
                        if (stack != 0)
                            Assert.Equal(BinaryPrimitives.ReadInt32LittleEndian(content[(at + 84)..]), stacks[stack]);
                        at += 80 + payload;
                    }

                    break;
            }
        }
    }

    private static List<(string Provider, int Id, long Time, int Thread)> Read(string path)
    {
        var events = new List<(string, int, long, int)>();
        using var source = new EventPipeEventSource(path);
#pragma warning disable CS0618 // it is the only exact time
        source.AllEvents += data => events.Add((data.ProviderName, (int)data.ID, data.TimeStampQPC, data.ThreadID));
#pragma warning restore CS0618
        source.Process();
        events.Add(("lost", source.EventsLost, 0, 0));
        return events;
    }
}
