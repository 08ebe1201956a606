using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>What the measuring thread did, by its context switches or its clocks. <see cref="OnCpu"/>, <see cref="Wait"/> and <see cref="Ready"/> add up to the window, and a run has these and <see cref="Source"/> or none of them. How often it waited and was preempted, switches alone tell.</summary>
public static class SchedulingMeasures
{
    private const string Switches = "switch records, µs (recorded by ptrace: the thread's clocks, as CPU ms); the thread is the one that wrote the run's marks (of the original suite, which writes none, the one with most of the serializer's samples)";
    private const string Exact = "switch records, exact";
    private const string NotKnown = "no kernel session; around lost switch records";

    /// <summary>Time on a processor.</summary>
    public static Measure<double> OnCpu { get; } = new("onCpuMs", "ms", "0.000")
    {
        Header = "On-CPU ms",
        Shown = ReportTables.Processor,
        Definition = "Time the measuring thread spent on a processor, user and kernel mode. On-CPU, Wait and Ready add up to the window",
        Source = Switches,
        NotRecorded = NotKnown,
        Stored = new("on_cpu_ms", "Time of the measuring thread on a processor"),
        Collect = run => run.IsMeasuringThreadKnown ? run.Milliseconds(run.Tally.OnCpuTicks) : null,
    };

    /// <summary>Time waited.</summary>
    public static Measure<double> Wait { get; } = new("waitMs", "ms", "0.000")
    {
        Header = "Wait ms",
        Shown = ReportTables.Processor,
        Definition = "Time the measuring thread waited for something (lock, disk, another thread, a GC on other threads). With wakings: up to its waking. "
            + "Without: up to its switch-in, so that it holds the time it takes to wake, too. Recorded by ptrace: it holds the time in which the thread was stopped to be sampled, some 50 µs a sample",
        Source = Switches,
        Fallback = "`readySource` Preemption",
        NotRecorded = NotKnown,
        Stored = new("wait_ms", "Time it waited"),
        Collect = run => run.IsMeasuringThreadKnown ? run.Milliseconds(run.Tally.WaitTicks) : null,
    };

    /// <summary>Time ready without a processor.</summary>
    public static Measure<double> Ready { get; } = new("readyMs", "ms", "0.000")
    {
        Header = "Ready ms",
        Shown = ReportTables.Processor,
        Definition = "Time the measuring thread could have run and had no processor. With wakings: from its waking to its switch-in, and from a preemption to its switch-in. Without: after preemptions only. Recorded by ptrace: the kernel's count of both",
        Source = "as Wait ms; sched_waking (root or CAP_PERFMON)",
        Fallback = "`readySource` Preemption",
        NotRecorded = NotKnown,
        Stored = new("ready_ms", "Time it could have run and had no processor"),
        Collect = run => run.IsMeasuringThreadKnown ? run.Milliseconds(run.Tally.ReadyTicks) : null,
    };

    /// <summary>What <see cref="Ready"/> was taken from.</summary>
    public static Measure<ReadySource> Source { get; } = new("readySource", "")
    {
        Definition = "Waking, Clock (recorded by ptrace) or Preemption: which definition Wait and Ready follow; of a row the last of these that one of its runs has",
        NotRecorded = NotKnown,
        Stored = new("ready_source", "What ready time was taken from"),
        Collect = run => !run.IsMeasuringThreadKnown ? null
            : !run.Has(EventKinds.ContextSwitches) ? ReadySource.Clock
            : run.Has(EventKinds.ReadyThreads) ? ReadySource.Waking : ReadySource.Preemption,
        OverRuns = OverRuns.Max,
    };

    /// <summary>Switches to wait.</summary>
    public static Measure<long> Waits { get; } = new("voluntarySwitches", "", "0")
    {
        Header = "Waits",
        Shown = ReportTables.Processor,
        Definition = "Times the measuring thread left its processor to wait",
        Source = Exact,
        NotRecorded = NotKnown,
        Stored = new("voluntary_switches", "Times it left its processor to wait"),
        Needs = EventKinds.ContextSwitches,
        Collect = run => run.IsMeasuringThreadKnown ? run.Tally.VoluntarySwitches : null,
    };

    /// <summary>Preemptions.</summary>
    public static Measure<long> Preemptions { get; } = new("involuntarySwitches", "", "0")
    {
        Header = "Preempted",
        Shown = ReportTables.Processor,
        Definition = "Times the measuring thread was taken off its processor (another thread's turn, or its own time slice was over)",
        Source = Exact,
        NotRecorded = NotKnown,
        Stored = new("involuntary_switches", "Times it was taken off its processor"),
        Needs = EventKinds.ContextSwitches,
        Collect = run => run.IsMeasuringThreadKnown ? run.Tally.InvoluntarySwitches : null,
    };

    /// <summary>All, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [OnCpu, Wait, Ready, Source, Waits, Preemptions];
}
