using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>
/// Activity of the measuring thread, by its context switches or its clocks. <see cref="OnCpu"/>, <see cref="Wait"/> and
/// <see cref="Ready"/> add up to the window. A run has all of these and <see cref="Source"/>, or none, or only <see cref="OnCpu"/>
/// by clocks without ready time. Counts of waits and preemptions need context switches.
/// </summary>
public static class SchedulingMeasures
{
    private const string Switches =
        "switch records, µs (recorded by ptrace: the thread's clocks, as CPU ms); the measuring thread is the one that wrote the run's marks (SerializerTests writes none: there it is the thread with most of the serializer's samples)";
    private const string Exact = "switch records, exact";
    private const string NotKnown = "no kernel session; around lost switch records";
    private const string NotDivided =
        NotKnown + "; recorded by EventPipe's sample profiler on Windows or macOS, whose clocks lack ready time";

    /// <summary>Time on a processor.</summary>
    public static Measure<double> OnCpu { get; } =
        new("onCpuMs", "ms", "0.000")
        {
            Header = "On-CPU ms",
            Shown = ReportTables.Processor,
            Definition =
                "Time that the measuring thread spent on a processor, in user and kernel mode. On-CPU, Wait and Ready add up to the window",
            Source = Switches,
            NotRecorded = NotKnown,
            Stored = new("on_cpu_ms", "Time of the measuring thread on a processor"),
            Collect = run => run.IsMeasuringThreadKnown ? run.Milliseconds(run.Tally.OnCpuTicks) : null,
        };

    /// <summary>Waiting time.</summary>
    public static Measure<double> Wait { get; } =
        new("waitMs", "ms", "0.000")
        {
            Header = "Wait ms",
            Shown = ReportTables.Processor,
            Definition =
                "Time that the measuring thread waited for something (lock, disk, another thread, a GC on other threads). With ready events: until it was ready. "
                + "Without: until its switch-in, so it includes ready time. Recorded by ptrace: it includes the time for which sampling stopped the thread, about 50 µs per sample",
            Source = Switches,
            Fallback = "`readySource` Preemption",
            NotRecorded = NotDivided,
            Stored = new("wait_ms", "Time that the measuring thread waited"),
            Collect = run => run.IsReadyTimeKnown ? run.Milliseconds(run.Tally.WaitTicks) : null,
        };

    /// <summary>Time ready without a processor.</summary>
    public static Measure<double> Ready { get; } =
        new("readyMs", "ms", "0.000")
        {
            Header = "Ready ms",
            Shown = ReportTables.Processor,
            Definition =
                "Time that the measuring thread was ready to run but had no processor. With ready events: from ready or from a preemption to its switch-in. Without: only after preemptions. Recorded by ptrace: the kernel's count of both",
            Source = "as Wait ms; sched_waking (root or CAP_PERFMON)",
            Fallback = "`readySource` Preemption",
            NotRecorded = NotDivided,
            Stored = new("ready_ms", "Time that the measuring thread was ready to run but had no processor"),
            Collect = run => run.IsReadyTimeKnown ? run.Milliseconds(run.Tally.ReadyTicks) : null,
        };

    /// <summary>Source of <see cref="Ready"/>.</summary>
    public static Measure<ReadySource> Source { get; } =
        new("readySource", "")
        {
            Definition =
                "Definition that Wait and Ready follow: ReadyEvent, Clock (recorded by ptrace) or Preemption; for a row, the last of these among its runs",
            NotRecorded = NotDivided,
            Stored = new("ready_source", "Source of the ready time: ReadyEvent, Clock or Preemption"),
            Collect = run =>
                !run.IsReadyTimeKnown ? null
                : !run.Has(EventKinds.ContextSwitches) ? ReadySource.Clock
                : run.Has(EventKinds.ReadyThreads) ? ReadySource.ReadyEvent
                : ReadySource.Preemption,
            OverRuns = OverRuns.Max,
        };

    /// <summary>Switches to wait.</summary>
    public static Measure<long> Waits { get; } =
        new("voluntarySwitches", "", "0")
        {
            Header = "Waits",
            Shown = ReportTables.Processor,
            Definition = "Number of times the measuring thread was switched out to wait",
            Source = Exact,
            NotRecorded = NotKnown,
            Stored = new("voluntary_switches", "Number of times the measuring thread was switched out to wait"),
            Needs = EventKinds.ContextSwitches,
            Collect = run => run.IsMeasuringThreadKnown ? run.Tally.VoluntarySwitches : null,
        };

    /// <summary>Preemptions.</summary>
    public static Measure<long> Preemptions { get; } =
        new("involuntarySwitches", "", "0")
        {
            Header = "Preempted",
            Shown = ReportTables.Processor,
            Definition = "Number of times the measuring thread was preempted (another thread's turn, or the end of its time slice)",
            Source = Exact,
            NotRecorded = NotKnown,
            Stored = new("involuntary_switches", "Number of times the measuring thread was preempted"),
            Needs = EventKinds.ContextSwitches,
            Collect = run => run.IsMeasuringThreadKnown ? run.Tally.InvoluntarySwitches : null,
        };

    /// <summary>All measures of this group, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [OnCpu, Wait, Ready, Source, Waits, Preemptions];
}
