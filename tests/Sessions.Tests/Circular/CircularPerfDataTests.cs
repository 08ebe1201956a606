using System.Text;
using EtwSerializerProfiler.Sessions.Circular;
using EtwSerializerProfiler.Traces.PerfData;
using FsCheck.Fluent;

namespace EtwSerializerProfiler.Sessions.Tests.Circular;

public sealed class CircularPerfDataTests
{
    private const int Process = 10;

    [Fact]
    public void What_fits_is_written_record_by_record_as_it_came()
    {
        using var half = new Half(pages: 4);
        byte[][] records =
        [
            KernelRecords.Named(1, Process, Process, "program", isExec: true),
            KernelRecords.Mapped(2, Process, 0x1000, "/lib/a.so"),
            KernelRecords.Sample(3, Process, Process),
            KernelRecords.Ended(4, Process, Process),
        ];
        half.Round(records);

        Assert.Equal(records.Select(Convert.ToHexString), half.Written().Select(record => Convert.ToHexString(record.Bytes)));
        Assert.Equal(default, half.Data.Dropped);
    }

    /// <summary>Any rounds of two processors: the newest records, all of them from the cut on, are returned in order of time.</summary>
    [Fact]
    public void The_newest_records_are_kept_and_all_that_is_newer_than_the_cut() =>
        Prop.ForAll(
                ArbMap.Default.ArbFor<int>().Filter(seed => seed >= 0),
                seed =>
                {
                    var random = new Random(seed);
                    using var half = new Half(random.Next(2, 8));
                    var time = 0L;
                    var written = 0;
                    for (var round = random.Next(1, 60); round > 0; round--)
                    {
                        var first = time;
                        time += random.Next(1, 400);
                        for (var cpu = 0; cpu < 2; cpu++)
                        {
                            // Each processor's ring is in order of time; the next one restarts.
                            byte[][] ring =
                            [
                                .. Enumerable
                                    .Range(0, (int)(time - first))
                                    .Where(_ => random.Next(2) == 0)
                                    .Select(step => KernelRecords.Sample(first + step + 1, Process, Process + cpu, random.Next(60))),
                            ];
                            half.Ring(ring);
                            written += ring.Length;
                        }

                        half.EndRound(time);
                    }

                    var samples = half.Written().Where(record => record.Type == PerfRecordType.Sample).ToList();
                    Assert.Equal(written - half.Data.Dropped.Samples, samples.Count);
                    Assert.Equal(samples.Select(record => record.Time).Order(), samples.Select(record => record.Time));
                    Assert.Equal(
                        half.Samples.Count(sampled => sampled > half.Memory.CutTime),
                        samples.Count(record => record.Time > half.Memory.CutTime)
                    );
                    Assert.True(half.Memory.AllocatedBytes <= 8 * CircularMemory.PageBytes);
                }
            )
            .CheckRepeatably();

    [Fact]
    public void Names_and_mappings_of_what_lives_survive_the_cut_and_those_of_what_ended_do_not()
    {
        using var half = new Half(pages: 2);
        half.Round(
            KernelRecords.Named(1, Process, Process, "gate"),
            KernelRecords.Mapped(1, Process, 0x9000, "/bin/sh"),
            KernelRecords.Named(2, Process, Process, "program", isExec: true),
            KernelRecords.Mapped(3, Process, 0x1000, "/lib/old.so"),
            KernelRecords.Mapped(4, Process, 0x1000, "/lib/new.so"),
            KernelRecords.Mapped(4, -1, 0xffff, "[kernel.kallsyms]_text"),
            KernelRecords.Begun(5, Process, 11, Process, Process),
            KernelRecords.Named(6, Process, 11, "worker"),
            KernelRecords.Begun(7, Process, 12, Process, 11),
            KernelRecords.Begun(8, Process, 13, Process, Process),
            KernelRecords.Named(9, Process, 13, "ended"),
            KernelRecords.Ended(10, Process, 13),
            KernelRecords.Ended(11, Process, 11),
            KernelRecords.Begun(12, 50, 50, Process, Process),
            KernelRecords.Named(13, 50, 50, "child", isExec: true),
            KernelRecords.Mapped(14, 50, 0x1000, "/bin/child"),
            KernelRecords.Ended(15, 50, 50)
        );
        half.Fill(from: 100, rounds: 40);

        var records = half.Written();
        Assert.True(half.Data.Dropped.Others >= 17);
        Assert.Equal(["program", "worker"], records.Where(record => record.Type == PerfRecordType.Comm).Select(record => record.Name));
        Assert.Equal(
            ["/lib/new.so", "[kernel.kallsyms]_text"],
            records.Where(record => record.Type == PerfRecordType.Mmap2).Select(record => record.Name)
        );

        // Thread 12 has no name but its parent's, which has ended.
        Assert.Equal(12, Assert.Single(records, record => record.Type == PerfRecordType.Fork).Thread);
        Assert.DoesNotContain(records, record => record.Type == PerfRecordType.Exit);
        Assert.Equal(records.Select(record => record.Time).Order(), records.Select(record => record.Time));
    }

