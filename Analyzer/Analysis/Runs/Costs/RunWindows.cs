namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>The windows of a process's runs, sorted by begin, with what falls into them. Runs of one process follow each other.</summary>
internal sealed class RunWindows
{
    private readonly long[] _starts;
    private readonly long[] _stops;

    /// <summary>Takes windows in any order.</summary>
    public RunWindows(IEnumerable<(long Start, long Stop)> windows)
    {
        var sorted = windows.OrderBy(window => window.Start).ToArray();
        _starts = [.. sorted.Select(window => window.Start)];
        _stops = [.. sorted.Select(window => window.Stop)];
        Tallies = [.. sorted.Select((_, index) => new RunTally { Index = index })];
    }

    /// <summary>The windows of runs that are known, with the threads that measured them.</summary>
    public static RunWindows Of(IEnumerable<Run> runs)
    {
        var sorted = runs.OrderBy(run => run.StartTicks).ToList();
        var windows = new RunWindows(sorted.Select(run => (run.StartTicks, run.StopTicks)));
        for (var index = 0; index < sorted.Count; index++)
            windows.Tallies[index].MeasuringThread = sorted[index].MeasuringThread;
        return windows;
    }

    /// <summary>Windows that hold all of the given runs, which may overlap: those of several processes.</summary>
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

    /// <summary>One tally a window, in the order of their begins.</summary>
    public IReadOnlyList<RunTally> Tallies { get; }

    /// <summary>The run in whose window <paramref name="time"/> lies, null outside. The begin belongs to the window, the end does not.</summary>
    public RunTally? At(long time) => IndexAt(time) is var index && index >= 0 ? Tallies[index] : null;

    /// <summary>The place, in the order of their begins, of the run in whose window <paramref name="time"/> lies; -1 outside.</summary>
    public int IndexAt(long time)
    {
        var index = LastStartAtOrBefore(time);
        return index >= 0 && time < _stops[index] ? index : -1;
    }

    /// <summary>The parts of a span that lie in windows.</summary>
    public ClippedSpan Clip(long start, long stop) => new(this, start, stop);

    private int LastStartAtOrBefore(long time)
    {
        var index = Array.BinarySearch(_starts, time);
        return index >= 0 ? index : ~index - 1;
    }

    /// <summary>Enumerates the parts of a span without allocating.</summary>
    /// <param name="windows">The windows.</param>
    /// <param name="start">Begin of the span in ticks.</param>
    /// <param name="stop">End of the span in ticks.</param>
    internal struct ClippedSpan(RunWindows windows, long start, long stop)
    {
        private int _index = Math.Max(windows.LastStartAtOrBefore(start), 0) - 1;

        /// <summary>The run and the ticks of the span in it.</summary>
        public (RunTally Tally, long Ticks) Current { get; private set; }

        /// <summary>This, for foreach.</summary>
        public readonly ClippedSpan GetEnumerator() => this;

        /// <summary>Goes to the next part.</summary>
        public bool MoveNext()
        {
            while (++_index < windows._starts.Length && windows._starts[_index] < stop)
            {
                var ticks = Math.Min(stop, windows._stops[_index]) - Math.Max(start, windows._starts[_index]);
                if (ticks <= 0)
                    continue;
                Current = (windows.Tallies[_index], ticks);
                return true;
            }

            return false;
        }
    }
}
