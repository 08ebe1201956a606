namespace EtwSerializerProfiler.Traces.Tests;

public sealed class GapCollectorTests
{
    [Fact]
    public void Gaps_that_overlap_become_one_and_the_others_stay_apart()
    {
        var collector = new GapCollector();
        collector.Add(50, 60, 1);
        collector.Add(10, 20, 2);
        collector.Add(15, 18, 3);
        collector.Add(20, 25, 4);

        Assert.Equal([new EventGap(10, 25, 9), new EventGap(50, 60, 1)], collector.Gaps());
    }

    /// <summary>A gap never ends before it starts, and no loss is dropped to save memory.</summary>
    [Fact]
    public void Any_number_of_gaps_takes_little_memory_and_keeps_the_count()
    {
        const int Count = 100_001;
        var collector = new GapCollector();
        for (var number = 0; number < Count; number++)
            collector.Add(10L * number, 10L * number + 1, 1);

        var gaps = collector.Gaps();
        Assert.InRange(gaps.Count, 1, 10_000);
        Assert.Equal((Count, 0, 10L * (Count - 1) + 1), (gaps.Sum(gap => gap.LostEvents), gaps[0].StartTicks, gaps[^1].StopTicks));
        Assert.All(gaps.Zip(gaps.Skip(1)), pair => Assert.True(pair.First.StopTicks < pair.Second.StartTicks));
    }
}
