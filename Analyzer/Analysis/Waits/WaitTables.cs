using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Adds waits and times of threads up for all processes of a report.</summary>
/// <param name="groups">Rows of runs.</param>
/// <param name="withStacks">Whether the stacks of waits are kept.</param>
/// <param name="byLine">Whether the lines of a method are told apart.</param>
internal sealed class WaitTables(Interner<SummaryKey> groups, bool withStacks, bool byLine = false)
{
    private readonly Interner<EventScope> _processes = new();

    public MethodTable Methods { get; } = new(byLine);

    /// <summary>Stacks; null when they are not kept.</summary>
    public StackTable? Stacks { get; } = withStacks ? new StackTable() : null;

    public EventRows<WaitKey, WaitTally> Waits { get; } = new(groups);

    public EventRows<ThreadKey, ThreadTally> Threads { get; } = new(groups);

    /// <summary>The thread pools of programs without marks, by process.</summary>
    public Dictionary<EventScope, PoolTimes> Pools { get; } = [];

    /// <summary>The process of a number.</summary>
    public EventScope this[int process] => _processes[process];

    /// <summary>Whether the runs are those of a program without marks, in which all threads count.</summary>
    public static bool IsProgram(IEnumerable<Run> runs) => runs.Any(run => run.Delimiter == RunDelimiter.WholeProcess);

    /// <summary>Whether a thread counts in a run: the one that measures it, in a program without marks every one.</summary>
    private static bool Counts(Run run, long thread) => run.Delimiter == RunDelimiter.WholeProcess || run.MeasuringThread == thread;

    /// <summary>Adds a wait.</summary>
    /// <param name="scope">Its process.</param>
    /// <param name="thread">Its thread.</param>
    /// <param name="begun">When the thread left its processor: in which run the wait counts.</param>
    /// <param name="start">Begin of the time waited.</param>
    /// <param name="stop">End of it.</param>
    /// <param name="source">What it was taken from.</param>
    /// <param name="place">Where and for what.</param>
    /// <param name="readiedBy">Thread that readied it; null when that is not known.</param>
    public void Add(EventScope scope, long thread, long begun, long start, long stop, WaitSource source, WaitPlace place, long? readiedBy)
    {
        var key = new WaitKey(_processes.GetOrAdd(scope), thread, source, place);
        if (scope.Windows.At(begun, thread) is { } first && Counts(scope.RunOf(first), thread) && scope.GroupOf(first) is >= 0 and var group)
        {
            var begins = Waits.At(group, key);
            begins.Count++;
            if (readiedBy is { } readier)
                begins.ReadiedBy(readier);
        }

        foreach (var (run, ticks) in scope.Windows.Clip(start, stop))
        {
            if (!Counts(scope.RunOf(run), thread) || scope.GroupOf(run) is not (>= 0 and var clipped))
                continue;
            var tally = Waits.At(clipped, key);
            tally.Ticks += ticks;
            if (ticks <= tally.LongestTicks)
                continue;
            tally.LongestTicks = ticks;
            tally.Longest = scope.PlaceOf(run, Math.Max(start, scope.RunOf(run).StartTicks), ticks);
        }
    }

    /// <summary>The pool of a process of one run; null when the run does not count.</summary>
    public PoolTimes? PoolOf(EventScope scope)
    {
        if (Pools.TryGetValue(scope, out var pool))
            return pool;
        if (!IsProgram(scope.Runs) || scope.GroupAt(scope.Runs[0].StartTicks) is not (>= 0 and var group))
            return null;
        return Pools[scope] = new PoolTimes(scope.Process.Key, groups[group], scope.Clock.TicksPerSecond / 1e3);
    }

    /// <summary>Adds time that a thread ran or was ready.</summary>
    public void Add(EventScope scope, long thread, long start, long stop, bool isReady)
    {
        foreach (var (run, ticks) in scope.Windows.Clip(start, stop))
        {
            if (!Counts(scope.RunOf(run), thread) || scope.GroupOf(run) is not (>= 0 and var group))
                continue;
            var tally = Threads.At(group, new ThreadKey(_processes.GetOrAdd(scope), thread));
            if (isReady)
                tally.ReadyTicks += ticks;
            else
                tally.OnCpuTicks += ticks;
        }
    }
}
