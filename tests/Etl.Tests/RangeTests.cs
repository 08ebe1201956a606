namespace EtwSerializerProfiler.Etl.Tests;

public sealed class RangeTests
{
    [Theory]
    [InlineData("net.4.5.2.x64.etl.zip")]
    [InlineData("diaghub-dotnetcore3.1-win-x64-diagsession.zip")]
    [NeedsRealTraces]
    public void A_range_gives_the_events_of_that_time_of_a_real_trace(string name)
    {
        var path = RealTraces.Get(name);
        var all = Times(EtlReader.Open(path), out _);
        var length = TimeSpan.FromTicks(all[^1] / 100);
        foreach (var (from, to) in ((double, double)[])[(0.2, 0.4), (0.9, 2), (-1, 0.05), (0.5, 0.5), (0.7, 0.3)])
        {
            var options = new EtlReadOptions { From = length * from, To = length * to };
            var expected = all.Where(time => time >= options.From.Value.Ticks * 100 && time <= options.To.Value.Ticks * 100);
            Assert.Equal(expected, Times(EtlReader.Open(path, options), out _));
        }
    }

    [Fact]
    public void Buffers_outside_the_range_are_not_decoded()
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("long.etl");
        using (var writer = new EtlWriter(path, new EtlWriteOptions { BufferSize = 4096 }))
        {
            for (var number = 0; number < 100_000; number++)
                writer.Write(
                    new EtlEventFields
                    {
                        HeaderType = EtlHeaderType.PerfInfo64,
                        Timestamp = 10_000L * number,
                        Processor = number % 4,
                    },
                    new byte[8]
                );
        }

        var times = Times(
            EtlReader.Open(path, new EtlReadOptions { From = TimeSpan.FromSeconds(40), To = TimeSpan.FromSeconds(50) }),
            out var statistics
        );
        Assert.Equal(10_001, times.Count);
        Assert.Equal(40_000_000_000, times[0]);
        Assert.Equal(50_000_000_000, times[^1]);
        // A tenth of the events is requested; one more second is decoded before them and one millisecond after them.
        Assert.InRange(statistics.SkippedBuffers, (long)(0.85 * statistics.Buffers), statistics.Buffers);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Chosen_buffers_give_all_events_of_these_buffers_and_no_others(bool compress)
    {
        using var folder = new TempFolder();
        string[] paths = [folder.PathOf("one.etl"), folder.PathOf("two.etl")];
        for (var file = 0; file < paths.Length; file++)
        {
            using var writer = new EtlWriter(paths[file], new EtlWriteOptions { BufferSize = 4096, Compress = compress });
            for (var number = 0; number < 20_000; number++)
                writer.Write(
                    new EtlEventFields
                    {
                        HeaderType = EtlHeaderType.PerfInfo64,
                        Timestamp = (10_000L * number) + file,
                        Processor = number % 4,
                    },
                    new byte[8]
                );
        }

        // The buffers with the 5,000th and the 15,000th event of the second file.
        var chosen = new EtlBuffers();
        var all = new List<long>();
        using (var reader = EtlReader.Open(paths))
        {
            Assert.Throws<InvalidOperationException>(() => reader.AddBufferTo(chosen));
            while (reader.TryRead(out var item))
            {
                if (item.File != 1 || item.HeaderType != EtlHeaderType.PerfInfo64)
                    continue;
                all.Add(item.Timestamp);
                if (all.Count is 5_000 or 15_000)
                    reader.AddBufferTo(chosen);
            }

            Assert.Throws<InvalidOperationException>(() => reader.AddBufferTo(chosen));
        }

        Assert.Equal((2, 20_000), (chosen.Count, all.Count));
        var events = new List<(int File, long Time)>();
        using (var reader = EtlReader.Open(paths, new EtlReadOptions { Buffers = chosen }))
        {
            while (reader.TryRead(out var item))
            {
                if (item.HeaderType == EtlHeaderType.PerfInfo64)
                    events.Add((item.File, item.Timestamp));
            }

            Assert.Equal(0, reader.Statistics.LateEvents);
        }

        // 24 bytes each, of one of four processors: a buffer has every fourth event of its time.
        Assert.Equal(all[4_999], Assert.Single(events, item => item == (1, all[4_999])).Time);
        Assert.Equal(all[14_999], Assert.Single(events, item => item == (1, all[14_999])).Time);
        var first = events.TakeWhile(item => item.Time < all[10_000]).ToList();
        Assert.InRange(first.Count, 100, 4096 / 24);
        Assert.Equal(Enumerable.Range(0, first.Count).Select(number => (1, first[0].Time + (40_000L * number))), first);
        Assert.InRange(events.Count - first.Count, 100, 4096 / 24);
    }

    /// <summary>Times of all events after the header buffers in ns.</summary>
    private static List<long> Times(EtlReader opened, out EtlStatistics statistics)
    {
        using var reader = opened;
        var times = new List<long>();
        var headers = reader.Files.Count;
        while (reader.TryRead(out var traceEvent))
        {
            if (headers-- <= 0)
                times.Add(reader.ToNanoseconds(traceEvent.Timestamp));
        }

        statistics = reader.Statistics;
        return times;
    }
}
