using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>Exceptions.</summary>
public static class ExceptionMeasures
{
    /// <summary>Exceptions thrown.</summary>
    public static Measure<long> Thrown { get; } =
        new("exceptions", "", "0")
        {
            Header = "Exc",
            Shown = ReportTables.Runs | ReportTables.Main | ReportTables.FirstUse | ReportTables.Timeline,
            Definition =
                "Exceptions thrown, on any thread; a rethrow (`throw;`) counts again if the runtime writes an event for it (.NET 10 did not when tested)",
            Source = "event 80 (session `clr`), exact",
            NotRecorded = "no exception events",
            Stored = new("exceptions", "Exceptions thrown", "Exceptions thrown over all runs"),
            Needs = EventKinds.Exceptions,
            Collect = run => run.Tally.Exceptions,
        };

    /// <summary>All measures of this group, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [Thrown];
}
