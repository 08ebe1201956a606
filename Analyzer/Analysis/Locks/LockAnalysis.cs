using EtwSerializerProfiler.Analysis.Cpu;
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
    /// <inheritdoc cref="EventPasses.Scopes"/>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">What is asked.</param>
    /// <param name="files">Symbols of libraries.</param>
    public static EventResult<LockRow> Run(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, EventQuery query, SymbolFiles files) =>
        Begin(processes, runs, query, new SymbolReading(files)).Read();

    /// <summary>What <see cref="Run"/> hears, for reports that are read together.</summary>
    internal static EventReading<EventResult<LockRow>> Begin(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, EventQuery query, SymbolReading symbols)
    {
        ArgumentNullException.ThrowIfNull(query);
        var passes = new EventPasses(processes, runs, query.Filter, symbols);
        var methods = new MethodTable();
        var rows = new EventRows<Key, Tally>(passes.Groups);
        var scopes = passes.Scopes(
            EventKinds.Contention, "waits for locks", "record session 'clr' (esp-record does so unless --sessions leaves it out); a bare file without a single one says nothing", withStacks: true);
        var ticksPerSecond = scopes[^1].Clock.TicksPerSecond;
        var owners = scopes.ToDictionary(scope => scope.Process.Key);
        var requests = scopes.SelectMany(scope => scope.Process.Requests(new Pass(scope, rows, methods)));
        return new EventReading<EventResult<LockRow>>([.. requests], _ => passes.Result(
            [
                .. rows.All.Select(row => new LockRow
                {
                    Runs = row.Runs,
                    ProcessId = row.Key.Process.ProcessId,
                    LockId = row.Key.Lock == 0 ? null : row.Key.Lock,
                    Method = methods[row.Key.Method],
                    OwnerThreadId = row.Key.Owner == 0 ? null : row.Key.Owner,
                    OwnerThread = row.Key.Owner != 0 && owners[row.Key.Process].ThreadName(row.Key.Owner) is { Length: > 0 } name ? name : null,
                    Count = row.Tally.Count,
                    Ms = row.Tally.Ticks * 1e3 / ticksPerSecond,
                    MaxMs = row.Tally.LongestTicks * 1e3 / ticksPerSecond,
                    Longest = row.Tally.Longest,
                    Primitive = row.Tally.Primitive,
                    ContractLookupMs = row.Tally.LookupTicks * 1e3 / ticksPerSecond,
                }).OrderByDescending(row => row.Ms).ThenByDescending(row => row.Count).ThenBy(row => row.Runs.ToString(), StringComparer.Ordinal).ThenBy(row => row.LockId).ThenBy(row => row.OwnerThreadId),
            ],
            query.Top));
    }

    private readonly record struct Key(ProcessKey Process, ulong Lock, long Owner, int Method);

    private sealed class Tally
    {
        public long Count { get; set; }

        public long Ticks { get; set; }

        public long LongestTicks { get; set; }

        public EventPlace? Longest { get; set; }

        public string? Primitive { get; set; }

        /// <summary>Of <see cref="Ticks"/>, those with a look-up of a data contract on the stack.</summary>
        public long LookupTicks { get; set; }
    }

    private sealed class Pass(EventScope scope, EventRows<Key, Tally> rows, MethodTable methods) : IEventSubscriber
    {
        private readonly SampleStack _stack = new(scope.Symbols!.Resolver);

        private readonly StackNames _names = new(scope.Symbols!.Resolver, methods, RuntimeFrames.IsWaiting);

        private readonly StackSign _lookups = new(scope.Symbols!.Resolver, KnownFrames.IsContractLookup);

        /// <summary>By thread, the wait under way.</summary>
        private readonly Dictionary<long, (long Start, Key Key, bool IsLookup, string? Primitive)> _waiting = [];

        /// <inheritdoc />
        public void Subscribe(EventHub hub)
        {
            hub.Subscribe<ContentionStarted>(OnContentionStarted, withStack: true);
            hub.Subscribe<ContentionStopped>(OnContentionStopped);
        }

        private void OnContentionStarted(in ContentionStarted contention)
        {
            if (contention.IsNative)
                return;
            var (at, owner) = (contention.At, contention.OwnerThreadId);
            _stack.Walk(contention.Stack, at.Time);
            var key = new Key(scope.Process.Key, contention.LockId, owner, _names.Find(_stack.Symbols));
            _waiting[at.ThreadId] = (at.Time, key, _lookups.IsOn(_stack.Symbols), Primitive(_stack.Symbols));
            if (scope.GroupAt(at.Time) is >= 0 and var group)
                rows.At(group, key).Count++;
        }

        private void OnContentionStopped(in ContentionStopped contention)
        {
            if (contention.IsNative || !_waiting.Remove(contention.At.ThreadId, out var wait))
                return;
            foreach (var (run, ticks) in scope.Windows.Clip(wait.Start, contention.At.Time))
            {
                if (scope.GroupOf(run) is not (>= 0 and var group))
                    continue;
                var tally = rows.At(group, wait.Key);
                tally.Ticks += ticks;
                tally.Primitive ??= wait.Primitive;
                if (wait.IsLookup)
                    tally.LookupTicks += ticks;
                if (ticks <= tally.LongestTicks)
                    continue;
                tally.LongestTicks = ticks;
                tally.Longest = scope.PlaceOf(run, Math.Max(wait.Start, scope.RunOf(run).StartTicks), ticks);
            }
        }

        /// <summary>The type of locks that the program's method called: the outermost of the frames that are passed over.</summary>
        private string? Primitive(ReadOnlySpan<int> symbols)
        {
            string? type = null;
            foreach (var symbol in symbols)
            {
                var code = scope.Symbols!.Resolver.Symbols[symbol];
                if (KnownFrames.IsThreading(code))
                    type = code.TypeName;
                else if (_names.MethodOf(symbol) >= 0)
                    break;
            }

            return type;
        }
    }
}
