namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>What ready time was taken from.</summary>
public enum ReadySource
{
    /// <summary>Wakings and preemptions (kernel session with tracepoints): all of the time in which the thread could have run and did not.</summary>
    Waking = 0,

    /// <summary>Preemptions alone (kernel session of an ordinary user): the time from a waking to the switch-in counts as waiting.</summary>
    Preemption = 1,
}
