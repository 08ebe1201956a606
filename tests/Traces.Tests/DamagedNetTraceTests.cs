using EtwSerializerProfiler.Traces.NetTrace;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class DamagedNetTraceTests
{
    private const int HeaderBytes = 0x74; // magic, stream header and Trace object of the test files

    public static TheoryData<string> Files => ["net10/clr.nettrace", "net10/code.nettrace", "unmarked/program.nettrace"];

    [Theory]
    [MemberData(nameof(Files))]
    public void A_file_cut_anywhere_is_read_up_to_the_cut_and_says_so(string name)
    {
        var whole = File.ReadAllBytes(TestFiles.Data(name));
        using var folder = new TempFolder();
        long last = 0;
        for (var part = 1; part <= 50; part++)
        {
            var length = (int)((long)whole.Length * part / 50);
            var path = folder.Write("cut.nettrace", whole[..length]);
            if (length < HeaderBytes)
            {
                Assert.Throws<TraceFormatException>(() => NetTraceSource.Open(path));
                continue;
            }

            var result = NetTraceSource.Open(path).Read(new EventCounter());
            Assert.True(result.Events >= last, $"part {part}");
            last = result.Events;
            if (length == whole.Length)
            {
                Assert.Null(result.Damage);
                continue;
            }

            Assert.NotNull(result.Damage);
            Assert.Equal(path, result.Damage.File);
            Assert.InRange(result.Damage.Offset, 1, length);

            // The recorder got this many bytes until the stream ended: the process was killed. With more bytes, the rest was lost later.
            var killed = NetTraceSource.Open(path);
            Assert.False(killed.EndsWithItsProcess(whole.Length));
            Assert.True(killed.EndsWithItsProcess(length), $"part {part}: {result.Damage}");
            var read = killed.Read(new EventCounter());
            Assert.Equal((result.Events, null), (read.Events, read.Damage));
        }

        Assert.True(last > 500);
        var source = NetTraceSource.Open(TestFiles.Data(name));
        Assert.False(source.EndsWithItsProcess(whole.Length), "it has its end");
    }

    [Fact]
    public void A_file_that_is_damaged_before_its_end_is_so_however_its_process_ended()
    {
        var bytes = File.ReadAllBytes(TestFiles.Data("net10/clr.nettrace"));
        Array.Clear(bytes, bytes.Length / 2, 70_000);
        using var folder = new TempFolder();
        var source = NetTraceSource.Open(folder.Write("x.nettrace", bytes));

        Assert.False(source.EndsWithItsProcess(bytes.Length));
        Assert.NotNull(source.Read(new EventCounter()).Damage);
    }

    [Fact]
    public void Only_the_last_byte_distinguishes_a_whole_file_from_a_cut_one()
    {
        var whole = File.ReadAllBytes(TestFiles.Data("net10/clr.nettrace"));
        using var folder = new TempFolder();
        var result = NetTraceSource.Open(folder.Write("cut.nettrace", whole[..^1])).Read(new EventCounter());

        Assert.Equal(4098, result.Events);
        Assert.Equal(whole.Length - 1, result.Damage!.Offset);
        Assert.Contains("cut off", result.Damage.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Random_damage_never_crashes_hangs_or_takes_much_memory(int seed)
    {
        var random = new Random(seed);
        using var folder = new TempFolder();
        string[] names = ["net10/clr.nettrace", "net10/code.nettrace", "unmarked/program.nettrace"];
        for (var round = 0; round < 40; round++)
        {
            var bytes = File.ReadAllBytes(TestFiles.Data(names[round % names.Length]));
            var limit = round % 4 == 0 ? 3000 : bytes.Length; // after headers and metadata
            for (var flip = random.Next(1, 30); flip > 0; flip--)
                bytes[random.Next(limit)] ^= (byte)(1 << random.Next(8));
            if (round % 5 == 0)
                bytes = bytes[..random.Next(bytes.Length)];
            var path = folder.Write("x.nettrace", bytes);
            var before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                var source = NetTraceSource.Open(path);
                var result = source.Read(new EventCounter());
                Assert.True(result.Damage is null || result.Damage.Offset <= bytes.Length);
            }
            catch (TraceFormatException exception)
            {
                Assert.Equal(path, exception.TraceFile);
            }

            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 100_000_000);
        }
    }

    [Fact]
    public void A_field_count_that_cannot_be_is_damage_not_memory()
    {
        // The field count of RunStart's metadata record, after its name, keywords, version and level.
        var bytes = File.ReadAllBytes(TestFiles.Data("net10/clr.nettrace"));
        var name = System.Text.Encoding.Unicode.GetBytes("RunStart\0");
        var at = bytes.AsSpan().IndexOf(name) + name.Length + 16;
        BitConverter.TryWriteBytes(bytes.AsSpan(at), 0x3000_0000);
        using var folder = new TempFolder();
        var result = NetTraceSource.Open(folder.Write("x.nettrace", bytes)).Read(new EventCounter());

        Assert.Contains("MetadataBlock", result.Damage!.Reason, StringComparison.Ordinal);
        Assert.InRange(result.Damage.Offset, 1, at);
    }
}
