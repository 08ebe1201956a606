using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Locks;

/// <summary>Waits for managed locks in the runs, by lock, owner thread and waiting method, or by waiting method only.</summary>
public static class LockAnalysis
{
    /// <summary>Minimum share of a site's waits in its threads' time, in %, for which the owners' stacks are read.</summary>
    private const double MinPercent = 1;

    /// <summary>Analyzes in one pass per process, and in a second one where threads waited long: what the locks' owners did.</summary>
    /// <inheritdoc cref="EventPasses.Scopes"/>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">The query.</param>
    /// <param name="files">Symbols of libraries.</param>
    /// <param name="grouping">Grouping of the rows.</param>
    public static LockResult Run(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<Run> runs,
        EventQuery query,
        SymbolFiles files,
        LockGrouping grouping = LockGrouping.Lock
    ) => Begin(processes, runs, query, new SymbolReading(files, withLines: grouping == LockGrouping.Line), grouping).Read();

    /// <summary>Subscribers of <see cref="Run"/>, for reports that share a pass.</summary>
    internal static EventReading<LockResult> Begin(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<Run> runs,
        EventQuery query,
        SymbolReading symbols,
        LockGrouping grouping = LockGrouping.Lock
    )
    {
        ArgumentNullException.ThrowIfNull(query);
        var passes = new EventPasses(processes, runs, query.Filter, symbols);
        var tables = new Tables(passes.Groups, byLine: grouping == LockGrouping.Line);
        var scopes = passes.Scopes(
            EventKinds.Contention,
            "waits for locks",
            "record session 'code' (esp-record does so unless --sessions leaves it out); a trace file without such waits may simply lack these events",
            withStacks: true
        );
        // These events are in the files with the process's code, the largest ones: they are read again only where a run waited for a lock.
        var requests = scopes
            .Where(scope => scope.Runs.Any(run => run.Contentions is not 0 || run.ContentionMs is not 0))
            .SelectMany(scope => scope.Process.Requests(new Pass(scope, tables, tables.OwnersIn(scope))));
        return new EventReading<LockResult>([.. requests], _ => Result(passes, tables, scopes, query.Top, grouping));
    }

    private static LockResult Result(EventPasses passes, Tables tables, IReadOnlyList<EventScope> scopes, int? top, LockGrouping grouping)
    {
        var clock = scopes[^1].Clock;
        var ownerMethods = OwnerMethods(tables, clock);
        var owners = scopes.ToDictionary(scope => scope.Process.Key);
        var locks = tables
            .Locks.All.Select(row => new LockRow
            {
                Runs = row.Runs,
                ProcessId = row.Key.Process.ProcessId,
                LockId = row.Key.Lock == 0 ? null : row.Key.Lock,
                Method = tables.Methods[row.Key.Method],
                OwnerThreadId = row.Key.Owner == 0 ? null : row.Key.Owner,
                OwnerThread = row.Key.Owner != 0 && owners[row.Key.Process].ThreadName(row.Key.Owner) is { Length: > 0 } name ? name : null,
                Count = row.Tally.Count,
                Ms = clock.ToMilliseconds(row.Tally.Ticks),
                MaxMs = clock.ToMilliseconds(row.Tally.MaxTicks),
                Longest = row.Tally.Longest,
                Primitive = row.Tally.Primitive,
                ContractLookupMs = clock.ToMilliseconds(row.Tally.LookupTicks),
            })
            .OrderByDescending(row => row.Ms)
            .ThenByDescending(row => row.Count)
            .ThenBy(row => row.Runs.ToString(), StringComparer.Ordinal)
            .ThenBy(row => row.LockId)
            .ThenBy(row => row.OwnerThreadId);
        var sites = tables
            .Sites.All.Select(row => new LockSiteRow
            {
                Runs = row.Runs,
                Method = tables.Methods[row.Key.Method],
                Caller = row.Key.Own == row.Key.Method ? null : tables.Methods[row.Key.Own],
                Primitive = row.Tally.Primitive,
                Locks = row.Tally.Locks.Count > 0 ? row.Tally.Locks.Count : null,
                Threads = row.Tally.Waiters.Threads,
                Count = row.Tally.Count,
                Ms = clock.ToMilliseconds(row.Tally.Ticks),
                WaiterMs = row.Tally.Waiters.Ms,
                MaxMs = clock.ToMilliseconds(row.Tally.MaxTicks),
                Longest = row.Tally.Longest,
                OwnerMethod = ownerMethods.TryGetValue(row.Tally, out var owner) ? owner.Method : null,
                OwnerPercent = owner.Method is null ? null : owner.Percent,
            })
            .OrderByDescending(row => row.Ms)
            .ThenByDescending(row => row.Count)
            .ThenBy(row => row.Runs.ToString(), StringComparer.Ordinal)
            .ThenBy(row => row.Method?.Name, StringComparer.Ordinal);
        var waiterMs = tables
            .Sites.All.GroupBy(row => row.Runs, row => row.Tally.Waiters)
            .ToDictionary(group => group.Key, group => Waiters.Union(group).Ms);
        return new LockResult(passes.Result([.. locks], top), passes.Result([.. sites], top), waiterMs) { Grouping = grouping };
    }

