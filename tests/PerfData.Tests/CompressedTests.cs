using System.Buffers.Binary;
using System.Globalization;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.PerfData;

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

    /// <summary>
    /// Repetitive records, random ones that do not get smaller, and some of maximum size, in flushes that compress and flushes that do not.
    /// </summary>
    [Fact]
    public void What_is_compressed_and_what_is_not_is_read_in_order()
    {
        using var file = new TemporaryFile();
        using var plain = new TemporaryFile();
        using var copy = new TemporaryFile();
        var random = new Random(1);
        var written = new List<byte[]>();
        using var writer = new PerfDataWriter(
            file.Path,
            [PerfDataWriterTests.Events()[0]],
            new PerfDataFeatures(),
            [],
            1 << 20,
            _ => true
        );
        using var uncompressed = new PerfDataWriter(plain.Path, [PerfDataWriterTests.Events()[0]], new PerfDataFeatures(), [], 1 << 20);
        for (var flush = 0; flush < 12; flush++)
        {
            for (var index = 0; index < 100 * flush; index++)
            {
                var bytes = new byte[index % 50 == 49 ? ushort.MaxValue - 7 : random.Next(8, 400) * 8];
                if (flush % 3 == 1)
                    random.NextBytes(bytes);
                BinaryPrimitives.WriteInt32LittleEndian(bytes, (int)PerfRecordType.Comm);
                BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(4), 0);
                BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(6), (ushort)bytes.Length);
                written.Add(bytes);
                writer.Write(bytes);
                uncompressed.Write(bytes);
            }

            writer.Flush();
            File.Copy(file.Path, copy.Path, overwrite: true);
            using var reader = PerfDataReader.Open(copy.Path, new PerfReadOptions { Order = PerfRecordOrder.File });
            foreach (var expected in written)
            {
                Assert.True(reader.TryRead(out var record));
                Assert.True(record.Bytes.SequenceEqual(expected));
                Assert.InRange(record.FileOffset, 0, new FileInfo(copy.Path).Length);
            }

            Assert.False(reader.TryRead(out _));
            Assert.Null(reader.Damage);
        }

        // A third of the flushes does not get smaller, the others are zeros.
        Assert.InRange(writer.DataBytes, uncompressed.DataBytes / 4, uncompressed.DataBytes / 2);
    }

    [Fact]
    public void Perf_reads_what_is_compressed()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/perf"), "perf is not installed");
        using var file = new TemporaryFile();
        using (
            var writer = new PerfDataWriter(
                file.Path,
                [PerfDataWriterTests.Events()[0]],
                new PerfDataFeatures(),
                [],
                1 << 20,
                _ => true
            )
        )
        {
            for (var time = 1UL; time <= 20_000; time++)
                writer.Write(HandMade.CpuSample(time, 7, 8, 0, 1, 2));
            writer.WriteFinishedRound();
        }

        Assert.InRange(new FileInfo(file.Path).Length, 1, 20_000 * HandMade.CpuSample(1, 7, 8, 0, 1, 2).Length / 2);
        Assert.Equal(0, PerfToolTests.Run("perf", $"script --ns -i {file.Path} -F time", out var listing));
        Assert.Equal(
            Enumerable.Range(1, 20_000).Select(time => (long)time),
            listing
                .Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Select(line => long.Parse(line.Replace(".", "", StringComparison.Ordinal).TrimEnd(':', ' '), CultureInfo.InvariantCulture))
        );
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
