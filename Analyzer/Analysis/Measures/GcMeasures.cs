using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>Measures of GCs and their pauses.</summary>
public static class GcMeasures
{
    private const string GcStart = "GCStart events (session `clr`), exact";
    private const string OwnCount = "differences of the program's GC.CollectionCount";
    private const string NoCounts = "neither GC events nor the program's count were recorded";
    private const string Suspensions = "GCSuspendEEBegin, GCRestartEEEnd (session `clr`), µs";
    private const string NoGc = "no GC events";
    private const string ProgramDidNotSay = "the program did not report it";

    /// <summary>Number of GCs by generation, as one text.</summary>
    public static Measure<GcCounts> Counts { get; } =
        new("gcsGen012", "", "G")
        {
            Header = "GC 0/1/2",
            Shown = ReportTables.Runs | ReportTables.Main | ReportTables.FirstUse | ReportTables.Timeline,
            IsInTotals = false,
            Definition = "GCs that began in the window, by collected generation; each GC counts once",
            Source = GcStart,
            Fallback = OwnCount,
            NotRecorded = NoCounts,
            OfRun = run => run.Gcs,
            OfRow = row => row.Gcs,
        };

    /// <summary>Number of GCs by the program's own count, as one text.</summary>
    public static Measure<GcCounts> OwnCounts { get; } =
        new("ownGcsGen012", "", "G")
        {
            Fields = ReportFields.Runs,
            Definition = "GCs by the program's own count",
            Source = OwnCount,
            NotRecorded = ProgramDidNotSay,
            OfRun = run => run.OwnGcs,
        };

    /// <summary>GCs of generation 0.</summary>
    public static Measure<long> Gen0 { get; } =
        new("gen0Gcs", "", "0")
        {
            Fields = ReportFields.Table,
            Definition = "GCs of generation 0",
            Source = GcStart,
            Fallback = OwnCount,
            NotRecorded = NoCounts,
            Stored = new("gc0", "GCs of generation 0 that began in the run", "GCs of generation 0 over all runs"),
            Collect = run => run.Gcs?.Gen0,
        };

    /// <summary>GCs of generation 1.</summary>
    public static Measure<long> Gen1 { get; } =
        new("gen1Gcs", "", "0")
        {
            Fields = ReportFields.Table,
            Definition = "GCs of generation 1",
            Source = GcStart,
            Fallback = OwnCount,
            NotRecorded = NoCounts,
            Stored = new("gc1", "GCs of generation 1", "GCs of generation 1"),
            Collect = run => run.Gcs?.Gen1,
        };

    /// <summary>GCs of generation 2.</summary>
    public static Measure<long> Gen2 { get; } =
        new("gen2Gcs", "", "0")
        {
            Fields = ReportFields.Table,
            Definition = "GCs of generation 2, blocking and background",
            Source = GcStart,
            Fallback = OwnCount,
            NotRecorded = NoCounts,
            Stored = new("gc2", "GCs of generation 2", "GCs of generation 2"),
            Collect = run => run.Gcs?.Gen2,
        };

    /// <summary>GCs of generation 0 by the program's own count.</summary>
    public static Measure<long> OwnGen0 { get; } =
        new("ownGen0Gcs", "")
        {
            Fields = ReportFields.None,
            Definition = "GCs of generation 0 by the program's own count",
            Source = OwnCount,
            NotRecorded = ProgramDidNotSay,
            Stored = new("own_gc0", "GCs of generation 0 by the program's own count"),
            Collect = run => run.OwnGcs?.Gen0,
        };

    /// <summary>GCs of generation 1 by the program's own count.</summary>
    public static Measure<long> OwnGen1 { get; } =
        new("ownGen1Gcs", "")
        {
            Fields = ReportFields.None,
            Definition = "GCs of generation 1 by the program's own count",
            Source = OwnCount,
            NotRecorded = ProgramDidNotSay,
            Stored = new("own_gc1", "GCs of generation 1 by the program's own count"),
            Collect = run => run.OwnGcs?.Gen1,
        };

    /// <summary>GCs of generation 2 by the program's own count.</summary>
    public static Measure<long> OwnGen2 { get; } =
        new("ownGen2Gcs", "")
        {
            Fields = ReportFields.None,
            Definition = "GCs of generation 2 by the program's own count",
            Source = OwnCount,
            NotRecorded = ProgramDidNotSay,
            Stored = new("own_gc2", "GCs of generation 2 by the program's own count"),
            Collect = run => run.OwnGcs?.Gen2,
        };

    /// <summary>GC pauses.</summary>
    public static Measure<double> Pause { get; } =
        new("pauseTotalMs", "ms", "0.000")
        {
            Header = "Pause ms",
            Shown = ReportTables.Runs | ReportTables.Main | ReportTables.Timeline,
            Definition =
                "Time in the window between SuspendEE with reason SuspendForGC or SuspendForGCPrep and RestartEE of one thread; overlapping pauses count once. "
                + "The suspension that reads exact allocated bytes has reason SuspendOther and does not count",
            Source = Suspensions,
            NotRecorded = NoGc,
            Stored = new("pause_ms", "Time in which GCs kept the program's threads suspended", "GC pause over all runs"),
            Compared = new("gc", "GC pause ms", MetricKind.PartOfTime),
            Needs = EventKinds.Gc,
            Collect = run => run.Milliseconds(run.Tally.PauseTicks),
        };

    /// <summary>Longest GC pause.</summary>
    public static Measure<double> MaxPause { get; } =
        new("pauseMaxMs", "ms", "0.000")
        {
            Header = "Max pause ms",
            Shown = ReportTables.Main,
            Definition = "Longest single pause inside a window",
            Source = Suspensions,
            NotRecorded = NoGc,
            Stored = new("pause_max_ms", "Longest GC pause", "Longest GC pause"),
            Needs = EventKinds.Gc,
            Collect = run => run.Milliseconds(run.Tally.MaxPauseTicks),
            OverRuns = OverRuns.Max,
        };

    /// <summary>Share of GC pauses.</summary>
    public static Measure<double> PauseShare { get; } =
        new("pausePercent", "%", "0.0")
        {
            Header = "Pause %",
            Shown = ReportTables.Main,
            Definition = "Pause ms / length of the windows",
            Source = Suspensions,
            NotRecorded = NoGc,
            OfRun = run => run.PausePercent,
            OfRow = row => row.PausePercent,
        };

    /// <summary>All measures of this group, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } =
    [Counts, OwnCounts, Gen0, Gen1, Gen2, OwnGen0, OwnGen1, OwnGen2, Pause, MaxPause, PauseShare];
}
