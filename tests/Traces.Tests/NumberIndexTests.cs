using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class NumberIndexTests
{
    [Fact]
    public void Each_item_is_found_by_its_key_as_the_index_grows()
    {
        // Addresses, which lie at equal distances, and two keys at the ends of the range.
        var keys = Enumerable
            .Range(0, 10_000)
            .Select(item => 0x7f00_0000_0000 + (0x40 * (ulong)item))
            .Append(0UL)
            .Append(ulong.MaxValue)
            .ToList();
        var index = new NumberIndex(number => keys[number]);

        for (var number = 0; number < keys.Count; number++)
        {
            Assert.Equal(-1, index.Find(keys[number]));
            index.Set(keys[number], number);
            Assert.Equal(number, index.Find(keys[number]));
        }

        Assert.Equal(Enumerable.Range(0, keys.Count), keys.Select(index.Find));
        Assert.Equal(-1, index.Find(0x7f00_0000_0001));
    }

    [Fact]
    public void A_later_item_replaces_one_with_the_same_key()
    {
        var keys = new ulong[] { 7, 8, 7 };
        var index = new NumberIndex(number => keys[number]);
        for (var number = 0; number < keys.Length; number++)
            index.Set(keys[number], number);

        Assert.Equal((2, 1), (index.Find(7), index.Find(8)));

        index.Clear();

        Assert.Equal(-1, index.Find(7));
    }
}
