using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Growth;

/// <summary>Selects the runs, and the part of their time, that show growth with the object count.</summary>
internal static class GrowthPoints
{
    /// <summary>
    /// Object count from which a run's time is that of its objects. Every run also has some 20 µs of its own; fitted from one object on,
    /// linear serializers had an exponent of 0.6.
    /// </summary>
    public const int MinObjects = 1000;

    /// <summary>Minimum share of the wall time that counts, because pauses and waits can fill almost a whole run.</summary>
    private const double MinShare = 0.01;

    /// <summary>
    /// Maximum overlap of ready time and pauses, as a share of the time without both: subtracting it twice makes a run too short.
    /// </summary>
    private const double MaxOverlap = 0.25;

    /// <summary>
    /// Runs whose time differs from their row's median by more than this factor were delayed or cut short by something other than their
    /// objects.
    /// </summary>
    private const double MaxFactor = 3;

    /// <summary>
    /// Wall time of an operation in ms, without known ready time and GC pauses: more survivors make longer pauses, which other rules
    /// report.
    /// </summary>
    public static double Time(Run run) => Whole(run) / run.Operations;

    /// <summary>Median of these times, for a row with usable runs.</summary>
    public static double Median(SummaryRow row) => Statistics.Median([.. Usable(row).Select(Time)])!.Value;

    /// <summary>
    /// Completed runs whose time is known precisely enough. Ready time and pauses may overlap by up to the shorter of the two; a run is
    /// unusable if that is much of its remaining time.
    /// </summary>
    public static IEnumerable<Run> Usable(SummaryRow row) =>
        Completed(row).Where(run => Math.Min(Ready(run), Pauses(run)) <= MaxOverlap * Whole(run));

    /// <summary>
    /// Runs within 3 times their row's median, which are the points. One short run that the machine delayed by some ms would be a tenth of
    /// all points and hide any growth.
    /// </summary>
    public static IEnumerable<Run> Usual(SummaryRow row)
    {
        var median = Median(row);
        return Usable(row).Where(run => Time(run) <= MaxFactor * median && Time(run) >= median / MaxFactor);
    }

    /// <summary>Runs of the row's numbers.</summary>
    public static IEnumerable<Run> Completed(SummaryRow row) => row.CountedRuns;

    private static double Whole(Run run) => Math.Max(run.WallMs - Ready(run) - Pauses(run), run.WallMs * MinShare);

    private static double Ready(Run run) => run.Measuring?.ReadyMs ?? 0;

    private static double Pauses(Run run) => run.PauseTotalMs ?? 0;
}
