using System.Globalization;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Allocation;

/// <summary>
/// Allocations of the runs by type, method, stack or in total: from sampled allocations if recorded, else from allocation ticks.
/// </summary>
public static class AllocationAnalysis
{
    private const string Advice = "record with --alloc (.NET 10 samples allocations; earlier runtimes write one event per 100 KB or so)";

    /// <summary>Analyzes in one pass per process.</summary>
    /// <inheritdoc cref="EventPasses.Scopes"/>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">The query.</param>
    /// <param name="grouping">Grouping of the rows.</param>
    /// <param name="files">Symbols of libraries.</param>
    public static AllocationResult Run(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<Run> runs,
        EventQuery query,
        AllocationGrouping grouping,
        SymbolFiles files
    ) => Begin(processes, runs, query, grouping, new SymbolReading(files, withLines: grouping == AllocationGrouping.Line)).Read();

    /// <summary>Subscribers of <see cref="Run"/>, for reports that share a pass.</summary>
    internal static EventReading<AllocationResult> Begin(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<Run> runs,
        EventQuery query,
        AllocationGrouping grouping,
        SymbolReading symbols
    )
    {
        ArgumentNullException.ThrowIfNull(query);
        var passes = new EventPasses(processes, runs, query.Filter, symbols);
        var types = new NameIndex();
        var (methods, paths) = (new MethodInterner(byLine: grouping == AllocationGrouping.Line), new StackTable());
        var rows = new EventRows<Key, Tally>(passes.Groups);
        var withStacks =
            grouping is AllocationGrouping.Method or AllocationGrouping.Stack or AllocationGrouping.Own or AllocationGrouping.Line;
        var scopes = passes.Scopes(EventKinds.AllocationSamples | EventKinds.AllocationTicks, "allocations", Advice, withStacks);
        var requests = scopes.SelectMany(scope => scope.Process.Requests(new Pass(scope, rows, grouping, types, methods, paths)));
        return new EventReading<AllocationResult>([.. requests], _ => Result(passes, rows, types, methods, paths, grouping, query.Top));
    }

