namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>
/// The windows of a process's runs, ordered by start, with their sums. Marked runs are consecutive; runs delimited by events may be nested
/// or overlap.
/// </summary>
internal sealed class RunWindows
{
    private readonly long[] _starts;
    private readonly long[] _stops;

    /// <summary>
    /// For each window, the last one before it that ends later; -1 without one. A search skips a window that ends too early together with
    /// all that end before it.
    /// </summary>
    private readonly int[] _wider;

    /// <summary>Start of the first window and end of the last one.</summary>
    private readonly (long Start, long Stop) _all;

    /// <summary>Creates it from windows in any order.</summary>
    public RunWindows(IEnumerable<(long Start, long Stop)> windows)
    {
        var sorted = windows.OrderBy(window => window.Start).ToArray();
        _starts = [.. sorted.Select(window => window.Start)];
        _stops = [.. sorted.Select(window => window.Stop)];
        _all = sorted.Length == 0 ? default : (_starts[0], _stops.Max());
        _wider = new int[sorted.Length];
        for (var index = 0; index < sorted.Length; index++)
        {
            var before = index - 1;
            while (before >= 0 && _stops[before] <= _stops[index])
                before = _wider[before];
            _wider[index] = before;
        }

        Tallies = [.. sorted.Select((_, index) => new RunTally { Index = index })];
    }

    /// <summary>The windows of known runs, with their measuring threads.</summary>
    public static RunWindows Of(IEnumerable<Run> runs)
    {
        var sorted = runs.OrderBy(run => run.StartTicks).ToList();
        var windows = new RunWindows(sorted.Select(run => (run.StartTicks, run.StopTicks)));
        for (var index = 0; index < sorted.Count; index++)
            windows.Tallies[index].MeasuringThread = sorted[index].MeasuringThread;
        return windows;
    }

    /// <summary>Windows that cover all given runs, which may overlap: runs of several processes.</summary>
    public static RunWindows Union(IEnumerable<Run> runs)
    {
        var joined = new List<(long Start, long Stop)>();
        foreach (var run in runs.OrderBy(run => run.StartTicks))
        {
            if (joined.Count > 0 && run.StartTicks <= joined[^1].Stop)
                joined[^1] = (joined[^1].Start, Math.Max(joined[^1].Stop, run.StopTicks));
            else
                joined.Add((run.StartTicks, run.StopTicks));
        }

        return new RunWindows(joined);
    }

    /// <summary>One tally per window, ordered by start.</summary>
    public IReadOnlyList<RunTally> Tallies { get; }

    /// <summary>
    /// The run whose window contains <paramref name="time"/>; null outside. The start belongs to the window, the stop does not. Among
    /// several, <see cref="IndexAt"/> decides.
    /// </summary>
    public RunTally? At(long time, long? thread = null) => IndexAt(time, thread) is var index && index >= 0 ? Tallies[index] : null;

    /// <summary>
    /// Whether a time lies between the first window's start and the last one's end. A cheap question for events of the whole machine, which
    /// every process receives.
    /// </summary>
    public bool Spans(long time) => time >= _all.Start && time < _all.Stop;

    /// <summary>All runs whose windows contain <paramref name="time"/>.</summary>
    public ClippedSpan AllAt(long time) => new(this, LastStartAtOrBefore(time), time, time + 1);

    /// <summary>
    /// Index, ordered by start, of the run whose window contains <paramref name="time"/>; -1 outside. Among several, the last started one
    /// counts, preferably one that the thread measures.
    /// </summary>
    /// <param name="time">The time.</param>
    /// <param name="thread">The thread of the event; null for none.</param>
    public int IndexAt(long time, long? thread = null)
    {
        var last = Reaching(LastStartAtOrBefore(time), time);
        for (var index = last; thread is not null && index >= 0; index = Reaching(index - 1, time))
        {
            if (Tallies[index].MeasuringThread == thread)
                return index;
        }

        return last;
    }

    /// <summary>The parts of a span inside windows.</summary>
    public ClippedSpan Clip(long start, long stop) => new(this, LastStartAtOrBefore(start), start, stop);

    private int LastStartAtOrBefore(long time)
    {
        var index = Array.BinarySearch(_starts, time);
        if (index < 0)
            return ~index - 1;

        // Several may begin at once, and the search finds any of them.
        while (index + 1 < _starts.Length && _starts[index + 1] == time)
            index++;
        return index;
    }

    /// <summary>The last window up to an index that ends after a time; -1 without one.</summary>
    private int Reaching(int index, long time)
    {
        while (index >= 0 && _stops[index] <= time)
            index = _wider[index];
        return index;
    }

    /// <summary>
    /// Enumerates the parts of a span without allocation: first in the windows that contain its start, then in those that begin after it.
    /// </summary>
    /// <param name="windows">The windows.</param>
    /// <param name="first">The last window that begins at or before the span's start; -1 without one.</param>
    /// <param name="start">Start of the span in ticks.</param>
    /// <param name="stop">End of the span in ticks.</param>
    internal struct ClippedSpan(RunWindows windows, int first, long start, long stop)
    {
        private int _outer = first;
        private int _next = first;

        /// <summary>The run, and the ticks of the span in it.</summary>
        public (RunTally Tally, long Ticks) Current { get; private set; }

        /// <summary>Returns this, for foreach.</summary>
        public readonly ClippedSpan GetEnumerator() => this;

        /// <summary>Moves to the next part.</summary>
        public bool MoveNext()
        {
            _outer = windows.Reaching(_outer, start);
            if (_outer >= 0 && stop > start)
            {
                Current = (windows.Tallies[_outer], Math.Min(stop, windows._stops[_outer]) - start);
                _outer--;
                return true;
            }

            while (++_next < windows._starts.Length && windows._starts[_next] < stop)
            {
                var ticks = Math.Min(stop, windows._stops[_next]) - windows._starts[_next];
                if (ticks <= 0)
                    continue;
                Current = (windows.Tallies[_next], ticks);
                return true;
            }

            return false;
        }
    }
}
