namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>Speed of the machine around a run, and delays of the run.</summary>
public static class MachineMeasures
{
    private const string NoProbe = "first calls, programs without a run CSV, recordings of older versions";

    /// <summary>Slowness of the machine, relative to its fastest.</summary>
    public static Measure<double> Slow { get; } =
        new("slowPercent", "%", "0.0")
        {
            Header = "Slow %",
            Fields = ReportFields.Runs,
            Shown = ReportTables.Runs | ReportTables.Timeline,
            Definition = "How much longer the slower of the run's two speed probes took than the fastest probe of the process (below)",
            NotRecorded = "a probe is missing",
            OfRun = run => run.SlowPercent,
        };

    /// <summary>Speed probe before the run.</summary>
    public static Measure<double> ProbeBefore { get; } =
        new("probeBeforeNs", "ns", "0")
        {
            Fields = ReportFields.Runs,
            Definition = "Time of the machine's speed probe just before the run",
            Source = "run CSV",
            NotRecorded = NoProbe,
            Stored = new("probe_before_ns", "Time of the machine's speed probe just before the run"),
            Collect = run => run.SelfMeasurement is { ProbeBeforeNanoseconds: > 0 } own ? own.ProbeBeforeNanoseconds : null,
        };

    /// <summary>Speed probe after the run.</summary>
    public static Measure<double> ProbeAfter { get; } =
        new("probeAfterNs", "ns", "0")
        {
            Fields = ReportFields.Runs,
            Definition = "The same just after the run",
            Source = "run CSV",
            NotRecorded = NoProbe,
            Stored = new("probe_after_ns", "The same just after the run"),
            Collect = run => run.SelfMeasurement is { ProbeAfterNanoseconds: > 0 } own ? own.ProbeAfterNanoseconds : null,
        };

    /// <summary>Fastest speed probe of the process; known when all its runs are.</summary>
    public static Measure<double> BestProbe { get; } =
        new("bestProbeNs", "ns")
        {
            Fields = ReportFields.None,
            Definition =
                "Shortest probe of all runs of the process: the machine at its fastest. Probes of other processes are not comparable, because their runtime differs",
            Source = "run CSV",
            NotRecorded = NoProbe,
            Stored = new("best_probe_ns", "Shortest probe of all runs of the process"),
            Collect = _ => null,
        };

    /// <summary>Time that the run was paused for a dump; known when the recording's dumps are.</summary>
    public static Measure<double> Dump { get; } =
        new("dumpMs", "ms")
        {
            Fields = ReportFields.None,
            Definition = "Time that the run was paused while a dump of its process was written",
            Source = "recording.json",
            NotRecorded = "no dump was written in the run",
            Stored = new("dump_ms", "Time that the run was paused while a dump was written"),
            Collect = _ => null,
        };

    /// <summary>The probes, in the order of columns.</summary>
    public static IReadOnlyList<Measure> Probes { get; } = [Slow, ProbeBefore, ProbeAfter, BestProbe];

    /// <summary>All measures of this group, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [.. Probes, Dump];
}
