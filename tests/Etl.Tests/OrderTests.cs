using FsCheck.Fluent;

namespace EtwSerializerProfiler.Etl.Tests;

public sealed class OrderTests
{
    /// <summary>
    /// A generated trace: for each step a processor, a kind of header, ticks since the step before (0 makes ties), and bytes of payload.
    /// </summary>
    private sealed record Plan((int Processor, int Type, int Ticks, int Bytes)[] Steps, bool Compress, int Threads, int Files, int Seed);

    [Fact]
    public void Any_interleaving_of_processors_and_headers_comes_back_in_order_and_whole()
    {
        var step = Gen.Choose(0, 5)
            .SelectMany(processor =>
                Gen.Choose(0, WrittenEvent.Types.Length - 1)
                    .SelectMany(type =>
                        Gen.Choose(0, 3).SelectMany(ticks => Gen.Choose(0, 700).Select(bytes => (processor, type, ticks, bytes)))
                    )
            );
        var plans = step.ListOf()
            .Resize(400)
            .SelectMany(steps =>
                Gen.Elements(false, true)
                    .SelectMany(compress =>
                        Gen.Choose(0, 2)
                            .SelectMany(threads =>
                                Gen.Choose(1, 3)
                                    .SelectMany(files =>
                                        Gen.Choose(0, int.MaxValue).Select(seed => new Plan([.. steps], compress, threads, files, seed))
                                    )
                            )
                    )
            );
        Prop.ForAll(plans.ToArbitrary(), Check).CheckRepeatably(150);
    }

    private static void Check(Plan plan)
    {
        using var folder = new TempFolder();
        var written = Write(plan, folder, out var paths);
        using var reader = EtlReader.Open(paths, new EtlReadOptions { DecodeThreads = plan.Threads });
        for (var file = 0; file < plan.Files; file++)
        {
            Assert.True(reader.TryRead(out var header));
            Assert.Equal((file, (byte)0, (byte)0), (header.File, header.Group, header.Opcode));
        }

        // Events of each file and processor come in the order written; all together are in order of time, ties by file.
        var last = (Time: long.MinValue, File: 0);
        var next = new Dictionary<(int File, int Processor), int>();
        var count = 0;
        for (; reader.TryRead(out var read); count++)
        {
            var key = (read.File, read.Processor);
            var position = next.GetValueOrDefault(key);
            written[key][position].AssertRead(read);
            next[key] = position + 1;
            Assert.True(read.Timestamp > last.Time || (read.Timestamp == last.Time && read.File >= last.File));
            last = (read.Timestamp, read.File);
        }

        Assert.Equal(plan.Steps.Length, count);
        Assert.Equal(0, reader.Statistics.DamageCount);
        Assert.Equal(0, reader.Statistics.LateEvents);
    }

    private static Dictionary<(int File, int Processor), List<WrittenEvent>> Write(Plan plan, TempFolder folder, out string[] paths)
    {
        var random = new Random(plan.Seed);
        paths = [.. Enumerable.Range(0, plan.Files).Select(file => folder.PathOf($"{file}.etl"))];
        var writers = paths
            .Select(path => new EtlWriter(
                path,
                new EtlWriteOptions
                {
                    BufferSize = 4096,
                    Compress = plan.Compress,
                    StartTicks = 1000,
                }
            ))
            .ToArray();
        var written = new Dictionary<(int File, int Processor), List<WrittenEvent>>();
        long time = 1000;
        for (var number = 0; number < plan.Steps.Length; number++)
        {
            var (processor, type, ticks, bytes) = plan.Steps[number];
            time += ticks;
            var file = random.Next(plan.Files);
            var written1 = WrittenEvent.Create(WrittenEvent.Types[type], processor, time, number, bytes);
            if (!written.TryGetValue((file, processor), out var events))
                written[(file, processor)] = events = [];
            events.Add(written1);
            written1.WriteTo(writers[file]);
        }

        foreach (var writer in writers)
            writer.Dispose();
        return written;
    }

