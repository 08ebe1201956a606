using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Runs.Marking;

/// <summary>
/// Runs that began before a recording of a running process, or had not ended at its end: only some of their events are in the trace, so
/// they do not count as runs.
/// </summary>
internal static class CutRuns
{
    /// <summary>Returns the complete runs.</summary>
    /// <param name="runs">Runs in the order of their first mark.</param>
    /// <param name="span">Time in which all sessions recorded; null for the process's whole lifetime.</param>
    public static IReadOnlyList<RunMarks> Without(IReadOnlyList<RunMarks> runs, RecordedSpan? span) =>
        span is null
            ? runs
            : [.. runs.SkipWhile(run => BeganBefore(run, span)).Reverse().SkipWhile(run => EndedAfter(run, span)).Reverse()];

    /// <summary>The marker begins to wait before the run starts, so its wait is the run's first event.</summary>
    private static bool BeganBefore(RunMarks run, RecordedSpan span) =>
        run.MarkStart is not { } start || (run.MarkerWaiting ?? start) < span.StartTicks;

    private static bool EndedAfter(RunMarks run, RecordedSpan span) =>
        !run.Stopped
        || (span.StopTicks > 0 && run.ClockStopped(span.TicksPerSecond) is var stop && stop != long.MaxValue && stop > span.StopTicks);
}
