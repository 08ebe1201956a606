using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// Runs that had begun before a recording of a running process, or had not ended after it: their events are known in part, so they are no runs.
/// </summary>
internal static class CutRuns
{
    /// <summary>Takes them off both ends of a list.</summary>
    /// <param name="drafts">Runs in the order of their first mark.</param>
    /// <param name="span">When all sessions recorded; null from the process's start to its end.</param>
    /// <returns>How many there were.</returns>
    public static int TakeOff(List<RunDraft> drafts, RecordedSpan? span)
    {
        if (span is null)
            return 0;
        var first = 0;
        while (first < drafts.Count && BeganBefore(drafts[first], span))
            first++;
        drafts.RemoveRange(0, first);
        var last = drafts.Count;
        while (last > 0 && EndedAfter(drafts[last - 1], span))
            last--;
        var cut = first + drafts.Count - last;
        drafts.RemoveRange(last, drafts.Count - last);
        return cut;
    }

    /// <summary>The marker begins to wait before the run starts, and is the first thing seen of it.</summary>
    private static bool BeganBefore(RunDraft draft, RecordedSpan span) => draft.MarkStart is not { } start || (draft.MarkerWaiting ?? start) < span.StartTicks;

    private static bool EndedAfter(RunDraft draft, RecordedSpan span) =>
        !draft.Stopped || (span.StopTicks > 0 && draft.ClockStopped(span.TicksPerSecond) is var stop && stop != long.MaxValue && stop > span.StopTicks);
}
