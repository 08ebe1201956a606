using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>Waits for managed locks.</summary>
public static class LockMeasures
{
    private const string NoContention = "no contention events";

    /// <summary>Number of waits.</summary>
    public static Measure<long> Count { get; } =
        new("contentions", "", "0")
        {
            Header = "Locks",
            Shown = ReportTables.Runs | ReportTables.Main | ReportTables.Timeline,
            Definition = "Times a thread began to wait for a managed lock; the runtime's own locks do not count",
            Source = "event 81 (session `code`)",
            NotRecorded = NoContention,
            Stored = new("contentions", "Times a thread began to wait for a managed lock", "Waits for managed locks over all runs"),
            Needs = EventKinds.Contention,
            Collect = run => run.Tally.Contentions,
        };

    /// <summary>Waiting time.</summary>
    public static Measure<double> Time { get; } =
        new("contentionMs", "ms", "0.000")
        {
            Header = "Lock ms",
            Shown = ReportTables.Main,
            Definition = "Time from event 81 to event 91 on one thread, inside the window, summed over threads",
            Source = "these events (session `code`), µs",
            NotRecorded = NoContention,
            Stored = new(
                "contention_ms",
                "Waiting time for managed locks, summed over threads",
                "Waiting time for managed locks over all runs"
            ),
            Needs = EventKinds.Contention,
            Collect = run => run.Milliseconds(run.Tally.ContentionTicks),
        };

    /// <summary>All measures of this group, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [Count, Time];
}
