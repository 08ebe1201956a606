using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Growth;

/// <summary>Which runs, and which part of their time, tell how a time grows with the object count.</summary>
internal static class GrowthPoints
{
    /// <summary>Least share of the wall time that counts: pauses and waiting can fill a run nearly.</summary>
    private const double LeastShare = 0.01;

    /// <summary>A run that took more or less of its row's median than this was held up, or cut short, by something else than its objects.</summary>
    private const double LargestFactor = 3;

    /// <summary>Wall time in ms, less the time ready and the collections' pauses where they are known: more survivors make longer pauses, which other rules tell.</summary>
    public static double Time(Run run) => Math.Max(run.WallMs - (run.Measuring?.ReadyMs ?? 0) - (run.PauseTotalMs ?? 0), run.WallMs * LeastShare);

    /// <summary>Median of these times of a row.</summary>
    public static double Median(SummaryRow row) => Statistics.Median([.. Completed(row).Select(Time)])!.Value;

    /// <summary>Runs that are points: those within 3 times their row's median. One short run that the machine held up for some ms would be a tenth of all points, and hide any growth.</summary>
    public static IEnumerable<Run> Usual(SummaryRow row)
    {
        var median = Median(row);
        return Completed(row).Where(run => Time(run) <= LargestFactor * median && Time(run) >= median / LargestFactor);
    }

    /// <summary>Runs that did not fail.</summary>
    public static IEnumerable<Run> Completed(SummaryRow row) => row.AllRuns.Where(run => run.Error.Length == 0);
}
