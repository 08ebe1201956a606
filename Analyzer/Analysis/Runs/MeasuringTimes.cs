namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// Activity of the measuring thread in a run, by its context switches or its clocks. The three times add up to the run's wall time.
/// </summary>
/// <param name="OnCpuMs">Time on a processor, in user and kernel mode, in ms.</param>
/// <param name="WaitMs">Waiting time, in ms; with <see cref="ReadySource.Preemption"/> until its switch-in.</param>
/// <param name="ReadyMs">Time that it was ready to run without a processor, in ms.</param>
/// <param name="ReadySource">Source of the ready time.</param>
/// <param name="VoluntarySwitches">Number of switch-outs to wait; null for clocks.</param>
/// <param name="InvoluntarySwitches">Number of preemptions; null for clocks.</param>
public sealed record MeasuringTimes(
    double OnCpuMs,
    double WaitMs,
    double ReadyMs,
    ReadySource ReadySource,
    long? VoluntarySwitches,
    long? InvoluntarySwitches
);

/// <summary>Sources of ready time.</summary>
public enum ReadySource
{
    /// <summary>
    /// Ready events and preemptions (kernel session with tracepoints): all of the time in which the thread was ready but not running.
    /// </summary>
    ReadyEvent,

    /// <summary>
    /// The thread's clocks (recorded by ptrace): all of that time by the kernel's count, but waiting time includes the time that sampling
    /// stopped the thread.
    /// </summary>
    Clock,

    /// <summary>Only preemptions (kernel session of an ordinary user): the time from ready to switch-in counts as waiting.</summary>
    Preemption,
}