    /// <summary>
    /// The method in which the owners of locks spent most of the time for which threads waited at a site, and its share of that time in %.
    /// Takes one more pass per process, unless no site is worth it.
    /// </summary>
    private static Dictionary<SiteTally, (MethodName? Method, double Percent)> OwnerMethods(Tables tables, TraceClock clock)
    {
        var sites = tables
            .Sites.All.Select(row => row.Tally)
            .Where(site => clock.ToMilliseconds(site.Ticks) * 100 > MinPercent * site.Waiters.Ms)
            .Select(site => (Site: site, Ticks: tables.Owners.Sum(item => item.Owners.TicksOf(site))))
            .Where(item => item.Ticks > 0)
            .ToDictionary(item => item.Site, item => item.Ticks);
        if (sites.Count == 0)
            return [];

        // Not those of the waits, whose lines are named only where all stacks have the same.
        var methods = new MethodInterner();
        var passes = tables.Owners.ConvertAll(item =>
            (item.Scope.Process, Pass: new LockOwnerPass<SiteTally>(item.Scope, item.Owners, methods))
        );
        TraceReading.Read(passes.SelectMany(item => item.Process.Requests(item.Pass)));
        passes.ForEach(item => item.Pass.End());
        return passes
            .SelectMany(item => item.Pass.Ticks)
            .Where(pair => sites.ContainsKey(pair.Key.Site))
            .GroupBy(pair => pair.Key)
            .Select(group => (group.Key.Site, group.Key.Method, Ticks: group.Sum(pair => pair.Value)))
            .GroupBy(item => item.Site)
            .Select(group => group.MaxBy(item => item.Ticks))
            .ToDictionary(item => item.Site, item => (methods[item.Method], Math.Min(100, 100.0 * item.Ticks / sites[item.Site])));
    }

    private readonly record struct Key(ProcessKey Process, ulong Lock, long Owner, int Method);

    /// <summary>Key of a wait site.</summary>
    /// <param name="Method">Index of the waiting method.</param>
    /// <param name="Own">Index of the program's own method that called it, or of the waiting method itself.</param>
    private readonly record struct Site(int Method, int Own);

    /// <summary>Rows of all processes, and their indexes.</summary>
    private sealed class Tables(Interner<SummaryKey> groups, bool byLine)
    {
        public MethodInterner Methods { get; } = new(byLine);

        public EventRows<Key, Tally> Locks { get; } = new(groups);

        public EventRows<Site, SiteTally> Sites { get; } = new(groups);

        /// <summary>Owners of the locks of each process.</summary>
        public List<(EventScope Scope, LockOwners<SiteTally> Owners)> Owners { get; } = [];

        /// <summary>Owners of the locks of one more process.</summary>
        public LockOwners<SiteTally> OwnersIn(EventScope scope)
        {
            var owners = new LockOwners<SiteTally>();
            Owners.Add((scope, owners));
            return owners;
        }
    }

    /// <summary>Waiting threads, with the time of the runs in which they waited.</summary>
    private sealed class Waiters
    {
        private readonly Dictionary<(ProcessKey Process, int RunId, long Thread), double> _wallMs = [];

