using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.NetTrace;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>Labels of NetTrace 6 files.</summary>
public sealed class NetTraceLabelTests
{
    private static readonly Guid s_activity = new("26F353D1-C0C8-45C1-A0CF-7C29EAE6DC7F");
    private static readonly Guid s_related = new("E1D6B9EB-84F8-4908-8FA7-FA63D5F02849");
    private static readonly byte[] s_trace = [.. Enumerable.Range(0xA0, 16).Select(i => (byte)i)];

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Activities_and_what_labels_change_are_TraceEvents(bool isCompressed)
    {
        using var folder = new TempFolder();
        var path = folder.Write("x.nettrace", Trace(isCompressed));
        var ours = new List<string>();
        using (var reader = new NetTraceReader(NetTraceLayout.Scan(path)))
        {
            while (reader.TryRead(out var item))
                ours.Add(
                    $"{item.Time} {item.ThreadId} {item.Type.EventId} {item.ActivityId} {item.RelatedActivityId} {item.Type.Opcode} {item.Type.Keywords} {item.Type.Level} {item.Type.Version} {Convert.ToHexString(item.Payload)}"
                );
            Assert.Equal((0L, null), (reader.LostEvents, reader.Damage));
        }

        var theirs = new List<string>();
        using var source = new EventPipeEventSource(path);
#pragma warning disable CS0618 // "Discouraged": it is the only exact time
        source.Dynamic.All += data =>
            theirs.Add(
                $"{data.TimeStampQPC} {data.ThreadID} {(int)data.ID} {data.ActivityID} {data.RelatedActivityID} {(int)data.Opcode} {(long)data.Keywords} {(int)data.Level} {data.Version} {Convert.ToHexString(data.EventData())}"
            );
#pragma warning restore CS0618
        source.Process();

        Assert.Equal(8, theirs.Count);
        Assert.Equal(theirs, ours);
        Assert.Contains(theirs, item => item.Contains(" 7 12 2 3 ", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Events_have_their_labels(bool isCompressed)
    {
        using var folder = new TempFolder();

        var found = Decode(folder.Write("x.nettrace", Trace(isCompressed)), new EventQuery());

        Assert.Equal(
            [
                "1 Order ",
                "2 Order activity related",
                "3 Order a0a1a2a3a4a5a6a7a8a9aaabacadaeaf 00000000000000ff route=/orders tenant=-5",
                "4 Order route=/items", // the same time on another thread
                "5 Other ", // the same time, and no labels
                "6 Order tenant=9223372036854775807",
                "7 Order/Resume ", // opcode 7, by its labels
                "8 Order route=/later", // its number had other labels before the sequence point
            ],
            found.Select(Shown)
        );
        Assert.Equal((7, 3), (found[6].Opcode, found[6].Version));
    }

    [Fact]
    public void A_choice_of_events_keeps_their_labels()
    {
        using var folder = new TempFolder();
        var path = folder.Write("x.nettrace", Trace(isCompressed: true));

        Assert.Equal(["5 Other "], Decode(path, new EventQuery { Events = ["#Other"] }).Select(Shown));
        Assert.Equal(
            "6 Order tenant=9223372036854775807",
            Shown(
                Decode(
                    path,
                    new EventQuery
                    {
                        From = TimeSpan.FromMilliseconds(3.5),
                        Top = 1,
                        Events = ["#Order"],
                        Process = "84",
                    }
                )[0]
            )
        );
        Assert.Equal("8 Order route=/later", Shown(Decode(path, new EventQuery { From = TimeSpan.FromMilliseconds(7) })[0]));
    }

    [Fact]
    public void A_kind_of_label_of_a_later_version_ends_its_block_and_no_other()
    {
        var bytes = new NetTrace6Bytes()
            .EventType(1, "My-App", 1, "Order")
            .Thread(2, 84, 12)
            .Labels(
                1,
                new LabelBytes().Text("a", "b"),
                new LabelBytes().Add(99, writer => writer.Write(5)),
                new LabelBytes().Text("c", "d")
            )
            .Events(isCompressed: true, (1, 2, 2_000, 1, 1), (1, 2, 3_000, 2, 2))
            .Labels(4, new LabelBytes().Text("e", "f"))
            .Events(isCompressed: true, (1, 2, 4_000, 4, 3))
            .ToArray();
        using var folder = new TempFolder();
        using var reader = new NetTraceReader(NetTraceLayout.Scan(folder.Write("x.nettrace", bytes)));
        var labels = new List<string?>();
        while (reader.TryRead(out var item))
            labels.Add(item.Labels?.Named[0].Name);

        Assert.Equal(["a", null, "e"], labels);
        Assert.Null(reader.Damage);
    }

    [Fact]
    public void A_list_that_does_not_end_in_its_block_is_damage()
    {
        var bytes = new NetTrace6Bytes()
            .EventType(1, "My-App", 1, "Order")
            .Thread(2, 84, 12)
            .Events(isCompressed: true, (1, 2, 2_000, 0, 1));
        var at = bytes.ToArray().Length - 4;
        bytes.Block(
            8,
            block =>
            {
                block.Write(1);
                block.Write(1);
                block.Write((byte)(5 | 0x80));
                block.Write((byte)200); // the name's length
                block.Write((byte)1);
            }
        );
        using var folder = new TempFolder();
        using var reader = new NetTraceReader(NetTraceLayout.Scan(folder.Write("x.nettrace", bytes.ToArray())));

        Assert.True(reader.TryRead(out _));
        Assert.False(reader.TryRead(out _));
        Assert.Equal(at, reader.Damage!.Offset);
        Assert.Contains("LabelList block", reader.Damage.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_cut_anywhere_has_the_labels_before_the_cut()
    {
        var whole = Trace(isCompressed: true);
        using var folder = new TempFolder();
        var expected = Decode(folder.Write("x.nettrace", whole), new EventQuery()).ConvertAll(Shown);
        var max = 0;
        for (var length = 1; length < whole.Length; length++)
        {
            var found = new List<string>();
            try
            {
                var path = folder.Write("x.nettrace", whole[..length]);
                var contents = EventDecoder.Read([path], new EventQuery(), item => found.Add(Shown(item)));
                Assert.NotNull(contents.Damage);
            }
            catch (Exception exception) when (exception is TraceFormatException or NoEventMatchesException)
            {
                Assert.Empty(found);
            }

            Assert.Equal(expected[..found.Count], found);
            max = Math.Max(max, found.Count);
        }

        Assert.Equal(expected.Count, max); // the end alone is missing
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Random_damage_never_crashes_hangs_or_takes_much_memory(int seed)
    {
        var random = new Random(seed);
        using var folder = new TempFolder();
        for (var round = 0; round < 300; round++)
        {
            var bytes = Trace(isCompressed: round % 2 == 0);
            for (var flip = random.Next(1, 6); flip > 0; flip--)
                bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            var path = folder.Write("x.nettrace", bytes);
            var before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                Decode(path, new EventQuery());
            }
            catch (Exception exception) when (exception is TraceFormatException or NoEventMatchesException)
            {
                Assert.Contains(path, exception.Message + (exception as TraceFormatException)?.TraceFile, StringComparison.Ordinal);
            }

            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 100_000_000);
        }
    }

    private static byte[] Trace(bool isCompressed) =>
        new NetTrace6Bytes()
            .EventType(1, "My-App", 1, "Order")
            .EventType(2, "My-App", 2, "Other")
            .Thread(2, 84, 12)
            .Thread(3, 84, 13)
            .Labels(
                1,
                new LabelBytes().Activity(s_activity).Related(s_related),
                new LabelBytes().Trace(s_trace).Span(255).Text("route", "/orders").Number("tenant", -5)
            )
            .Labels(
                7,
                new LabelBytes().Text("route", "/items"),
                new LabelBytes().Number("tenant", long.MaxValue),
                new LabelBytes().Override(7, 12, 2, 3)
            )
            .Events(isCompressed, (1, 2, 2_000, 0, 1), (1, 2, 3_000, 1, 2), (1, 2, 4_000, 2, 3), (1, 3, 4_000, 7, 4), (2, 3, 4_000, 0, 5))
            .Events(isCompressed, (1, 2, 5_000, 8, 6), (1, 2, 6_000, 9, 7))
            .SequencePoint(7_000)
            .Labels(7, new LabelBytes().Text("route", "/later"))
            .Events(isCompressed, (1, 2, 8_000, 7, 8))
            .ToArray();

    private static string Shown(DecodedEvent item)
    {
        var parts = new List<string>();
        if (item.ActivityId == s_activity)
            parts.Add("activity");
        if (item.RelatedActivityId == s_related)
            parts.Add("related");
        if (item.TraceId.Length > 0)
            parts.Add(item.TraceId);
        if (item.SpanId.Length > 0)
            parts.Add(item.SpanId);
        parts.AddRange(item.NamedLabels.Select(label => $"{label.Name}={label.Value}"));
        return $"{item.Fields[0].Value} {item.Event} {string.Join(' ', parts)}";
    }

    private static List<DecodedEvent> Decode(string path, EventQuery query)
    {
        var events = new List<DecodedEvent>();
        EventDecoder.Read([path], query, events.Add);
        return events;
    }
}