    private static AllocationResult Result(
        EventPasses passes,
        EventRows<Key, Tally> rows,
        NameIndex types,
        MethodInterner methods,
        StackTable paths,
        AllocationGrouping grouping,
        int? top
    )
    {
        var sums = rows.All.GroupBy(row => row.Runs).ToDictionary(group => group.Key, group => group.Sum(row => row.Tally.Bytes));
        var exact = passes.Runs.GroupBy(SummaryKey.Of).ToDictionary(group => group.Key, Exact);
        IReadOnlyList<AllocationRow> all =
        [
            .. rows
                .All.Select(row => new AllocationRow
                {
                    Runs = row.Runs,
                    Type = grouping == AllocationGrouping.Type && types[row.Key.Type] is { Length: > 0 } type ? type : null,
                    Heap = grouping is AllocationGrouping.Type or AllocationGrouping.Own or AllocationGrouping.Line ? row.Key.Heap : null,
                    Method = methods[row.Key.Method],
                    Stack = grouping == AllocationGrouping.Stack ? paths.Frames(row.Key.Stack) : null,
                    Source = row.Key.Source,
                    Events = row.Tally.Events,
                    Bytes = row.Tally.Bytes,
                    Percent = 100 * row.Tally.Bytes / Math.Max(sums[row.Runs], double.Epsilon),
                    MaxObjectBytes = row.Tally.Max,
                    ExactBytes = grouping == AllocationGrouping.Serializer ? exact.GetValueOrDefault(row.Runs) : null,
                })
                .OrderByDescending(row => row.Bytes)
                .ThenBy(row => row.Runs.ToString(), StringComparer.Ordinal)
                .ThenBy(row => row.Type ?? row.Method?.Name, StringComparer.Ordinal)
                .ThenBy(row => row.Method?.Line?.Line)
                .ThenBy(row => row.Heap),
        ];
        var result = passes.Result(all, top);
        if (paths.Dropped > 0)
            result = result with
            {
                Problems =
                [
                    .. result.Problems,
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"stacks of {Plural.Of(paths.Dropped, "allocation", "N0")} were dropped: too many different stacks"
                    ),
                ],
            };
        return new AllocationResult(result) { Grouping = grouping, ExactBytes = Exact(passes.Runs) };
    }

    private static double? Exact(IEnumerable<Run> runs) =>
        runs.All(run => run.AllocatedBytesSource == AllocationSource.SelfReported) ? runs.Sum(run => run.AllocatedBytes) : null;

    private readonly record struct Key(int Type, AllocationKind Heap, int Method, int Stack, AllocationSource Source);

    private sealed class Tally
    {
        public long Events { get; private set; }

        public double Bytes { get; private set; }

        public long Max { get; private set; }

        public void Add(double bytes, long objectBytes)
        {
            Events++;
            Bytes += bytes;
            Max = Math.Max(Max, objectBytes);
        }
    }

    private sealed class Pass(
        EventScope scope,
        EventRows<Key, Tally> rows,
        AllocationGrouping grouping,
        NameIndex types,
        MethodInterner methods,
        StackTable paths
    ) : IEventSubscriber
    {
        private readonly (SampleStack Stack, StackNames Names, StackPaths Paths)? _walk = scope.Symbols is { Resolver: var resolver }
            ? (
                new SampleStack(resolver),
                new StackNames(
                    resolver,
                    methods,
                    grouping is AllocationGrouping.Own or AllocationGrouping.Line
                        ? symbol => RuntimeFrames.IsAllocating(symbol) || !OwnCode.IsMine(symbol, resolver.MyCode)
                        : RuntimeFrames.IsAllocating
                ),
                new StackPaths(resolver, paths)
            )
            : null;

        /// <inheritdoc />
        public void Subscribe(EventHub hub)
        {
            // Samples are more exact, so ticks count only without samples.
            if ((scope.Process.Kinds & EventKinds.AllocationSamples) != 0)
                hub.Subscribe<AllocationSample>(OnAllocationSample, withStack: _walk is not null);
            else
                hub.Subscribe<AllocationTick>(OnAllocationTick, withStack: _walk is not null);
        }

        private void OnAllocationSample(in AllocationSample sample)
        {
            if (scope.GroupAt(sample.At) is >= 0 and var group)
                rows.At(group, KeyOf(sample.At, sample.Type, sample.Kind, sample.Stack, AllocationSource.Sampled))
                    .Add(AllocationEstimate.OfSample(sample.ObjectBytes), sample.ObjectBytes);
        }

        private void OnAllocationTick(in AllocationTick tick)
        {
            if (scope.GroupAt(tick.At) is >= 0 and var group)
                rows.At(group, KeyOf(tick.At, tick.Type, tick.Kind, tick.Stack, AllocationSource.Ticks)).Add(tick.Bytes, tick.ObjectBytes);
        }

        private Key KeyOf(in EventAt at, ReadOnlySpan<char> type, AllocationKind heap, ReadOnlySpan<ulong> stack, AllocationSource source)
        {
            if (_walk is not var (walked, names, numbers))
                return grouping == AllocationGrouping.Type
                    ? new Key(types.GetOrAdd(type), heap, MethodInterner.None, StackTable.None, source)
                    : new Key(0, AllocationKind.Small, MethodInterner.None, StackTable.None, source);
            walked.Walk(stack, at, SymbolResolver.Allocator);
            if (grouping is AllocationGrouping.Own or AllocationGrouping.Line)
                return new Key(0, heap, names.FindOnly(walked.Symbols), StackTable.None, source);
            return new Key(
                0,
                AllocationKind.Small,
                names.Find(walked.Symbols),
                grouping == AllocationGrouping.Stack ? numbers.GetOrAdd(names.From(walked.Symbols)) : StackTable.None,
                source
            );
        }
    }
}