        public int Threads => _wallMs.Keys.DistinctBy(waiter => (waiter.Process, waiter.Thread)).Count();

        public double Ms => _wallMs.Values.Sum();

        public static Waiters Union(IEnumerable<Waiters> all)
        {
            var union = new Waiters();
            foreach (var (waiter, ms) in all.SelectMany(waiters => waiters._wallMs))
                union._wallMs[waiter] = ms;
            return union;
        }

        public void Add(Run run, long thread) => _wallMs[(run.Process, run.RunId, thread)] = run.WallMs;
    }

    private sealed class SiteTally : Tally
    {
        public HashSet<(ProcessKey Process, ulong Lock)> Locks { get; } = [];

        public Waiters Waiters { get; } = new();
    }

    private class Tally
    {
        public long Count { get; set; }

        public long Ticks { get; set; }

        public long MaxTicks { get; set; }

        public EventInterval? Longest { get; set; }

        public string? Primitive { get; set; }

        /// <summary>Part of <see cref="Ticks"/> with a data contract look-up on the stack.</summary>
        public long LookupTicks { get; set; }

        /// <summary>Adds the part of a wait inside a run.</summary>
        public void Add(long ticks, EventInterval interval, string? primitive)
        {
            Ticks += ticks;
            Primitive ??= primitive;
            if (ticks <= MaxTicks)
                return;
            MaxTicks = ticks;
            Longest = interval;
        }
    }

    private sealed class Pass(EventScope scope, Tables tables, LockOwners<SiteTally> owners) : IEventSubscriber
    {
        private readonly SampleStack _stack = new(scope.Symbols!.Resolver);

        private readonly StackNames _names = StackNames.OutsideOfWaits(scope.Symbols!.Resolver, tables.Methods);

        private readonly StackNames _own = StackNames.OwnOutsideOfWaits(scope.Symbols!.Resolver, tables.Methods);

        private readonly StackMatcher _lookups = new(scope.Symbols!.Resolver, KnownFrames.IsContractLookup);

        /// <summary>Current wait of each thread.</summary>
        private readonly Dictionary<long, (long Start, Key Key, Site Site, bool IsLookup, string? Primitive)> _waiting = [];

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
            _stack.Walk(contention.Stack, at);
            var key = new Key(scope.Process.Key, contention.LockId, owner, _names.Find(_stack.Symbols));
            var site = new Site(key.Method, _own.FindOnly(_stack.Symbols) is >= 0 and var own ? own : key.Method);
            _waiting[at.ThreadId] = (at.Time, key, site, _lookups.IsOn(_stack.Symbols), Primitive(_stack.Symbols));
            if (scope.GroupAt(at) is not (>= 0 and var group))
                return;
            tables.Locks.At(group, key).Count++;
            var tally = tables.Sites.At(group, site);
            tally.Count++;
            owners.Begin(contention.LockId, owner, at.ThreadId, tally, at.Time);
        }

        private void OnContentionStopped(in ContentionStopped contention)
        {
            if (contention.IsNative || !_waiting.Remove(contention.At.ThreadId, out var wait))
                return;
            owners.End(contention.At.ThreadId, contention.At.Time);
            foreach (var (tally, ticks) in scope.Windows.Clip(wait.Start, contention.At.Time))
            {
                if (scope.GroupOf(tally) is not (>= 0 and var group))
                    continue;
                var interval = scope.IntervalOf(tally, Math.Max(wait.Start, scope.RunOf(tally).StartTicks), ticks);
                var waits = tables.Locks.At(group, wait.Key);
                waits.Add(ticks, interval, wait.Primitive);
                if (wait.IsLookup)
                    waits.LookupTicks += ticks;
                var site = tables.Sites.At(group, wait.Site);
                site.Add(ticks, interval, wait.Primitive);
                site.Waiters.Add(scope.RunOf(tally), contention.At.ThreadId);
                if (wait.Key.Lock != 0)
                    site.Locks.Add((wait.Key.Process, wait.Key.Lock));
            }
        }

        /// <summary>Lock type that the program's method called: the outermost of the skipped frames.</summary>
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
