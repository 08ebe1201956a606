using System.Buffers.Binary;
using System.Globalization;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Tracepoints;
using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>A file of <c>perf record -z</c>: whole, cut and damaged; and our own files.</summary>
public sealed class CompressedTests
{
    private static readonly byte[] s_file = File.ReadAllBytes(TestFiles.Data("others/perf-record-z.data"));

    [Fact]
    public void All_records_are_unpacked()
    {
        var (counts, damage) = Read(s_file);

        // perf report --stats -i perf-record-z.data
        Assert.Null(damage);
        Assert.Equal(
            (1, 8, 8, 7, 103, 50),
            (
                counts[PerfRecordType.Mmap],
                counts[PerfRecordType.Comm],
                counts[PerfRecordType.Exit],
                counts[PerfRecordType.Fork],
                counts[PerfRecordType.Sample],
                counts[PerfRecordType.Mmap2]
            )
        );
    }

    [Fact]
    public void A_cut_file_is_read_up_to_the_cut()
    {
        var whole = Read(s_file).Counts.Values.Sum();
        var last = 0;
        for (var length = 1000; length < s_file.Length; length += 97)
        {
            var (counts, damage) = Read(s_file[..length]);
            Assert.InRange(counts.Values.Sum(), last, whole);
            last = counts.Values.Sum();
            Assert.True(damage is null || damage.Offset <= length);
        }

        Assert.True(last > 0);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Damage_never_crashes_hangs_or_takes_much_memory(int seed)
    {
        var random = new Random(seed);
        for (var round = 0; round < 300; round++)
        {
            var bytes = s_file.ToArray();
            for (var flip = random.Next(1, 10); flip > 0; flip--)
                bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            var before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                Read(bytes);
            }
            catch (TraceFormatException exception)
            {
                Assert.NotEqual("", exception.TraceFile);
            }

            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 100_000_000);
        }
    }

    /// <summary>Repetitive records, random ones that do not get smaller, and some of maximum size.</summary>
    [Fact]
    public void A_file_that_we_compressed_has_the_same_records_and_features()
    {
        using var file = new TemporaryFile();
        var random = new Random(1);
        var written = new List<byte[]>();
        PerfDataFeatures features;
        using (
            var writer = new PerfDataWriter(
                file.Path,
                PerfDataWriterTests.Events(),
                PerfDataWriterTests.Features,
                TracingData.Write("page", "event", [("sched", HandMade.SwitchFormat)]),
                1 << 20
            )
        )
        {
            (writer.FirstTime, writer.LastTime) = (1, 11);
            writer.BuildIds.Add(HandMade.Everything()[2]);
            for (var index = 0; index < 6000; index++)
            {
                var bytes = new byte[index % 50 == 49 ? ushort.MaxValue - 7 : random.Next(8, 400) * 8];
                if (index / 500 % 3 == 1)
                    random.NextBytes(bytes);
                BinaryPrimitives.WriteInt32LittleEndian(bytes, (int)PerfRecordType.Comm);
                BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(4), 0);
                BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(6), (ushort)bytes.Length);
                written.Add(bytes);
                writer.Write(bytes);
            }
        }

        using (var plain = PerfDataReader.Open(file.Path))
            features = plain.Features;
        var before = new FileInfo(file.Path).Length;
        var size = PerfDataPacker.Pack(file.Path);
        var after = new FileInfo(file.Path).Length;

        // A third of the records does not get smaller, the others are zeros.
        Assert.InRange(after, before / 4, before / 2);
        Assert.InRange(size!.Value, before / 4, after);
        using (var reader = PerfDataReader.Open(file.Path, new PerfReadOptions { Order = PerfRecordOrder.File }))
        {
            Assert.Empty(reader.Warnings);
            Assert.Equivalent(features, reader.Features, strict: true);
            Assert.Equal([new("/lib/libc.so.6", "deadbeef")], reader.Features.BuildIds);
            Assert.NotNull(SchedSwitchLayout.Create(reader.Events[1]));
            foreach (var expected in written)
            {
                Assert.True(reader.TryRead(out var record));
                Assert.True(record.Bytes.SequenceEqual(expected));
                Assert.InRange(record.FileOffset, 0, after);
            }

            Assert.False(reader.TryRead(out _));
            Assert.Null(reader.Damage);
        }

        Assert.Null(PerfDataPacker.Pack(file.Path)); // once is enough
        Assert.Equal(after, new FileInfo(file.Path).Length);
    }

    [Fact]
    public void Damaged_files_and_others_stay_as_they_are()
    {
        using var whole = new TemporaryFile();
        using (var writer = new PerfDataWriter(whole.Path, PerfDataWriterTests.Events(), new PerfDataFeatures(), [], 1 << 20))
        {
            for (var time = 1UL; time <= 100; time++)
                writer.Write(HandMade.CpuSample(time, 7, 8, 0, 1, 2));
        }

        var bytes = File.ReadAllBytes(whole.Path);
        for (var length = 0; length < bytes.Length; length += 13)
            Stays(bytes[..length]);
        Stays(s_file);
        Stays([.. "not perf.data"u8, .. new byte[200]]);
    }

    [Fact]
    public void Perf_reads_what_we_compressed()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/perf"), "perf is not installed");
        using var file = new TemporaryFile();
        using (var writer = new PerfDataWriter(file.Path, [PerfDataWriterTests.Events()[0]], new PerfDataFeatures(), [], 1 << 20))
        {
            for (var time = 1UL; time <= 20_000; time++)
                writer.Write(HandMade.CpuSample(time, 7, 8, 0, 1, 2));
            writer.WriteFinishedRound();
        }

        Assert.InRange(PerfDataPacker.Pack(file.Path)!.Value, 1, 20_000 * HandMade.CpuSample(1, 7, 8, 0, 1, 2).Length / 2);
        Assert.Equal(0, PerfToolTests.Run("perf", $"script --ns -i {file.Path} -F time", out var listing));
        Assert.Equal(
            Enumerable.Range(1, 20_000).Select(time => (long)time),
            listing
                .Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Select(line => long.Parse(line.Replace(".", "", StringComparison.Ordinal).TrimEnd(':', ' '), CultureInfo.InvariantCulture))
        );
    }

    private static void Stays(byte[] bytes)
    {
        using var file = new TemporaryFile(bytes);
        Assert.Null(PerfDataPacker.Pack(file.Path));
        Assert.Equal(bytes, File.ReadAllBytes(file.Path));
        Assert.False(File.Exists(file.Path + ".packed"));
    }

    private static (Dictionary<PerfRecordType, int> Counts, PerfDataDamage? Damage) Read(byte[] bytes)
    {
        using var file = new TemporaryFile(bytes);
        using var reader = PerfDataReader.Open(file.Path);
        var counts = new Dictionary<PerfRecordType, int>();
        while (reader.TryRead(out var record))
            counts[record.Type] = counts.GetValueOrDefault(record.Type) + 1;
        return (counts, reader.Damage);
    }
}