    [Fact]
    public void Threads_without_number_that_begin_and_end_take_no_memory()
    {
        using var half = new Half(pages: 4);
        var time = 100L;
        for (var thread = 1000; thread < 60_000; thread++)
            half.Round(
                KernelRecords.Ended(time + 2, Process, thread),
                KernelRecords.Begun(time++, Process, thread, Process, Process),
                KernelRecords.Named(time++, Process, thread, $"short-{thread}")
            );

        Assert.True(half.Data.Dropped.Others > 100_000);
        Assert.InRange(half.Written().Count, 1, 4 * CircularMemory.PageBytes / 48);
    }

    [Fact]
    public void Records_that_are_dropped_are_counted_and_their_losses_forgotten()
    {
        using var half = new Half(pages: 2);
        half.Round(KernelRecords.Lost(1, 7), KernelRecords.Switch(2, Process, Process, isOut: true));
        half.Fill(from: 100, rounds: 40);
        Assert.Equal((7, 1), (half.Data.Dropped.Lost, half.Data.Dropped.Switches));

        half.Round(KernelRecords.Lost(1_000_000, 3));
        Assert.Equal(3, half.Written().Sum(record => record.Lost));
    }

    [Fact]
    public void Taking_records_in_allocates_nothing_once_the_memory_is_full()
    {
        using var half = new Half(pages: 4);
        byte[] ring =
        [
            .. Enumerable.Range(0, 100).SelectMany(thread => KernelRecords.Begun(5, Process, 100 + thread, Process, Process)),
            .. Enumerable.Range(0, 100).SelectMany(thread => KernelRecords.Ended(6, Process, 100 + thread)),
            .. Enumerable.Range(0, 200).SelectMany(_ => KernelRecords.Sample(7, Process, Process)),
        ];
        Take(300);
        var before = GC.GetAllocatedBytesForCurrentThread();
        Take(2000);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 20_000); // one-time allocation of the runtime
        Assert.True(half.Data.Dropped.Samples > 0);

        void Take(int rounds)
        {
            for (var round = 0; round < rounds; round++)
            {
                ring.CopyTo(half.Data.GetBuffer(ring.Length));
                half.Data.Advance(ring.Length);
                half.Data.WriteFinishedRound();
            }
        }
    }

    private sealed record Read(PerfRecordType Type, long Time, string Name, int Thread, long Lost, byte[] Bytes);

    private sealed class Half : IDisposable
    {
        private readonly TempFolder _folder = new();
        private int _files;

        public Half(int pages)
        {
            Memory = new CircularMemory(pages * CircularMemory.PageBytes);
            Data = new CircularPerfData(Memory, [KernelRecords.Event], new PerfDataFeatures(), [], 1 << 20);
        }

        public CircularMemory Memory { get; }

        public CircularPerfData Data { get; }

        public List<long> Samples { get; } = [];

        public void Ring(params byte[][] records)
        {
            var length = 0;
            var buffer = Data.GetBuffer(records.Sum(record => record.Length));
            foreach (var record in records)
            {
                record.CopyTo(buffer[length..]);
                length += record.Length;
                if (record[0] == (byte)PerfRecordType.Sample)
                    Samples.Add(BitConverter.ToInt64(record, 32));
            }

            Data.Advance(length);
        }

        public void EndRound(long time)
        {
            Data.LastTime = time;
            Data.WriteFinishedRound();
        }

        public void Round(params byte[][] records)
        {
            Ring(records);
            EndRound(
                records.Max(record =>
                    record[0] == (byte)PerfRecordType.Sample
                        ? BitConverter.ToInt64(record, 32)
                        : BitConverter.ToInt64(record, record.Length - 24)
                )
            );
        }

        public void Fill(long from, int rounds)
        {
            for (var round = 0; round < rounds; round++)
                Round([.. Enumerable.Range(0, 100).Select(step => KernelRecords.Sample(from + (100 * round) + step, Process, Process))]);
        }

        public List<Read> Written()
        {
            var path = Path.Combine(_folder.Path, $"{_files++}.data");
            lock (Memory.Gate)
                Data.WriteTo(path);
            using var reader = PerfDataReader.Open(path);
            var records = new List<Read>();
            while (reader.TryRead(out var record))
            {
                var name =
                    record.TryReadMapping(out var mapping) ? Encoding.UTF8.GetString(mapping.Path)
                    : record.TryReadComm(out _, out _, out var comm) ? Encoding.UTF8.GetString(comm)
                    : "";
                records.Add(
                    new Read(
                        record.Type,
                        record.Time,
                        name,
                        record.TryReadTask(out var task) ? task.ThreadId : 0,
                        record.LostCount,
                        record.Bytes.ToArray()
                    )
                );
            }

            Assert.Null(reader.Damage);
            Assert.Empty(reader.Warnings);
            Assert.Equal(0, reader.LateRecords);
            return records;
        }

        public void Dispose() => _folder.Dispose();
    }
}
