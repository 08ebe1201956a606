using EtwSerializerProfiler.Analysis.Comparison;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>Wall times of runs, and the differences between their windows and the program's own clock.</summary>
public static class WallMeasures
{
    private const string Window = "the run's window; its delimiter gives the error";
    private const string NextDelimiter = "the next delimiter";
    private const string NoOwnClock = "the program's own times are unknown, or are the delimiter itself";

    /// <summary>Wall time of a run.</summary>
    public static Measure<double> Wall { get; } =
        new("wallMs", "ms", "0.000")
        {
            Header = "Wall ms",
            Fields = ReportFields.Runs,
            Shown = ReportTables.Runs | ReportTables.Processor | ReportTables.Timeline,
            Definition = "Length of the run's window",
            Source = Window,
            Fallback = NextDelimiter,
            NotRecorded = Measure.Never,
            Stored = new("wall_ms", "Wall time: stop - start"),
            Compared = new("wall", "Wall ms", MetricKind.Time),
            OfRun = run => run.WallMs,
        };

    /// <summary>Median of the runs.</summary>
    public static Measure<double> Median { get; } =
        new("wallMedianMs", "ms", "0.000")
        {
            Header = "Median ms",
            Fields = ReportFields.Table,
            Shown = ReportTables.Main | ReportTables.FirstUse,
            IsInTotals = false,
            Definition =
                "Median of the windows' lengths; for iterations of BenchmarkDotNet, this and the next three are divided by their operations",
            Source = Window,
            Fallback = NextDelimiter,
            NotRecorded = Measure.Never,
            Stored = new(
                "wall_median_ms",
                null,
                "Median of the wall times; for iterations of BenchmarkDotNet, this and the next three are per operation"
            ),
            OfRow = row => row.WallMedianMs,
        };

    /// <summary>Shortest run.</summary>
    public static Measure<double> Min { get; } =
        new("wallMinMs", "ms", "0.000")
        {
            Header = "Min ms",
            Fields = ReportFields.Table,
            Shown = ReportTables.Main | ReportTables.FirstUse,
            IsInTotals = false,
            Definition = "Shortest window",
            Source = Window,
            Fallback = NextDelimiter,
            NotRecorded = Measure.Never,
            Stored = new("wall_min_ms", null, "Shortest"),
            OfRow = row => row.WallMinMs,
        };

    /// <summary>Longest run.</summary>
    public static Measure<double> Max { get; } =
        new("wallMaxMs", "ms", "0.000")
        {
            Fields = ReportFields.Table,
            IsInTotals = false,
            Definition = "Longest window",
            Source = Window,
            Fallback = NextDelimiter,
            NotRecorded = Measure.Never,
            Stored = new("wall_max_ms", null, "Longest"),
            OfRow = row => row.WallMaxMs,
        };

    /// <summary>Interquartile range.</summary>
    public static Measure<double> Iqr { get; } =
        new("wallIqrMs", "ms", "0.000")
        {
            Fields = ReportFields.Table,
            IsInTotals = false,
            Definition = "Interquartile range (linear interpolation, type 7 of Hyndman and Fan)",
            Source = Window,
            Fallback = NextDelimiter,
            NotRecorded = Measure.Never,
            Stored = new("wall_iqr_ms", null, "Interquartile range"),
            OfRow = row => row.WallIqrMs,
        };

    /// <summary>Sum of the runs.</summary>
    public static Measure<double> Total { get; } =
        new("wallTotalMs", "ms", "0.000")
        {
            Header = "Wall ms",
            Fields = ReportFields.Table,
            Shown = ReportTables.Processor,
            Definition = "Sum of the windows' lengths",
            Source = Window,
            Fallback = NextDelimiter,
            NotRecorded = Measure.Never,
            Stored = new("wall_total_ms", null, "Sum of the wall times"),
            OfRow = row => row.WallTotalMs,
        };

