using System.Runtime.InteropServices;
using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class PagedListTests
{
    /// <summary>A page has 512 of the small items, and one of the large ones.</summary>
    [Fact]
    public void Items_of_several_pages_stay_in_order()
    {
        var small = new PagedList<(long, long)>();
        var large = new PagedList<Large>();
        for (var index = 0; index < 10_000; index++)
            small.Add((index, -index));
        for (var index = 0; index < 3; index++)
            large.Add(new Large { Number = index });

        Assert.Equal(Enumerable.Range(0, 10_000).Select(index => ((long)index, (long)-index)), small);
        Assert.Equal((10_000, (512L, -512L)), (small.Count, small[512]));
        Assert.Equal([0, 1, 2], large.Select(item => item.Number));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(1)]
    public void Only_items_that_were_added_can_be_read(int index)
    {
        var list = new PagedList<int> { 1 };

        Assert.Throws<ArgumentOutOfRangeException>(() => list[index]);
    }

    [StructLayout(LayoutKind.Sequential, Size = 60_000)]
    private struct Large
    {
        public int Number;
    }
}
