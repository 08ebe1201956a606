using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>JIT compilation.</summary>
public static class JitMeasures
{
    private const string NoJit = "no JIT events";

    /// <summary>Methods compiled.</summary>
    public static Measure<long> Methods { get; } =
        new("jitMethods", "", "0")
        {
            Header = "JIT",
            Shown = ReportTables.Runs | ReportTables.Main | ReportTables.FirstUse | ReportTables.Timeline,
            Definition =
                "Methods whose compilation ended in the window, on any thread of the process; recompilations of the tiers count again, precompiled (ReadyToRun) code does not",
            Source = "MethodLoadVerbose with the flag Jitted (session `code`), exact",
            NotRecorded = NoJit,
            Stored = new("jit_methods", "Methods whose compilation ended in the run", "Methods compiled over all runs"),
            Needs = EventKinds.Jit,
            Collect = run => run.Tally.JitMethods,
        };

    /// <summary>Time of compilation.</summary>
    public static Measure<double> Time { get; } =
        new("jitMs", "ms", "0.000")
        {
            Header = "JIT ms",
            Shown = ReportTables.Runs | ReportTables.Main | ReportTables.FirstUse | ReportTables.Timeline,
            Definition =
                "Time from MethodJittingStarted to MethodLoadVerbose of the same method on the same thread, inside the window, summed over threads; nested compilations count once. "
                + "Background compilation runs in parallel to the program, so the sum can exceed the wall time",
            Source = "these events (session `code`), µs",
            NotRecorded = NoJit,
            Stored = new("jit_ms", "Compilation time, summed over threads", "Compilation time over all runs"),
            Compared = new("jit", "JIT ms", MetricKind.PartOfTime),
            Needs = EventKinds.Jit,
            Collect = run => run.Milliseconds(run.Tally.JitTicks),
        };

    /// <summary>Methods compiled when settling ended without rest.</summary>
    public static Measure<long> Unsettled { get; } =
        new("unsettledMethods", "", "0")
        {
            IsInTotals = false,
            Definition =
                "Methods compiled in the last six rounds of the settling before the run, if it ended with its last round and not with the JIT at rest; 0 "
                + "if the JIT had come to rest. For a row, the largest of its runs",
            Source = "run CSV: the runtime's count (`JitInfo`)",
            NotRecorded = "runs that are not measured ones, programs without a run CSV, recordings of older versions",
            Stored = new(
                "unsettled_methods",
                "Methods compiled at the end of the settling before the run; 0 if the JIT had come to rest",
                "Most methods compiled at the end of the settling before a run",
                Since: 4
            ),
            Collect = run => run.SelfMeasurement is { UnsettledMethods: >= 0 } own ? own.UnsettledMethods : null,
            OverRuns = OverRuns.Max,
        };

    /// <summary>All measures of this group, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [Methods, Time, Unsettled];
}
