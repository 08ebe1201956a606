namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>What begin and end of a run were taken from: the most exact one the trace holds, in this order.</summary>
public enum DelimiterKind
{
    /// <summary>The events RunStart and RunClockStopped of the measuring thread: no wake-up lies in between. Median error of the duration 17–22 µs.</summary>
    Marks = 0,

    /// <summary>The marker thread's wait by WaitHandle events, late by the time the thread takes to wake. Median error of the duration 65–132 µs.</summary>
    MarkerWait = 1,

    /// <summary>The program's own clock: RunStop's payload or the run CSV.</summary>
    Truth = 2,

    /// <summary>The program marks no runs: the trace of the whole process is one run.</summary>
    WholeProcess = 3,
}
