using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Locks;

/// <summary>Waits for managed locks in the runs, by lock, by the thread that had it and by the method that waited.</summary>
public static class LockAnalysis
{
    /// <summary>Analyses them in a pass over each process.</summary>
    /// <inheritdoc cref="EventPasses.Read"/>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">What is asked.</param>
    /// <param name="files">Symbols of libraries.</param>
    public static EventResult<LockRow> Run(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, EventQuery query, SymbolFiles files)
    {
        ArgumentNullException.ThrowIfNull(query);
        var passes = new EventPasses(processes, runs, query.Filter, files);
        var methods = new MethodTable();
        var rows = new EventRows<Key, Tally>(passes.Groups);
        var threads = new Dictionary<(ProcessKey Process, long Thread), string>();
        var ticksPerSecond = 1_000_000_000L;
        passes.Read(
            TraceCapabilities.Contention, "waits for locks", "record session 'clr' (esp-record does so unless --sessions leaves it out); a bare file without a single one says nothing", TraceCapabilities.Stacks,
            scope =>
            {
                ticksPerSecond = scope.Clock.TicksPerSecond;
                var pass = new Pass(scope, rows, methods);
                scope.Process.Read(pass, TraceCapabilities.Contention | TraceCapabilities.Stacks);
                foreach (var owner in pass.Owners)
                    threads[(scope.Process.Key, owner)] = scope.ThreadName(owner);
            });
        return passes.Result(
            [
                .. rows.All.Select(row => new LockRow
                {
                    Runs = row.Runs,
                    ProcessId = row.Key.Process.ProcessId,
                    LockId = row.Key.Lock == 0 ? null : row.Key.Lock,
                    Method = methods[row.Key.Method],
                    OwnerThreadId = row.Key.Owner == 0 ? null : row.Key.Owner,
                    OwnerThread = threads.GetValueOrDefault((row.Key.Process, row.Key.Owner)) is { Length: > 0 } name ? name : null,
                    Count = row.Tally.Count,
                    Ms = row.Tally.Ticks * 1e3 / ticksPerSecond,
                    MaxMs = row.Tally.LongestTicks * 1e3 / ticksPerSecond,
                }).OrderByDescending(row => row.Ms).ThenByDescending(row => row.Count).ThenBy(row => row.Runs.ToString(), StringComparer.Ordinal).ThenBy(row => row.LockId).ThenBy(row => row.OwnerThreadId),
            ],
            query.Top);
    }

    private readonly record struct Key(ProcessKey Process, ulong Lock, long Owner, int Method);

    private sealed class Tally
    {
        public long Count { get; set; }

        public long Ticks { get; set; }

        public long LongestTicks { get; set; }
    }

    private sealed class Pass(EventScope scope, EventRows<Key, Tally> rows, MethodTable methods) : TraceVisitor
    {
        private readonly StackNames _names = new(scope.Symbols!.Resolver, methods, RuntimeFrames.IsWaiting);

        /// <summary>By thread, the wait under way.</summary>
        private readonly Dictionary<long, (long Start, Key Key)> _waiting = [];

        /// <summary>Threads that had locks.</summary>
        public HashSet<long> Owners { get; } = [];

        public override void OnContentionStarted(in ContentionStarted contention)
        {
            if (contention.IsNative)
                return;
            var (at, owner) = (contention.At, contention.OwnerThreadId);
            var key = new Key(scope.Process.Key, contention.LockId, owner, _names.Find(contention.Stack, at.Time));
            _waiting[at.ThreadId] = (at.Time, key);
            if (owner != 0)
                Owners.Add(owner);
            if (scope.GroupAt(at.Time) is >= 0 and var group)
                rows.At(group, key).Count++;
        }

        public override void OnContentionStopped(in EventAt at, bool isNative)
        {
            if (isNative || !_waiting.Remove(at.ThreadId, out var wait))
                return;
            foreach (var (run, ticks) in scope.Windows.Clip(wait.Start, at.Time))
            {
                if (scope.GroupOf(run) is not (>= 0 and var group))
                    continue;
                var tally = rows.At(group, wait.Key);
                tally.Ticks += ticks;
                tally.LongestTicks = Math.Max(tally.LongestTicks, ticks);
            }
        }
    }
}
