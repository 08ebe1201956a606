using System.Globalization;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>
/// Waits of threads with locations and reasons: for measuring threads in their runs, in a program without marks for all threads all the
/// time. Times are those of context switches if recorded, else of runtime events. A switch-out inside a wait by events has that event's
/// method, which is always known; any other has the method on its own call chain, or on the stack of the thread's switch-in.
/// </summary>
public static class WaitAnalysis
{
    private const string Advice =
        "record session 'code' on .NET 9 or later, or session 'perf' (esp-record does so unless --sessions leaves them out); on Windows the kernel's context switches with their stacks (CSwitch)";

    /// <summary>Analyzes in two passes per process: events, switches.</summary>
    /// <inheritdoc cref="EventPasses.Scopes"/>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">The query.</param>
    /// <param name="files">Symbols of libraries.</param>
    /// <param name="grouping">Grouping of the rows.</param>
    public static WaitResult Run(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<Run> runs,
        EventQuery query,
        SymbolFiles files,
        WaitGrouping grouping = WaitGrouping.Method
    ) => Run(processes, runs, query, new SymbolReading(files, withLines: grouping == WaitGrouping.Line), grouping);

    /// <inheritdoc cref="Run(IReadOnlyList{TracedProcess}, IReadOnlyList{Analysis.Runs.Run}, EventQuery, SymbolFiles, WaitGrouping)"/>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">The query.</param>
    /// <param name="symbols">Symbols, possibly already read.</param>
    /// <param name="grouping">Grouping of the rows.</param>
    /// <param name="withStacks">Whether to keep the stacks in any grouping (<see cref="WaitResult.Stacks"/>).</param>
    internal static WaitResult Run(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<Run> runs,
        EventQuery query,
        SymbolReading symbols,
        WaitGrouping grouping,
        bool withStacks = false
    )
    {
        ArgumentNullException.ThrowIfNull(query);
        var passes = new EventPasses(processes, runs, query.Filter, symbols);
        var tables = new WaitTables(passes.Groups, withStacks || grouping == WaitGrouping.Stack, byLine: grouping == WaitGrouping.Line);
        var problems = new List<string>();
        var scopes = passes.Scopes(
            EventKinds.Waits | EventKinds.ContextSwitches,
            "waits",
            Advice,
            withStacks: true,
            EventKinds.SwitchOutStacks | EventKinds.SwitchInStacks
        );
        var isProgram = scopes.Any(scope => WaitTables.IsProgram(scope.Runs));
        foreach (var scope in scopes)
        {
            if (!WaitTables.IsProgram(scope.Runs) && scope.Runs.All(run => run.MeasuringThread is null))
                problems.Add($"{scope.Process.Key}: the thread that measures its runs was not recorded");
            else if (Problem(GapOf(scope)) is { } problem)
                problems.Add($"{scope.Process.Key}: {problem}");
        }

        Read(scopes, tables);
        if (tables.Stacks is { Dropped: > 0 } stacks)
            problems.Add(
                string.Create(CultureInfo.InvariantCulture, $"stacks of {stacks.Dropped} waits were dropped: too many different stacks")
            );
        if (tables.WaitsLikeOthers > 0)
            problems.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"threads switched so often that stacks were taken at times only: {tables.WaitsLikeOthers:N0} waits without one count for a wait of their thread that was about as long"
                )
            );
        var rows = new WaitRows(tables, scopes[^1].Clock);
        var result = passes.Result(rows.By(grouping), query.Top);
        return new WaitResult(
            result with
            {
                Problems = [.. result.Problems, .. problems],
            },
            passes.Result(rows.Threads(), query.Top),
            rows.By(WaitGrouping.Reason),
            rows.Sites()
        )
        {
            Grouping = grouping,
            Stacks = withStacks ? rows.By(WaitGrouping.Stack) : [],
            HasPrograms = isProgram,
            Gap = scopes.Max(GapOf),
            Pools = [.. tables.Pools.Values],
        };
    }

    private static WaitGap GapOf(EventScope scope) =>
        !WaitTables.IsProgram(scope.Runs) ? WaitGap.None
        : (scope.Process.Kinds & EventKinds.ContextSwitches) == 0
            ? (scope.Process.Details & EventDetails.ManagedSamples) == 0 ? WaitGap.Switches
                : WaitGap.SwitchesExceptSleeps
        : (scope.Process.Kinds & (EventKinds.SwitchOutStacks | EventKinds.SwitchInStacks)) == 0 ? WaitGap.Stacks
        : WaitGap.None;

    private static string? Problem(WaitGap gap) =>
        gap switch
        {
            WaitGap.Switches =>
                "no context switches (Linux records them with kernel.perf_event_paranoid=2 or less, Windows by ETW): waits without an event of the runtime, such as Thread.Sleep and I/O, are missing",
            WaitGap.SwitchesExceptSleeps =>
                "no context switches (Linux records them with kernel.perf_event_paranoid=2 or less, Windows by ETW): waits without an event of the runtime, such as I/O, are missing; sleeps are those of the sample profiler, from the first to the last sample of each",
            WaitGap.Stacks =>
                "context switches have no stacks (recording them needs root, CAP_PERFMON or kernel.perf_event_paranoid=1): waits without an event of the runtime, such as Thread.Sleep, read unknown",
            _ => null,
        };

    private static void Read(IReadOnlyList<EventScope> scopes, WaitTables tables)
    {
        var events = scopes
            .Select(scope => (Scope: scope, Places: new WaitPlaces(scope, tables)))
            .Select(pair => (pair.Scope, pair.Places, Pass: new WaitPass(pair.Scope, pair.Places)))
            .ToList();
        TraceReading.Read(events.SelectMany(item => item.Scope.Process.Requests(item.Pass)));
        events.ForEach(item => item.Pass.End());
        var switches = events
            .Where(item => (item.Scope.Process.Kinds & EventKinds.ContextSwitches) != 0)
            .Select(item => (item.Scope, Pass: Follower(item.Scope, tables, item.Places, item.Pass)))
            .ToList();
        TraceReading.Read(switches.SelectMany(pair => pair.Scope.Process.Requests(pair.Pass)));
        switches.ForEach(pair => pair.Pass.End());
        foreach (var (scope, _, pass) in events.Where(item => (item.Scope.Process.Kinds & EventKinds.ContextSwitches) == 0))
        {
            foreach (var (thread, start, stop, place, source) in pass.Waits)
                tables.Add(scope, thread, start, start, stop, source, place, null);
        }
    }

    /// <summary>
    /// Follows the measuring threads, whose waits form the table's Wait and Waits, or all threads of a program without marks.
    /// </summary>
    private static ThreadFollower Follower(EventScope scope, WaitTables tables, WaitPlaces places, WaitPass events)
    {
        var isProgram = WaitTables.IsProgram(scope.Runs);
        var measuring = scope.Runs.Select(run => run.MeasuringThread).OfType<long>().ToHashSet();
        var waits = events.Waits.OrderBy(wait => wait.Start).ToLookup(wait => (wait.Thread, wait.Source));
        return new ThreadFollower(thread =>
            isProgram || measuring.Contains(thread)
                ? new WaitingThread(
                    thread,
                    scope,
                    tables,
                    places,
                    events,
                    [.. waits[(thread, WaitSource.Events)]],
                    [.. waits[(thread, WaitSource.Samples)]]
                )
                : null
        );
    }
}
