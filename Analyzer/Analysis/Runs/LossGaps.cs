using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// Finds runs during which events were lost, so that counts and times of these runs may be too small, and those of the others are whole.
/// </summary>
internal static class LossGaps
{
    /// <summary>Returns the runs; those that a gap touches have <see cref="Run.GapMs"/>.</summary>
    /// <param name="runs">Runs.</param>
    /// <param name="readings">Processes with the results of their sources.</param>
    public static IReadOnlyList<Run> Mark(IReadOnlyList<Run> runs, IReadOnlyList<ProcessReading> readings)
    {
        var gaps = readings
            .GroupBy(reading => reading.Process.Key)
            .ToDictionary(
                group => group.Key,
                group =>
                    (
                        Gaps: Join(group.SelectMany(reading => reading.Results.Values).SelectMany(result => result.Gaps)),
                        group.First().Clock.TicksPerSecond
                    )
            );
        if (gaps.Values.All(item => item.Gaps.Count == 0))
            return runs;
        return
        [
            .. runs.Select(run =>
                gaps.TryGetValue(run.Process, out var item) && OverlapMs(run, item.Gaps, item.TicksPerSecond) is { } ms
                    ? run with
                    {
                        GapMs = ms,
                    }
                    : run
            ),
        ];
    }

    /// <summary>Time of a run that lies in gaps, in ms; null when no gap touches it.</summary>
    private static double? OverlapMs(Run run, IReadOnlyList<EventGap> gaps, long ticksPerSecond)
    {
        var touching = gaps.Where(gap => gap.StartTicks <= run.StopTicks && gap.StopTicks >= run.StartTicks).ToList();
        return touching.Count == 0
            ? null
            : touching.Sum(gap => Math.Min(gap.StopTicks, run.StopTicks) - Math.Max(gap.StartTicks, run.StartTicks)) * 1e3 / ticksPerSecond;
    }

    /// <summary>Gaps of several sources, in order of time and without overlaps.</summary>
    public static IReadOnlyList<EventGap> Join(IEnumerable<EventGap> gaps)
    {
        var collector = new GapCollector();
        foreach (var gap in gaps)
            collector.Add(gap.StartTicks, gap.StopTicks, gap.LostEvents);
        return collector.Gaps();
    }
}
