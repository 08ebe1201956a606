using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>A file of <c>perf record -z</c>: whole, cut and damaged.</summary>
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
