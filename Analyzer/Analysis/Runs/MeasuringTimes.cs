namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>What the measuring thread did in a run, by its context switches or its clocks. The three times add up to the run's wall time.</summary>
/// <param name="OnCpuMs">Time on a processor, user and kernel mode, in ms.</param>
/// <param name="WaitMs">Time it waited for something, in ms; by <see cref="ReadySource.Preemption"/> also until it was switched in.</param>
/// <param name="ReadyMs">Time it could have run and had no processor, in ms.</param>
/// <param name="ReadySource">What ready time was taken from.</param>
/// <param name="VoluntarySwitches">Times it left its processor to wait; null by its clocks.</param>
/// <param name="InvoluntarySwitches">Times it was taken off its processor; null by its clocks.</param>
public sealed record MeasuringTimes(double OnCpuMs, double WaitMs, double ReadyMs, ReadySource ReadySource, long? VoluntarySwitches, long? InvoluntarySwitches);

/// <summary>What ready time was taken from.</summary>
public enum ReadySource
{
    /// <summary>Wakings and preemptions (kernel session with tracepoints): all of the time in which the thread could have run and did not.</summary>
    Waking,

    /// <summary>The thread's clocks (recorded by ptrace): all of that time by the kernel's count, but waiting holds the time in which the thread was stopped to be sampled.</summary>
    Clock,

    /// <summary>Preemptions alone (kernel session of an ordinary user): the time from a waking to the switch-in counts as waiting.</summary>
    Preemption,
}
