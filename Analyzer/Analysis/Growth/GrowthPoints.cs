using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Growth;

/// <summary>Which runs, and which part of their time, tell how a time grows with the object count.</summary>
internal static class GrowthPoints
{
    /// <summary>Least share of the wall time that counts: pauses and waiting can fill a run nearly.</summary>
    private const double LeastShare = 0.01;

    /// <summary>Most by which time ready and pauses may overlap, as a share of what remains without both: what is taken off twice makes a run too short.</summary>
    private const double LargestOverlap = 0.25;

    /// <summary>A run that took more or less of its row's median than this was held up, or cut short, by something else than its objects.</summary>
    private const double LargestFactor = 3;

    /// <summary>Wall time of an operation in ms, less the time ready and the collections' pauses where they are known: more survivors make longer pauses, which other rules tell.</summary>
    public static double Time(Run run) => Whole(run) / run.Operations;

    /// <summary>Median of these times of a row that has such runs.</summary>
    public static double Median(SummaryRow row) => Statistics.Median([.. Telling(row).Select(Time)])!.Value;

    /// <summary>
    /// Completed runs whose time is known well enough. Time ready and pauses may overlap by as much as the shorter of the two: a run in which that is much of what remains tells nothing.
    /// </summary>
    public static IEnumerable<Run> Telling(SummaryRow row) => Completed(row).Where(run => Math.Min(Ready(run), Pauses(run)) <= LargestOverlap * Whole(run));

    /// <summary>Runs that are points: those within 3 times their row's median. One short run that the machine held up for some ms would be a tenth of all points, and hide any growth.</summary>
    public static IEnumerable<Run> Usual(SummaryRow row)
    {
        var median = Median(row);
        return Telling(row).Where(run => Time(run) <= LargestFactor * median && Time(run) >= median / LargestFactor);
    }

    /// <summary>Runs that make the row's numbers.</summary>
    public static IEnumerable<Run> Completed(SummaryRow row) => row.CountedRuns;

    private static double Whole(Run run) => Math.Max(run.WallMs - Ready(run) - Pauses(run), run.WallMs * LeastShare);

    private static double Ready(Run run) => run.Measuring?.ReadyMs ?? 0;

    private static double Pauses(Run run) => run.PauseTotalMs ?? 0;
}
