namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>What begin and end of a run were taken from. The best that the trace holds is used.</summary>
public enum DelimiterKind
{
    /// <summary>The marker thread's wait (WaitHandle events). Typical error of the duration 65–132 µs.</summary>
    MarkerWait = 0,

    /// <summary>The events RunStart and RunClockStopped of the measuring thread.</summary>
    Marks = 1,

    /// <summary>The program's own clock: RunStop's payload or the run CSV.</summary>
    Truth = 2,

    /// <summary>The program marks no runs: the trace of the whole process is one run.</summary>
    WholeProcess = 3,
}
