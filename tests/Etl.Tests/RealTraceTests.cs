namespace EtwSerializerProfiler.Etl.Tests;

[NeedsRealTraces]
public sealed class RealTraceTests
{
    [Fact]
    public void All_events_of_a_merged_compressed_trace_come_in_order_of_time()
    {
        using var reader = EtlReader.Open(RealTraces.Get("net.4.5.2.x64.etl.zip"));
        var samples = 0;
        var last = long.MinValue;
        while (reader.TryRead(out var traceEvent))
        {
            Assert.True(traceEvent.Timestamp >= last);
            last = traceEvent.Timestamp;
            if (traceEvent.IsKernel && traceEvent.Group == EtlKernelGroups.PerfInfo && traceEvent.Opcode == 46)
                samples++;
        }

        Assert.Equal(179_474, reader.Statistics.Events);
        Assert.Equal(79_528, samples);
        Assert.Equal(0, reader.Statistics.DamageCount);
        Assert.Equal(0, reader.Statistics.LateEvents);
        Assert.Equal(360, reader.Statistics.Buffers);
        Assert.Equal(359, reader.Statistics.CompressedBuffers);
    }

    [Fact]
    public void The_header_says_what_the_baseline_says()
    {
        using var reader = EtlReader.Open(RealTraces.Get("gcevents.etl.zip"));
        var header = reader.Header;
        Assert.Equal(65_536, header.BufferSize);
        Assert.Equal(new Version(10, 0, 19045), header.OSVersion);
        Assert.Equal(8, header.Processors);
        Assert.Equal(156_250, header.TimerResolution);
        Assert.Equal(800, header.MaxFileMegabytes);
        Assert.Equal(134_217_730u, header.LogFileMode);
        Assert.True(header.IsCircular);
        Assert.Equal(5, header.BuffersWritten);
        Assert.Equal(8, header.PointerSize);
        Assert.Equal(0, header.EventsLost);
        Assert.Equal(3408, header.CpuMegahertz);
        Assert.Equal(10_000_000, header.PerformanceFrequency);
        Assert.Equal(10_000_000, header.TicksPerSecond);
        Assert.Equal(EtlClock.PerformanceCounter, header.Clock);
        Assert.Equal("PerfViewSession", header.SessionName);
        Assert.StartsWith(@"C:\Dev\runtime\CoreL", header.LogFileName, StringComparison.Ordinal);
        Assert.Equal(480, header.TimeZoneBiasMinutes);
        Assert.Equal(new DateTime(2023, 3, 14, 0, 46, 36, 690), header.StartTimeUtc, TimeSpan.FromMilliseconds(10));
        Assert.Equal(new DateTime(2023, 3, 14, 0, 46, 50, 700), header.EndTimeUtc!.Value, TimeSpan.FromMilliseconds(10));
        Assert.Equal(new DateTime(2023, 3, 7, 16, 58, 36, 500), header.BootTimeUtc!.Value, TimeSpan.FromMilliseconds(10));
    }

    [Theory]
    [InlineData("gcevents")]
    [InlineData("primitive-types")]
    public void As_many_events_as_Windows_delivered(string name)
    {
        var expected = RealTraces.Counts($"{name}.baseline.txt").Values.Sum();
        using var reader = EtlReader.Open(RealTraces.Get($"{name}.etl.zip"));
        while (reader.TryRead(out _)) { }

        Assert.Equal(expected, reader.Statistics.Events);
        Assert.Equal(1, reader.Statistics.SessionRecords);
    }

    [Fact]
    public void A_diagsession_reads_as_one_trace()
    {
        using var reader = EtlReader.Open(RealTraces.Get("diaghub-dotnetcore3.1-win-x64-diagsession.zip"));
        Assert.Equal(4, reader.Files.Count);
        var counts = new long[4];
        var kinds = new Dictionary<EtlHeaderType, long>();
        var last = long.MinValue;
        while (reader.TryRead(out var traceEvent))
        {
            counts[traceEvent.File]++;
            kinds[traceEvent.HeaderType] = kinds.GetValueOrDefault(traceEvent.HeaderType) + 1;
            if (reader.Statistics.Events > 4)
            {
                Assert.True(traceEvent.Timestamp >= last);
                last = traceEvent.Timestamp;
            }
        }

        Assert.Equal(0, reader.Statistics.DamageCount);
        Assert.Equal(0, reader.Statistics.LateEvents);
        Assert.Equal([62_379, 16_335, 4, 22_035], counts);
        Assert.Equal(62_378, kinds[EtlHeaderType.Full64]);
        Assert.Equal(15_299, kinds[EtlHeaderType.PerfInfo64]);
    }
}
