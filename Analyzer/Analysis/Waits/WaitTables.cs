using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Sums waits and thread times for all processes of a report.</summary>
/// <param name="groups">Rows of runs.</param>
/// <param name="withStacks">Whether to keep the stacks of waits.</param>
/// <param name="byLine">Whether lines of a method are separate.</param>
internal sealed class WaitTables(Interner<SummaryKey> groups, bool withStacks, bool byLine = false)
{
    private readonly Interner<EventScope> _processes = new();

    public MethodInterner Methods { get; } = new(byLine);

    /// <summary>Stacks; null when not kept.</summary>
    public StackTable? Stacks { get; } = withStacks ? new StackTable() : null;

    public EventRows<WaitKey, WaitTally> Waits { get; } = new(groups);

    public EventRows<ThreadKey, ThreadTally> Threads { get; } = new(groups);

    /// <summary>The thread pools of programs without marks, by process.</summary>
    public Dictionary<EventScope, PoolTimes> Pools { get; } = [];

    /// <summary>Number of waits without a stack of their own, which count for a wait of their thread that was about as long.</summary>
    public int WaitsLikeOthers { get; set; }

    /// <summary>Process by index.</summary>
    public EventScope this[int process] => _processes[process];

    /// <summary>Whether the runs are those of a program without marks, in which all threads count.</summary>
    public static bool IsProgram(IEnumerable<Run> runs) => runs.Any(run => run.Delimiter == RunDelimiter.WholeProcess);

    /// <summary>Whether a thread counts in a run: the measuring thread, or any thread in a program without marks.</summary>
    private static bool Counts(Run run, long thread) => run.Delimiter == RunDelimiter.WholeProcess || run.MeasuringThread == thread;

    /// <summary>Adds a wait.</summary>
    /// <param name="scope">Its process.</param>
    /// <param name="thread">Its thread.</param>
    /// <param name="begun">Time of the thread's switch-out, which determines the run.</param>
    /// <param name="start">Start of the wait.</param>
    /// <param name="stop">End of the wait.</param>
    /// <param name="source">Source of the wait.</param>
    /// <param name="place">Location and reason.</param>
    /// <param name="readiedBy">Thread that readied it; null when unknown.</param>
    public void Add(EventScope scope, long thread, long begun, long start, long stop, WaitSource source, WaitPlace place, long? readiedBy)
    {
        var key = new WaitKey(_processes.GetOrAdd(scope), thread, source, place);
        if (
            scope.Windows.At(begun, thread) is { } first
            && Counts(scope.RunOf(first), thread)
            && scope.GroupOf(first) is >= 0 and var group
        )
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
            if (ticks <= tally.MaxTicks)
                continue;
            tally.MaxTicks = ticks;
            tally.Longest = scope.IntervalOf(run, Math.Max(start, scope.RunOf(run).StartTicks), ticks);
        }
    }

    /// <summary>The pool of a process with one run; null when the run does not count.</summary>
    public PoolTimes? PoolOf(EventScope scope)
    {
        if (Pools.TryGetValue(scope, out var pool))
            return pool;
        if (!IsProgram(scope.Runs) || scope.GroupAt(scope.Runs[0].StartTicks) is not (>= 0 and var group))
            return null;
        return Pools[scope] = new PoolTimes(scope.Process.Key, groups[group], scope.Clock.TicksPerSecond / 1e3);
    }

    /// <summary>Adds running or ready time of a thread.</summary>
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
