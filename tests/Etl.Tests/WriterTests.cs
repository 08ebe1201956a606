namespace EtwSerializerProfiler.Etl.Tests;

public sealed class WriterTests
{
    public static TheoryData<bool, int> Layouts =>
        new()
        {
            { false, 8 },
            { true, 8 },
            { false, 4 },
            { true, 4 },
        };

    [Theory]
    [MemberData(nameof(Layouts))]
    public void Every_header_type_reads_back_as_written(bool compress, int pointerSize)
    {
        using var folder = new TempFolder();
        var events = new List<WrittenEvent>();
        for (var number = 0; number < 20 * WrittenEvent.Types.Length; number++)
            events.Add(WrittenEvent.Create(WrittenEvent.Types[number % WrittenEvent.Types.Length], 3, 1000 + number, number, number % 300));
        var path = folder.PathOf("types.etl");
        using (
            var writer = new EtlWriter(
                path,
                new EtlWriteOptions
                {
                    BufferSize = 4096,
                    Compress = compress,
                    PointerSize = pointerSize,
                    StartTicks = 1000,
                }
            )
        )
        {
            foreach (var written in events)
                written.WriteTo(writer);
        }

        using var reader = EtlReader.Open(path);
        Assert.Equal(pointerSize, reader.Header.PointerSize);
        Assert.True(reader.TryRead(out var header));
        Assert.Equal((EtlKernelGroups.EventTrace, (byte)0), (header.Group, header.Opcode));
        foreach (var written in events)
        {
            Assert.True(reader.TryRead(out var read));
            written.AssertRead(read);
        }

        Assert.False(reader.TryRead(out _));
        Assert.Equal(0, reader.Statistics.DamageCount);
        Assert.Equal(compress, reader.Statistics.CompressedBuffers > 0);
        Assert.Equal(reader.Header.BuffersWritten, reader.Statistics.Buffers);
    }

    [Fact]
    public void Extended_items_and_counters_read_back()
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("extended.etl");
        var activity = Guid.NewGuid();
        using (var writer = new EtlWriter(path))
        {
            var items = new EtlExtendedItemWriter(new byte[400]);
            items.AddStack(77, [0xFFFF_F800_0000_0001, 0x7FFF_0000_0002]);
            items.Add(EtlExtendedType.RelatedActivityId, activity.ToByteArray());
            items.Add(EtlExtendedType.Sid, [1, 2, 3]);
            writer.Write(
                new EtlEventFields
                {
                    HeaderType = EtlHeaderType.Event64,
                    Timestamp = 1,
                    Id = 5,
                },
                [9, 8, 7],
                items.Written
            );
            writer.Write(
                new EtlEventFields
                {
                    HeaderType = EtlHeaderType.PerfInfo64,
                    Timestamp = 2,
                    Group = 0xF,
                    Opcode = 46,
                },
                [1, 2, 3, 4],
                new byte[24]
            );
        }

        using var reader = EtlReader.Open(path);
        Assert.True(reader.TryRead(out _));
        Assert.True(reader.TryRead(out var traceEvent));
        Assert.Equal([9, 8, 7], traceEvent.Payload.ToArray());
        var types = new List<EtlExtendedType>();
        foreach (var item in traceEvent.ExtendedItems)
        {
            types.Add(item.Type);
            if (item.Type == EtlExtendedType.StackTrace64)
                Assert.Equal(
                    [77ul, 0xFFFF_F800_0000_0001, 0x7FFF_0000_0002],
                    System.Runtime.InteropServices.MemoryMarshal.Cast<byte, ulong>(item.Data).ToArray()
                );
            else if (item.Type == EtlExtendedType.RelatedActivityId)
                Assert.Equal(activity, new Guid(item.Data));
            else
                Assert.Equal([1, 2, 3], item.Data.ToArray());
        }

