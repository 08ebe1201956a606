using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Rows;

/// <summary>
/// Signs that the machine or chance, not the serializer, made a row's times. The noise findings, the verdict on a table and the ranking
/// share these limits.
/// </summary>
public static class RowTrust
{
    /// <summary>One slow run in ten happens on any machine.</summary>
    private const int MinSlowRuns = 2;
    private const double MaxSlowPercent = 10;

    /// <summary>
    /// Limit of the interquartile range, and of the range of launches, in % of the median: the first ignores a single outlier.
    /// </summary>
    private const double MaxIqrPercent = 10;

    /// <summary>Ready time of the measuring thread in % of the wall time; null when not recorded.</summary>
    public static double? ReadyPercent(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return row.WallTotalMs > 0 ? 100 * SchedulingMeasures.Ready.ValueOf(row) / row.WallTotalMs : null;
    }

    /// <summary>
    /// Whether other programs took the processor for more than 5 % of the time. False for several threads, which also compete with each
    /// other.
    /// </summary>
    public static bool LackedProcessor(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return row.Key.ThreadCount == 1 && ReadyPercent(row) > 100 * Disturbance.ReadyShare;
    }

    /// <summary>Slow runs (<see cref="IsSlow"/>) in % of the row's runs; null without runs.</summary>
    public static double? SlowPercent(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return row.Runs > 0 ? 100.0 * row.CountedRuns.Count(IsSlow) / row.Runs : null;
    }

    /// <summary>Whether the machine slowed down more runs than it does by chance.</summary>
    public static bool RanSlowly(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return row.CountedRuns.Count(IsSlow) >= MinSlowRuns && SlowPercent(row) > MaxSlowPercent;
    }

    /// <summary>
    /// Whether the speed probe before or after a run took longer than <see cref="SpeedProbe.SlowFactor"/> times the fastest one of its
    /// process.
    /// </summary>
    public static bool IsSlow(Run run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return run.SlowPercent > (SpeedProbe.SlowFactor - 1) * 100;
    }

    /// <summary>
    /// Maximum number of methods that the JIT still compiled when the settling before a run of the row reached its limit of rounds; null if
    /// it had come to rest before all of them, or if that is unknown.
    /// </summary>
    public static long? UnsettledMethods(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return JitMeasures.Unsettled.ValueOf(row) is > 0 and var methods ? methods : null;
    }

    /// <summary>Whether the interquartile range of the wall times exceeds a tenth of their median.</summary>
    public static bool IsSpread(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return row.WallIqrMs > row.WallMedianMs * MaxIqrPercent / 100;
    }

    /// <summary>
    /// Lowest and highest median of a row's processes, in ms per operation (as <see cref="RankMs"/>), if launches differ more than runs:
    /// the medians lie over a tenth apart, and all runs of the one process were faster than all of the other. Null if they do not, and for
    /// processes with a single run.
    /// </summary>
    public static (double Min, double Max)? LaunchRange(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        var launches = row
            .CountedRuns.GroupBy(run => run.Process)
            .Select(launch => RankTimes(row, launch))
            .Where(times => times.Length > 1)
            .Select(times => (Median: Statistics.Median(times)!.Value, Min: times.Min(), Max: times.Max()))
            .OrderBy(launch => launch.Median)
            .ToList();
        return
            launches is [var first, .., var last] && first.Max < last.Min && last.Median - first.Median > RankMs(row) * MaxIqrPercent / 100
            ? (first.Median, last.Median)
            : null;
    }

    /// <summary>Whether a row has one of the signs.</summary>
    public static bool IsDisturbed(SummaryRow row) =>
        LackedProcessor(row) || RanSlowly(row) || IsSpread(row) || LaunchRange(row) is not null || UnsettledMethods(row) is not null;

    /// <summary>
    /// The median that ranks a row, in ms per operation: CPU time of the measuring thread if it lacked a processor, else wall time. Null
    /// without runs.
    /// </summary>
    public static double? RankMs(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return Statistics.Median(RankTimes(row, row.CountedRuns));
    }

    /// <summary>The times of a row's runs that rank it, in ms per operation.</summary>
    /// <param name="row">The row; it decides between CPU time and wall time.</param>
    /// <param name="runs">Some of its runs.</param>
    public static double[] RankTimes(SummaryRow row, IEnumerable<Run> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        var lacked = LackedProcessor(row);
        return [.. runs.Select(run => (lacked && run.Measuring is { } measuring ? measuring.OnCpuMs : run.WallMs) / run.Operations)];
    }
}
