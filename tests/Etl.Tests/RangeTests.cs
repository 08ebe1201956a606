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
