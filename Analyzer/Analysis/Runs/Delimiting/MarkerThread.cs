using EtwSerializerProfiler.Analysis.Runs.Marking;

namespace EtwSerializerProfiler.Analysis.Runs.Delimiting;

/// <summary>The runs of one marker thread, and the current one while its events are read in order.</summary>
/// <param name="runs">The runs, in the order of their waits.</param>
/// <param name="ticksPerSecond">Ticks of the trace's clock in one second.</param>
internal abstract class MarkerThread(AnnouncedRun[] runs, long ticksPerSecond)
{
    private int _next;
    private AnnouncedRun? _current;

    /// <summary>
    /// The run whose wait can begin at <paramref name="time"/>: the last one announced by then, unless its clock has stopped. In that case
    /// this is the idle wait, and the run's own wait was lost or is over.
    /// </summary>
    protected AnnouncedRun? RunThatMayWaitFrom(long time)
    {
        while (_next < runs.Length && runs[_next].Marks.WaitsFrom <= time)
            _current = runs[_next++];
        if (_current is not null && time > _current.Marks.ClockStopped(ticksPerSecond))
            _current = null;
        return _current;
    }

    /// <summary>Creates a state for each marker thread of the runs.</summary>
    public static Dictionary<long, T> ByThread<T>(IEnumerable<AnnouncedRun> runs, Func<AnnouncedRun[], T> create)
        where T : MarkerThread =>
        runs.Where(run => run.Marks.MarkerWaiting is not null)
            .GroupBy(run => run.Marks.MarkerThread)
            .ToDictionary(group => group.Key, group => create([.. group.OrderBy(run => run.Marks.MarkerWaiting)]));
}

/// <summary>A run whose marker's wait is searched.</summary>
/// <param name="marks">Its marks.</param>
internal sealed class AnnouncedRun(RunMarks marks)
{
    public RunMarks Marks => marks;

    /// <summary>The wait found so far.</summary>
    public MarkerThreadWait Wait { get; set; }
}
