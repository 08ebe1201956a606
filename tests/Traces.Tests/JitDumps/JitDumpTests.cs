using EtwSerializerProfiler.Traces.JitDumps;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests.JitDumps;

/// <summary>The jitdump reader on made-up dumps.</summary>
public sealed class JitDumpTests
{
    [Fact]
    public void Code_is_read_in_order_of_time_with_its_moves()
    {
        var dump = Read(Whole());

        Assert.Equal(
            [
                new JitCode(10, 0x1000, 4, "App.A:First ()"),
                new JitCode(15, 0x3000, 4, "App.A:Ü ()"),
                new JitCode(20, 0x2000, 8, "App.A:Second ()"),
                new JitCode(30, 0x5000, 4, "App.A:First ()", 0x1000),
            ],
            dump.Codes.Select(code => code with { BytesAt = 0 })
        );
        Assert.All(dump.Codes, code => Assert.Equal(code.MovedFrom == 0, code.BytesAt > 0));
        Assert.True(dump.HasSystemTimes);
        Assert.Null(dump.Damage);
        Assert.False(Read(new JitDumpBytes(flags: 1).ToArray()).HasSystemTimes);
    }

    [Fact]
    public void A_long_name_is_read_whole()
    {
        var name = new string('x', 5000);

        Assert.Equal(name, Assert.Single(Read(new JitDumpBytes().Load(1, 0x1000, name, 1).ToArray()).Codes).Name);
    }

    [Fact]
    public void A_file_cut_anywhere_is_read_up_to_the_cut_and_says_where()
    {
        int[] ends = [40, .. Ends()];
        var whole = Whole();
        var codes = Read(whole).Codes;
        Assert.Equal(whole.Length, ends[^1]);
        for (var length = 0; length < whole.Length; length++)
        {
            if (length < 40)
            {
                Assert.Contains(
                    $"the file has {length} byte",
                    Assert.Throws<TraceFormatException>(() => Read(whole[..length])).Message,
                    StringComparison.Ordinal
                );
                continue;
            }

            var dump = Read(whole[..length]);
            var last = ends.Last(end => end <= length);
            Assert.Equal(length == last ? null : last, dump.Damage?.Offset);
            Assert.All(dump.Codes, code => Assert.Contains(code, codes));
            if (dump.Damage is { } damage)
                Assert.True(damage.IsCutOff);
        }
    }

    [Theory]
    [InlineData(0x4454_694A, 1, 40, "little-endian", 0)]
    [InlineData(0x4A69_5444, 2, 40, "version 2", 4)]
    [InlineData(0x4A69_5444, 1, 39, "it has 39", 8)]
    [InlineData(0x4A69_5444, 1, 100_000, "it has 100000", 8)]
    public void A_header_that_cannot_be_is_an_error_with_its_offset(
        uint magic,
        uint version,
        uint headerBytes,
        string expected,
        long offset
    )
    {
        var error = Assert.Throws<TraceFormatException>(() => Read(new JitDumpBytes(0, magic, version, headerBytes).ToArray()));

        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
        Assert.Equal(offset, error.Offset);
    }

    [Fact]
    public void A_record_that_cannot_be_ends_the_reading()
    {
        var begin = new JitDumpBytes().Load(1, 0x1000, "a", 1);
        var at = begin.Length;
        (string, Action<JitDumpBytes>)[] damages =
        [
            ("invalid record size: 15 bytes", dump => dump.Record(2, 2, [], 15)),
            ("Load", dump => dump.Record(0, 2, new byte[39])),
            ("Load", dump => dump.Record(0, 2, [.. new byte[40], .. "no end"u8])),
            ("Load", dump => dump.Load(-1, 0x1000, "b", 2)),
            ("Move", dump => dump.Record(1, 2, new byte[47])),
            ("Move", dump => dump.Move(2, 0x1000, ulong.MaxValue, 1)),
        ];
        foreach (var (expected, damage) in damages)
        {
            var bytes = new JitDumpBytes().Load(1, 0x1000, "a", 1);
            damage(bytes);
            var dump = Read(bytes.Load(3, 0x2000, "c", 3).ToArray());
            Assert.Equal(at, dump.Damage!.Offset);
            Assert.Contains(expected, dump.Damage.Reason, StringComparison.Ordinal);
            Assert.Equal("a", Assert.Single(dump.Codes).Name);
        }
    }

