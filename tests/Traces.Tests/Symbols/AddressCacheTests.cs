using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

public sealed class AddressCacheTests
{
    private readonly AddressCache _cache = new();

    [Fact]
    public void An_answer_is_known_in_its_interval_only()
    {
        _cache.Set(0x1000, 7, from: 10, to: 20);

        Assert.Equal([-1, 7, 7, -1], [_cache.Find(0x1000, 9), _cache.Find(0x1000, 10), _cache.Find(0x1000, 19), _cache.Find(0x1000, 20)]);
        Assert.Equal(-1, _cache.Find(0x1001, 10));
    }

    [Fact]
    public void An_answer_that_always_holds_is_known_at_every_time()
    {
        _cache.Set(0, 0, long.MinValue, long.MaxValue);

        Assert.Equal([0, 0], [_cache.Find(0, long.MinValue), _cache.Find(0, long.MaxValue - 1)]);
    }

    [Fact]
    public void A_free_slot_has_no_answer() => Assert.Equal(-1, _cache.Find(0, 0));

    [Fact]
    public void Many_answers_are_kept_and_replaced_as_by_a_dictionary()
    {
        var random = new Random(1);
        var known = new Dictionary<ulong, (int Answer, long From, long To)>();
        for (var i = 0; i < 20_000; i++)
        {
            var address = (ulong)random.Next(5_000) * 16;
            var from = random.Next(5);
            known[address] = (random.Next(100), from, from + random.Next(1, 5));
            _cache.Set(address, known[address].Answer, known[address].From, known[address].To);
        }

        foreach (var (address, (answer, from, to)) in known)
        {
            Assert.Equal(answer, _cache.Find(address, from));
            Assert.Equal(answer, _cache.Find(address, to - 1));
            Assert.Equal(-1, _cache.Find(address, to));
        }
    }
}
