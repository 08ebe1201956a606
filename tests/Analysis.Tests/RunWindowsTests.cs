using EtwSerializerProfiler.Analysis.Runs.Costs;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>Windows of runs that are nested or overlap.</summary>
public sealed class RunWindowsTests
{
    /// <summary>Against a search through all windows.</summary>
    [Fact]
    public void Windows_that_overlap_are_all_found()
    {
        var random = new Random(27);
        for (var round = 0; round < 200; round++)
        {
            var spans = Enumerable
                .Range(0, random.Next(1, 12))
                .Select(_ => (Start: (long)random.Next(100), Length: (long)random.Next(1, 60)))
                .Select(item => (item.Start, Stop: item.Start + item.Length))
                .OrderBy(span => span.Start)
                .ToList();
            var windows = new RunWindows(spans.Select(span => (span.Start, span.Stop)));
            for (var time = 0L; time < 170; time += 3)
            {
                var stop = time + random.Next(1, 40);
                var expected = spans
                    .Index()
                    .Select(item => (item.Index, Ticks: Math.Min(stop, item.Item.Stop) - Math.Max(time, item.Item.Start)))
                    .Where(item => item.Ticks > 0);
                var found = new List<(int Index, long Ticks)>();
                foreach (var (tally, ticks) in windows.Clip(time, stop))
                    found.Add((tally.Index, ticks));
                Assert.Equal(expected, found.OrderBy(item => item.Index));
                Assert.Equal(spans.FindLastIndex(span => span.Start <= time && time < span.Stop), windows.IndexAt(time));
            }
        }
    }

    [Fact]
    public void Of_overlapping_runs_an_event_belongs_to_that_of_its_thread()
    {
        var windows = new RunWindows([(0, 100), (10, 90), (20, 30)]);
        (windows.Tallies[0].MeasuringThread, windows.Tallies[1].MeasuringThread, windows.Tallies[2].MeasuringThread) = (1, 2, 1);

        Assert.Equal(
            (2, 1, 0, 1, -1),
            (windows.IndexAt(25, 1), windows.IndexAt(25, 2), windows.IndexAt(50, 1), windows.IndexAt(50, 7), windows.IndexAt(100, 1))
        );
    }
}