    [Fact]
    public void Events_out_of_order_inside_a_buffer_are_put_in_order()
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("unordered.etl");
        using (var writer = new EtlWriter(path, new EtlWriteOptions { BufferSize = 4096 }))
        {
            for (var number = 0; number < 1000; number++)
            {
                var time = 1000L * number + (number % 2 == 0 ? 1500 : 0);
                writer.Write(
                    new EtlEventFields
                    {
                        HeaderType = EtlHeaderType.PerfInfo64,
                        Timestamp = time,
                        Processor = number / 2 % 3,
                    },
                    new byte[8]
                );
            }
        }

        using var reader = EtlReader.Open(path);
        Assert.True(reader.TryRead(out _));
        var last = long.MinValue;
        while (reader.TryRead(out var read))
        {
            Assert.True(read.Timestamp >= last);
            last = read.Timestamp;
        }

        Assert.Equal(1001, reader.Statistics.Events);
        Assert.Equal(0, reader.Statistics.LateEvents);
    }

    [Fact]
    public void Ties_of_one_processor_follow_the_sequence_of_its_buffers()
    {
        using var folder = new TempFolder();
        var path = folder.PathOf("ties.etl");
        using (var writer = new EtlWriter(path, new EtlWriteOptions { BufferSize = 4096 }))
        {
            for (uint number = 0; number < 2000; number++)
                writer.Write(new EtlEventFields { HeaderType = EtlHeaderType.PerfInfo64, Timestamp = 7 }, BitConverter.GetBytes(number));
        }

        using var reader = EtlReader.Open(path);
        Assert.True(reader.TryRead(out _));
        for (uint number = 0; reader.TryRead(out var read); number++)
            Assert.Equal(number, BitConverter.ToUInt32(read.Payload));
        Assert.Equal(2001, reader.Statistics.Events);
    }

    [Fact]
    public void Files_of_different_clocks_are_joined_by_their_start_times()
    {
        using var folder = new TempFolder();
        var start = new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        string[] paths = [folder.PathOf("counter.etl"), folder.PathOf("system.etl")];
        using (
            var writer = new EtlWriter(
                paths[0],
                new EtlWriteOptions
                {
                    StartTicks = 3_000_000,
                    PerformanceFrequency = 3_000_000,
                    StartTimeUtc = start,
                }
            )
        )
        {
            for (var second = 0; second < 10; second += 2)
                writer.Write(
                    new EtlEventFields
                    {
                        HeaderType = EtlHeaderType.Full64,
                        Timestamp = 3_000_000 * (1L + second),
                        Opcode = (byte)second,
                    },
                    []
                );
        }

        var later = start.AddSeconds(1);
        using (
            var writer = new EtlWriter(
                paths[1],
                new EtlWriteOptions
                {
                    Clock = EtlClock.SystemTime,
                    StartTicks = later.ToFileTimeUtc(),
                    StartTimeUtc = later,
                }
            )
        )
        {
            for (var second = 1; second < 10; second += 2)
                writer.Write(
                    new EtlEventFields
                    {
                        HeaderType = EtlHeaderType.Full64,
                        Timestamp = start.AddSeconds(second).ToFileTimeUtc(),
                        Opcode = (byte)second,
                    },
                    []
                );
        }

        using var reader = EtlReader.Open(paths);
        Assert.True(reader.TryRead(out _) && reader.TryRead(out _));
        var seconds = 0;
        for (; reader.TryRead(out var read); seconds++)
        {
            Assert.Equal(seconds, read.Opcode);
            Assert.Equal(seconds * 1_000_000_000L, reader.ToNanoseconds(read.Timestamp));
            Assert.Equal(start.AddSeconds(seconds), reader.ToUtc(read.Timestamp));
        }

        Assert.Equal(10, seconds);
    }
}
