using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>Order of records of different CPUs.</summary>
public sealed class RecordOrderTests
{
    [Fact]
    public void Blocks_of_two_CPUs_come_in_order_of_time()
    {
        byte[] data = HandMade.Join(
            Sample(1, 0),
            Sample(4, 0),
            Sample(2, 1),
            Sample(3, 1),
            HandMade.Round(),
            Sample(5, 0),
            Sample(9, 0),
            Sample(3, 1),
            Sample(8, 1),
            HandMade.Round(), // the 3 came after ring 1 was read
            Sample(10, 0),
            Sample(7, 1)
        );

        Assert.Equal([1, 2, 3, 3, 4, 5, 7, 8, 9, 10], Read(data, out var late));
        Assert.Equal(0, late);
        Assert.Equal([1, 4, 2, 3, 0, 5, 9, 3, 8, 0, 10, 7], Read(data, out _, new PerfReadOptions { Order = PerfRecordOrder.File }));
    }

    [Fact]
    public void Equal_times_keep_the_order_of_the_file()
    {
        using var file = new TemporaryFile(
            HandMade.File(HandMade.Join(Sample(5, 1), Sample(2, 0), Sample(5, 0), Sample(2, 1), HandMade.Round(), Sample(5, 1)))
        );
        using var reader = PerfDataReader.Open(file.Path);
        var read = new List<(long Time, long Offset)>();
        while (reader.TryRead(out var record))
            read.Add((record.Time, record.FileOffset));

        Assert.Equal(5, read.Count);
        Assert.Equal(read.Order(), read);
    }

    /// <summary>Random recordings: rings of several CPUs, read one after the other in rounds while time advances.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Random_recordings_come_in_order_with_nothing_lost(int seed)
    {
        var random = new Random(seed);
        var cpus = random.Next(1, 9);
        var rings = Enumerable.Range(0, cpus).Select(_ => new Queue<byte[]>()).ToArray();
        var data = new List<byte[]>();
        var count = 0;
        var time = 1UL;
        for (var round = 0; round < 200; round++)
        {
            for (var ring = 0; ring < cpus; ring++)
            {
                for (var step = random.Next(20); step > 0; step--)
                {
                    var cpu = random.Next(cpus);
                    time += (ulong)random.Next(3);
                    rings[cpu].Enqueue(Sample(time, (uint)cpu & 1));
                    count++;
                }

                while (rings[ring].TryDequeue(out var record))
                    data.Add(record);
            }

            data.Add(HandMade.Round());
        }

        foreach (var ring in rings)
            data.AddRange(ring);

        var times = Read(HandMade.Join(data), out var late);

        Assert.Equal(count, times.Count);
        Assert.Equal(times.Order(), times);
        Assert.Equal(0, late);
    }

    [Fact]
    public void Without_round_marks_a_window_bounds_memory_and_late_records_are_counted()
    {
        // 6 MB of one CPU, then as much of the other: far more than the window of 1 MiB.
        var cpu0 = Enumerable.Range(1, 100_000).Select(time => Sample((ulong)time, 0));
        var cpu1 = Enumerable.Range(1, 100_000).Select(time => Sample((ulong)time, 1));
        var data = HandMade.Join(cpu0.Concat(cpu1));

        var times = Read(data, out var late, new PerfReadOptions { WindowBytes = 1 << 20 });
        Assert.Equal(200_000, times.Count);
        Assert.InRange(late, 1, 100_000);

        times = Read(data, out late);
        Assert.Equal(times.Order(), times);
        Assert.Equal(0, late);
    }

    [Fact]
    public void Millions_of_empty_rounds_need_no_memory()
    {
        using var file = new TemporaryFile(
            HandMade.File(HandMade.Join(HandMade.Join(Enumerable.Repeat(HandMade.Round(), 2_000_000)), Sample(1, 0)))
        );
        var before = GC.GetAllocatedBytesForCurrentThread();
        using var reader = PerfDataReader.Open(file.Path);

        Assert.True(reader.TryRead(out var record));
        Assert.Equal(1, record.Time);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 8 << 20);
    }

    private static byte[] Sample(ulong time, uint cpu) => HandMade.CpuSample(time, 7, 8, cpu);

    private static List<long> Read(byte[] data, out long late, PerfReadOptions? options = null)
    {
        using var file = new TemporaryFile(HandMade.File(data));
        using var reader = PerfDataReader.Open(file.Path, options);
        var times = new List<long>();
        while (reader.TryRead(out var record))
            times.Add(record.Time);
        Assert.Null(reader.Damage);
        late = reader.LateRecords;
        return times;
    }
}