        Assert.Equal([EtlExtendedType.StackTrace64, EtlExtendedType.RelatedActivityId, EtlExtendedType.Sid], types);
        Assert.True(reader.TryRead(out var sample));
        Assert.Equal([1, 2, 3, 4], sample.Payload.ToArray());
        Assert.Equal(24, sample.Counters.Length);
    }

    [Fact]
    public void The_header_reads_back()
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("header.etl");
        var options = new EtlWriteOptions
        {
            Processors = 12,
            OSVersion = new Version(10, 0, 26100),
            PerformanceFrequency = 3_000_000,
            CpuMegahertz = 2400,
            StartTicks = 5_000_000,
            StartTimeUtc = new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc),
            BootTimeUtc = new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc),
            TimeZoneBiasMinutes = -60,
            TimeZoneName = "W. Europe Standard Time",
            SessionName = "esp",
            LogFileName = @"C:\traces\a.etl",
            EventsLost = 7,
            BuffersLost = 8,
        };
        using (var writer = new EtlWriter(path, options))
            writer.Write(new EtlEventFields { HeaderType = EtlHeaderType.Full64, Timestamp = 8_000_000 }, []);
        using var reader = EtlReader.Open(path);
        var header = reader.Header;
        Assert.Equal(options.Processors, header.Processors);
        Assert.Equal(options.OSVersion, header.OSVersion);
        Assert.Equal(options.PerformanceFrequency, header.TicksPerSecond);
        Assert.Equal(options.CpuMegahertz, header.CpuMegahertz);
        Assert.Equal(options.StartTicks, header.StartTicks);
        Assert.Equal(options.StartTimeUtc, header.StartTimeUtc);
        Assert.Equal(options.StartTimeUtc.AddSeconds(1), header.EndTimeUtc);
        Assert.Equal(options.BootTimeUtc, header.BootTimeUtc);
        Assert.Equal(options.TimeZoneBiasMinutes, header.TimeZoneBiasMinutes);
        Assert.Equal(options.TimeZoneName, header.TimeZoneName);
        Assert.Equal(options.SessionName, header.SessionName);
        Assert.Equal(options.LogFileName, header.LogFileName);
        Assert.Equal(7, reader.Statistics.EventsLost);
        Assert.Equal(8, reader.Statistics.BuffersLost);
        Assert.Empty(header.MissingValues);
        Assert.Equal(1_000_000_000, reader.ToNanoseconds(8_000_000));
        Assert.Equal(options.StartTimeUtc.AddSeconds(1), reader.ToUtc(8_000_000));
    }

    [Fact]
    [NeedsRealTraces]
    public void A_real_trace_copied_event_by_event_reads_the_same()
    {
        var original = RealTraces.Get("net.4.5.2.x64.etl.zip");
        using var folder = new TempFolder();
        foreach (var compress in (bool[])[false, true])
        {
            var path = folder.PathOf($"copy-{compress}.etl");
            using (var source = EtlReader.Open(original))
            using (var writer = new EtlWriter(path, new EtlWriteOptions { Compress = compress, StartTicks = source.Header.StartTicks }))
            {
                Assert.True(source.TryRead(out _)); // the log file header, which the writer writes itself
                while (source.TryRead(out var traceEvent))
                    writer.Write(traceEvent);
            }

            using var first = EtlReader.Open(original);
            using var second = EtlReader.Open(path);
            Assert.True(first.TryRead(out _));
            Assert.True(second.TryRead(out _));
            // Other buffer sizes may only swap events with the same time on different processors.
            var expected = new Dictionary<(long Time, int Processor), HashCode>();
            while (first.TryRead(out var traceEvent))
            {
                var key = (traceEvent.Timestamp, traceEvent.Processor);
                expected.TryGetValue(key, out var hash);
                hash.AddBytes(traceEvent.RawBytes);
                expected[key] = hash;
            }

            var actual = new Dictionary<(long Time, int Processor), HashCode>();
            while (second.TryRead(out var traceEvent))
            {
                var key = (traceEvent.Timestamp, traceEvent.Processor);
                actual.TryGetValue(key, out var hash);
                hash.AddBytes(traceEvent.RawBytes);
                actual[key] = hash;
            }

            Assert.Equal(first.Statistics.Events, second.Statistics.Events);
            Assert.Equal(expected.Count, actual.Count);
            Assert.DoesNotContain(expected, entry => entry.Value.ToHashCode() != actual[entry.Key].ToHashCode());
        }
    }

    [Fact]
    public void What_cannot_be_written_is_refused()
    {
        using var folder = new TempFolder();
        using var writer = new EtlWriter(folder.PathOf("refused.etl"), new EtlWriteOptions { BufferSize = 4096 });
        Assert.Throws<ArgumentException>(() => writer.Write(new EtlEventFields { HeaderType = EtlHeaderType.None, Timestamp = 0 }, []));
        Assert.Throws<ArgumentException>(() =>
            writer.Write(new EtlEventFields { HeaderType = EtlHeaderType.Full64, Timestamp = 0 }, [], new byte[8])
        );
        Assert.Throws<ArgumentException>(() =>
            writer.Write(new EtlEventFields { HeaderType = EtlHeaderType.Full64, Timestamp = 0 }, new byte[4096])
        );
        Assert.Throws<ArgumentException>(() =>
            writer.Write(
                new EtlEventFields
                {
                    HeaderType = EtlHeaderType.Full64,
                    Timestamp = 0,
                    Processor = 5000,
                },
                []
            )
        );
        Assert.Throws<ArgumentException>(() => new EtlWriter(folder.PathOf("small.etl"), new EtlWriteOptions { BufferSize = 100 }));
        Assert.False(File.Exists(folder.PathOf("small.etl")));
    }
}