    [Fact]
    public void Random_damage_never_crashes_hangs_or_takes_much_memory()
    {
        var random = new Random(5);
        using var folder = new TempFolder();
        for (var round = 0; round < 3000; round++)
        {
            var bytes = Whole();
            for (var flip = random.Next(1, 10); flip > 0; flip--)
                bytes[random.Next(round % 3 == 0 ? 44 : 0, bytes.Length)] ^= (byte)(1 << random.Next(8));
            if (round % 4 == 0)
                bytes = bytes[..random.Next(bytes.Length)];
            var path = folder.Write("jit-1.dump", bytes);
            var before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                var dump = JitDump.Read(path);
                Assert.True(dump.Damage is null || dump.Damage.Offset <= bytes.Length);
                new JitCodeSource(path, 1, new TraceClock(0, 1_000_000_000), dump.Codes, hasTimes: round % 2 == 0).Read(
                    new ManagedCodeMap()
                );
            }
            catch (TraceFormatException exception)
            {
                Assert.Equal(path, exception.TraceFile);
            }

            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 2_000_000);
        }
    }

    [Fact]
    public void Code_has_the_name_of_its_time()
    {
        var map = new ManagedCodeMap();
        Source(hasTimes: true).Read(map);

        Assert.Null(NameAt(map, 0x1000, 9));
        Assert.Equal("First", NameAt(map, 0x1000, 10));
        Assert.Equal("First", NameAt(map, 0x1003, 19));
        Assert.Equal("Second", NameAt(map, 0x1000, 20));
        Assert.Equal("Third", NameAt(map, 0x2000, 39));
        Assert.Null(NameAt(map, 0x2000, 40)); // moved
        Assert.Null(NameAt(map, 0x3000, 39));
        Assert.Equal("Third", NameAt(map, 0x3000, 40));
    }

    [Fact]
    public void Without_times_the_later_name_stands_for_both()
    {
        var map = new ManagedCodeMap();
        Source(hasTimes: false).Read(map);

        Assert.Equal("Second", NameAt(map, 0x1000, 1));
        Assert.Equal("Third", NameAt(map, 0x2000, 1));
        Assert.Equal("Third", NameAt(map, 0x3000, 1));
    }

    [Theory]
    [InlineData("jit-1.dump", true)]
    [InlineData("jit-12345.dump", true)]
    [InlineData("jit-.dump", false)]
    [InlineData("jit-1a.dump", false)]
    [InlineData("perf-1.map", false)]
    public void Names_of_dumps_are_known(string name, bool isDump) => Assert.Equal(isDump, JitDump.IsFileName(name));

    private static JitCodeSource Source(bool hasTimes)
    {
        var dump = Read(
            new JitDumpBytes()
                .Load(10, 0x1000, "App.A:First ()", 1)
                .Load(20, 0x1000, "App.A:Second ()", 2)
                .Load(30, 0x2000, "App.A:Third ()", 3)
                .Move(40, 0x2000, 0x3000, 3)
                .ToArray()
        );
        return new JitCodeSource("jit-1.dump", 1, new TraceClock(0, 1_000_000_000), dump.Codes, hasTimes);
    }

    private static string? NameAt(ManagedCodeMap map, ulong address, long time) =>
        map.TryFind(address, time, out var code, out _, out _) ? code.Name : null;

    private static JitDump Read(byte[] bytes)
    {
        using var folder = new TempFolder();
        return JitDump.Read(folder.Write("jit-1.dump", bytes));
    }

    private static byte[] Whole() => Build(_ => { });

    private static List<int> Ends()
    {
        var ends = new List<int>();
        Build(dump => ends.Add(dump.Length));
        return ends;
    }

    private static byte[] Build(Action<JitDumpBytes> after)
    {
        var dump = new JitDumpBytes();
        foreach (
            var add in (Action[])
                [
                    () => dump.Load(10, 0x1000, "App.A:First ()", 1),
                    () => dump.DebugInfo(19),
                    () => dump.Unwinding(19),
                    () => dump.Load(20, 0x2000, "App.A:Second ()", 2, size: 8),
                    () => dump.Load(15, 0x3000, "App.A:Ü ()", 3),
                    () => dump.Move(30, 0x1000, 0x5000, 1),
                    () => dump.Move(31, 0x9000, 0x9100, 99),
                    () => dump.Close(40),
                ]
        )
        {
            add();
            after(dump);
        }

        return dump.ToArray();
    }
}
