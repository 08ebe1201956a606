using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Lifetimes of the workers of a process's thread pool, and their waits in work items. Memory grows with these waits.</summary>
public sealed class PoolTimes
{
    /// <summary>
    /// Minimum wait that can starve a pool: it checks every 500 ms whether work progresses, and sooner only for waits through the class
    /// library.
    /// </summary>
    private const double MinMs = 1;

    private readonly List<(long Time, int Workers, int Waiting)> _changes = [];

    internal PoolTimes(ProcessKey process, SummaryKey runs, double ticksPerMs) => (Process, Runs, TicksPerMs) = (process, runs, ticksPerMs);

    /// <summary>The process.</summary>
    public ProcessKey Process { get; }

    /// <summary>Table row of its run.</summary>
    public SummaryKey Runs { get; }

    /// <summary>Ticks of the trace's clock per ms.</summary>
    internal double TicksPerMs { get; }

    /// <summary>
    /// Finds the time in which all workers waited and were at least as many as the processors: the pool then makes no progress, and adds a
    /// worker only if work is queued.
    /// </summary>
    /// <param name="processors">Processors of the machine; the pool creates as many workers before it adds any.</param>
    public PoolStarvation Starvation(int processors)
    {
        var (ticks, longest, since, added, max, workers, waiting) = (0L, (Start: 0L, Stop: 0L), long.MinValue, 0, 0, 0, 0);

        // At equal times, a stopping worker comes before a starting one, and ending waits come first.
        foreach (var change in _changes.OrderBy(change => change.Time).ThenBy(change => change.Waiting).ThenBy(change => change.Workers))
        {
            var isStarved = since != long.MinValue;
            if (isStarved && change.Workers > 0)
                added++;
            workers += change.Workers;
            waiting += change.Waiting;
            max = Math.Max(max, workers);
            if (waiting >= workers && workers >= processors)
            {
                since = isStarved ? since : change.Time;
            }
            else if (isStarved)
            {
                ticks += change.Time - since;
                if (change.Time - since > longest.Stop - longest.Start)
                    longest = (since, change.Time);
                since = long.MinValue;
            }
        }

        return new PoolStarvation(ticks / TicksPerMs, max, added, longest.Start, longest.Stop);
    }

    internal void AddWorker(long start, long stop)
    {
        _changes.Add((start, 1, 0));
        _changes.Add((stop, -1, 0));
    }

    internal void AddWait(long start, long stop)
    {
        if (stop - start < MinMs * TicksPerMs)
            return;
        _changes.Add((start, 0, 1));
        _changes.Add((stop, 0, -1));
    }
}

/// <summary>Time in which no worker of a thread pool made progress.</summary>
/// <param name="Ms">Time that all workers waited, in ms.</param>
/// <param name="Workers">Maximum number of simultaneous workers.</param>
/// <param name="Added">Number of workers added for queued work while all others waited.</param>
/// <param name="LongestStart">Start of the longest such time, in ticks.</param>
/// <param name="LongestStop">End of the longest such time, in ticks.</param>
public readonly record struct PoolStarvation(double Ms, int Workers, int Added, long LongestStart, long LongestStop);
