using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Rows;

/// <summary>How far a row's times are its serializer's, and not the machine's or chance. The rules on noise, the verdict over a table and the order of rows go by the same limits.</summary>
public static class RowTrust
{
    /// <summary>Largest share of a row's time in which its thread may be ready without a processor, in %.</summary>
    private const double LargestReadyPercent = 5;

    /// <summary>Fewest slow runs of a row, and their smallest share in %: one in ten happens on any machine.</summary>
    private const int FewestSlowRuns = 2;
    private const double LargestSlowPercent = 10;

    /// <summary>Largest distance of the quartiles, in % of the median: a single outlier is no noise.</summary>
    private const double LargestIqrPercent = 10;

    /// <summary>Share of a row's time in which the measuring thread could have run and had no processor, in %; null when not recorded.</summary>
    public static double? ReadyPercent(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return row.WallTotalMs > 0 ? 100 * SchedulingMeasures.Ready.ValueOf(row) / row.WallTotalMs : null;
    }

    /// <summary>Whether other programs took the processor. Rows of several threads compete with themselves: nothing is known of them.</summary>
    public static bool LackedProcessor(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return row.Key.ThreadCount == 1 && ReadyPercent(row) > LargestReadyPercent;
    }

    /// <summary>Share of a row's runs around which the speed probe ran slow, in %; null without runs.</summary>
    public static double? SlowPercent(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return row.Runs > 0 ? 100.0 * row.CountedRuns.Count(IsSlow) / row.Runs : null;
    }

    /// <summary>Whether the machine ran below its full speed in more of the runs than happens anyway.</summary>
    public static bool RanSlowly(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return row.CountedRuns.Count(IsSlow) >= FewestSlowRuns && SlowPercent(row) > LargestSlowPercent;
    }

    /// <summary>Whether the speed probe before or after a run took longer than <see cref="SpeedProbe.SlowFactor"/> times the fastest one of its process.</summary>
    public static bool IsSlow(Run run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return run.SlowPercent > (SpeedProbe.SlowFactor - 1) * 100;
    }

    /// <summary>Whether the middle half of the runs lies far apart.</summary>
    public static bool IsSpread(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return row.WallIqrMs > row.WallMedianMs * LargestIqrPercent / 100;
    }

    /// <summary>The median by which a row is ranked, of one operation in ms: wall time; where the thread lacked a processor its time on one. Null without runs.</summary>
    public static double? RankMs(SummaryRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        var isByProcessor = LackedProcessor(row);
        return isByProcessor ? Statistics.Median([.. row.CountedRuns.Select(run => TimeOf(run, isByProcessor))]) : row.WallMedianMs;
    }

    /// <summary>The time of one of a row's runs by which the row is ranked, of one operation in ms.</summary>
    public static double RankMs(SummaryRow row, Run run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return TimeOf(run, LackedProcessor(row));
    }

    private static double TimeOf(Run run, bool isByProcessor) => (isByProcessor && run.Measuring is { } measuring ? measuring.OnCpuMs : run.WallMs) / run.Operations;
}
