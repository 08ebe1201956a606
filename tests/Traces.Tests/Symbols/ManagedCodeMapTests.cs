using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

public sealed class ManagedCodeMapTests
{
    private readonly ManagedCodeMap _map = new();

    [Fact]
    public void Code_lives_from_its_load_on()
    {
        Load(100, "A", 0x1000, 0x100);

        Assert.Null(At(0x1000, 99));
        Assert.Equal("A", At(0x1000, 100));
        Assert.Equal("A", At(0x10ff, 1_000_000));
        Assert.Null(At(0x1100, 200));
        Assert.Null(At(0x0fff, 200));
    }

    [Fact]
    public void An_address_that_is_used_again_means_the_method_that_lived_there_then()
    {
        Load(100, "A", 0x1000, 0x100);
        _map.Hear(new MethodCodeFreed(new EventAt(200, 1, 1), 0x1000));
        Load(300, "B", 0x1000, 0x80, id: 2);

        Assert.Equal("A", At(0x1010, 199));
        Assert.Null(At(0x1010, 200));
        Assert.Null(At(0x1010, 299));
        Assert.Equal("B", At(0x1010, 300));
        Assert.Null(At(0x1090, 300)); // A was longer than B
    }

    [Fact]
    public void A_lost_unload_does_not_keep_the_old_method_alive()
    {
        Load(100, "A", 0x1000, 0x100);
        Load(300, "B", 0x1000, 0x80, id: 2);

        Assert.Equal("A", At(0x1010, 299));
        Assert.Equal("B", At(0x1010, 300));
        Assert.Null(At(0x1090, 300));
    }

    [Fact]
    public void Code_that_overlaps_older_code_hides_it()
    {
        Load(100, "A", 0x1000, 0x1000);
        Load(300, "B", 0x1800, 0x100, id: 2);

        Assert.Equal("A", At(0x1810, 299));
        Assert.Equal("B", At(0x1810, 300));
        Assert.Equal("A", At(0x1900, 300));
    }

    [Fact]
    public void The_answer_says_how_long_it_holds()
    {
        Load(100, "A", 0x1000, 0x100);
        _map.Hear(new MethodCodeFreed(new EventAt(200, 1, 1), 0x1000));
        Load(300, "B", 0x1000, 0x100, id: 2);

        Assert.Equal((long.MinValue, 100), Holds(50));
        Assert.Equal((100, 200), Holds(150));
        Assert.Equal((200, 300), Holds(250));
        Assert.Equal((300, long.MaxValue), Holds(350));

        (long From, long To) Holds(long time)
        {
            _map.TryFind(0x1010, time, out _, out var from, out var to);
            return (from, to);
        }
    }

    [Fact]
    public void The_rundown_adds_what_was_there_before_and_repeats_nothing()
    {
        Load(100, "A", 0x1000, 0x100);
        Load(900, "A", 0x1000, 0x100, rundown: true);
        Load(900, "Old", 0x2000, 0x100, id: 2, rundown: true);

        Assert.Equal(2, _map.Count);
        Assert.Null(At(0x1000, 50));
        Assert.Equal("Old", At(0x2000, 50));
    }

    [Fact]
    public void Precompiled_code_is_in_its_place_before_its_first_call()
    {
        Load(100, "R", 0x1000, 0x100, tier: CodeTier.ReadyToRun);

        Assert.Equal("R", At(0x1000, 1));
    }

    [Fact]
    public void Impossible_sizes_are_left_out()
    {
        Load(1, "empty", 0x1000, 0);
        Load(1, "huge", 0x1000, uint.MaxValue);
        Load(1, "beyond", ulong.MaxValue - 4, 0x100);

        Assert.Equal(0, _map.Count);
    }

    [Fact]
    public void Ten_thousand_methods_answer_as_a_plain_search_does()
    {
        var random = new Random(17);
        var codes = new List<(ulong Start, uint Size, long Time, string Name)>();
        for (var i = 0; i < 10_000; i++)
        {
            var code = ((ulong)random.Next(1, 4_000_000) * 16, (uint)random.Next(1, 400), (long)i, $"M{i}");
            codes.Add(code);
            Load(code.Item3, code.Item4, code.Item1, code.Item2, id: i);
        }

        for (var look = 0; look < 2_000; look++)
        {
            var (start, size, _, _) = codes[random.Next(codes.Count)];
            var address = start + (uint)random.Next((int)size + 16);
            var time = (long)random.Next(11_000);
            var expected = codes
                .Where(code =>
                    code.Time <= time
                    && code.Start <= address
                    && address < code.Start + code.Size
                    && !codes.Any(later => later.Start == code.Start && later.Time > code.Time && later.Time <= time)
                )
                .OrderBy(code => code.Time)
                .Select(code => code.Name)
                .LastOrDefault();
            Assert.Equal(expected, At(address, time));
        }
    }

    [Fact]
    public void Reads_the_methods_of_a_recording()
    {
        var result = NetTraceSource.Open(TestFiles.Data("net10/code.nettrace")).Read(_map, EventKinds.MethodCode);

        // As many as TraceEvent's typed parser counts: this session enabled neither precompiled methods nor a rundown.
        Assert.Null(result.Damage);
        Assert.Equal(286, _map.Count);
    }

    private void Load(long time, string name, ulong start, uint size, long id = 1, bool rundown = false, CodeTier tier = CodeTier.Tier1) =>
        _map.Hear(new MethodCode(new EventAt(time, 1, 1), id, 7, start, size, tier, rundown, "Space.Type", name, "void ()"));

    private string? At(ulong address, long time) => _map.TryFind(address, time, out var code, out _, out _) ? code.Name : null;
}