    /// <summary>Spread of the runs.</summary>
    public static Measure<double> Spread { get; } =
        new("spreadPercent", "%", "0.0")
        {
            Header = "Spread %",
            Fields = ReportFields.Table,
            Shown = ReportTables.Main,
            IsInTotals = false,
            Definition = "(max - min) / median of the windows' lengths; `-` for one run",
            Source = Window,
            Fallback = NextDelimiter,
            NotRecorded = Measure.Never,
            DoesNotApplyToRow = _ => true,
            OfRow = row => row.SpreadPercent,
        };

    /// <summary>Start of the window against the program's clock.</summary>
    public static Measure<double> StartDifference { get; } =
        new("startDifferenceUs", "µs", "0.0")
        {
            Header = "Start diff µs",
            Fields = ReportFields.Runs,
            Shown = ReportTables.Runs,
            Definition = "Start of the window minus the program's own start; negative if the window starts earlier",
            NotRecorded = NoOwnClock,
            Stored = new("start_difference_us", "Start minus the program's own start"),
            Collect = run => run.ComparableClock is { } own ? run.Microseconds(run.Window.Start - own.Start) : null,
        };

    /// <summary>Stop of the window against the program's clock.</summary>
    public static Measure<double> StopDifference { get; } =
        new("stopDifferenceUs", "µs", "0.0")
        {
            Header = "Stop diff µs",
            Fields = ReportFields.Runs,
            Shown = ReportTables.Runs,
            Definition = "Stop of the window minus the program's own stop",
            NotRecorded = NoOwnClock,
            Stored = new("stop_difference_us", "Stop minus the program's own stop"),
            Collect = run => run.ComparableClock is { } own ? run.Microseconds(run.Window.Stop - own.Stop) : null,
        };

    /// <summary>Length of the window against the program's clock.</summary>
    public static Measure<double> DurationDifference { get; } =
        new("durationDifferenceUs", "µs", "0.0")
        {
            Header = "Wall diff µs",
            Fields = ReportFields.Runs,
            Shown = ReportTables.Runs,
            Definition = "Length of the window minus the program's own wall time",
            NotRecorded = NoOwnClock,
            Stored = new("duration_difference_us", "Wall time minus the program's own wall time"),
            Collect = run =>
                run.ComparableClock is { } own ? run.Microseconds(run.Window.Stop - run.Window.Start - (own.Stop - own.Start)) : null,
        };

    /// <summary>Length of the marker's wait against the program's clock.</summary>
    public static Measure<double> MarkerDurationDifference { get; } =
        new("markerDurationDifferenceUs", "µs", "0.0")
        {
            Header = "Marker diff µs",
            Fields = ReportFields.Runs,
            Shown = ReportTables.Runs,
            Definition =
                "Length of the marker's wait (until its thread was ready, else its switch-in, else the wait event) minus the program's own wall time",
            NotRecorded = "the wait or the program's clock is missing",
            Stored = new("marker_duration_difference_us", "Length of the marker's wait minus the program's own wall time"),
            Collect = run =>
                run.Evidence is { OwnClock: { } own, MarkerWait: { } wait }
                    ? run.Microseconds(wait.Stop - wait.Start - (own.Stop - own.Start))
                    : null,
        };

    /// <summary>Marker against marks.</summary>
    public static Measure<double> MarkerMarksDifference { get; } =
        new("markerMarksDifferenceUs", "µs", "0.0")
        {
            Fields = ReportFields.Runs,
            Definition = "Larger of the differences between the marker's wait and the marks at start and stop",
            NotRecorded = "one of the two is missing",
            Stored = new(
                "marker_marks_difference_us",
                "Larger of the differences between the marker's wait and the marks at start and stop"
            ),
            Collect = run => run.Evidence.WaitToMarks is { } distance ? run.Microseconds(distance) : null,
        };

    /// <summary>Wall times.</summary>
    public static IReadOnlyList<Measure> Times { get; } = [Wall, Median, Min, Max, Iqr, Total, Spread];

    /// <summary>Differences from the program's clock.</summary>
    public static IReadOnlyList<Measure> Differences { get; } =
    [StartDifference, StopDifference, DurationDifference, MarkerDurationDifference, MarkerMarksDifference];

    /// <summary>All measures of this group, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [.. Times, .. Differences];
}
