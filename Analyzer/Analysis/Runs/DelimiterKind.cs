namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>What begin and end of a run were taken from: the most exact one the trace holds, in this order. Errors are medians of the duration.</summary>
public enum DelimiterKind
{
    /// <summary>The marker thread's switch-out and its waking (kernel session with tracepoints). 5–13 µs.</summary>
    MarkerWaking = 0,

    /// <summary>The events RunStart and RunClockStopped of the measuring thread: no wake-up lies in between. 17–22 µs.</summary>
    Marks = 1,

    /// <summary>The marker thread's switch-out and switch-in (kernel session of an ordinary user), late by the time the thread takes to wake. 68–85 µs.</summary>
    MarkerSwitch = 2,

    /// <summary>The marker thread's wait by WaitHandle events, later still. 65–132 µs.</summary>
    MarkerWait = 3,

    /// <summary>The program's own clock: RunStop's payload or the run CSV.</summary>
    Truth = 4,

    /// <summary>The program marks no runs: the trace of the whole process is one run.</summary>
    WholeProcess = 5,
}
