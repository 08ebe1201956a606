namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>The runs that one marker thread waits for, and where it stands among them while its events are read in order.</summary>
/// <param name="runs">The runs, in the order of their waits.</param>
/// <param name="ticksPerSecond">Ticks of the trace's clock in one second.</param>
internal abstract class MarkerThread(RunDraft[] runs, long ticksPerSecond)
{
    private int _next;
    private RunDraft? _current;

    /// <summary>
    /// The run whose wait can begin at <paramref name="time"/>: the last one announced by then, unless its clock has stopped; then this is the idle wait
    /// and the run's own was lost or is over.
    /// </summary>
    protected RunDraft? RunThatMayWaitFrom(long time)
    {
        while (_next < runs.Length && runs[_next].WaitsFrom <= time)
            _current = runs[_next++];
        if (_current is not null && time > _current.ClockStopped(ticksPerSecond))
            _current = null;
        return _current;
    }

    /// <summary>Makes a state for each marker thread of some runs.</summary>
    public static Dictionary<long, T> ByThread<T>(IEnumerable<RunDraft> drafts, Func<RunDraft[], T> create)
        where T : MarkerThread
        => drafts.Where(draft => draft.MarkerWaiting is not null).GroupBy(draft => draft.MarkerThread)
            .ToDictionary(group => group.Key, group => create([.. group.OrderBy(draft => draft.MarkerWaiting)]));
}
