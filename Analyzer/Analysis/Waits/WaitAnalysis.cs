using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>
/// Where the measuring threads waited in their runs. Times are those of the switches where they were recorded, else of the WaitHandle events; a switch-out inside a
/// wait by events has that event's method, which is always known, any other one the method on the call chain of its own, or on the stack with which the thread came back.
/// </summary>
public static class WaitAnalysis
{
    private const string Advice = "record session 'code' on .NET 9 or later, or session 'perf' (esp-record does so unless --sessions leaves them out); on Windows the kernel's context switches with their stacks (CSwitch)";

    /// <summary>Analyses them in two passes over each process: events, switches.</summary>
    /// <inheritdoc cref="EventPasses.Scopes"/>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">What is asked.</param>
    /// <param name="files">Symbols of libraries.</param>
    public static EventResult<WaitRow> Run(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, EventQuery query, SymbolFiles files)
    {
        ArgumentNullException.ThrowIfNull(query);
        var passes = new EventPasses(processes, runs, query.Filter, new SymbolReading(files));
        var methods = new MethodTable();
        var rows = new EventRows<WaitKey, WaitTally>(passes.Groups);
        var unmarked = new List<string>();
        var scopes = passes.Scopes(EventKinds.Waits | EventKinds.ContextSwitches, "waits", Advice, withStacks: true, EventKinds.SwitchOutStacks | EventKinds.SwitchInStacks);
        var ticksPerSecond = scopes[^1].Clock.TicksPerSecond;
        foreach (var scope in scopes)
        {
            if (scope.Runs.All(run => run.MeasuringThread is null))
                unmarked.Add($"{scope.Process.Key} marks no runs: which of its threads measures is not recorded");
        }

        Read(scopes, rows, methods);
        var result = passes.Result<WaitRow>(
            [
                .. rows.All.Select(row => new WaitRow
                {
                    Runs = row.Runs,
                    Method = methods[row.Key.Method],
                    Source = row.Key.Source,
                    Count = row.Tally.Count,
                    Ms = row.Tally.Ticks * 1e3 / ticksPerSecond,
                    MaxMs = row.Tally.LongestTicks * 1e3 / ticksPerSecond,
                }).OrderByDescending(row => row.Ms).ThenByDescending(row => row.Count).ThenBy(row => row.Runs.ToString(), StringComparer.Ordinal).ThenBy(row => row.Method?.Name, StringComparer.Ordinal),
            ],
            query.Top);
        return result with { Problems = [.. result.Problems, .. unmarked] };
    }

    private static void Read(IReadOnlyList<EventScope> scopes, EventRows<WaitKey, WaitTally> rows, MethodTable methods)
    {
        var events = scopes.Select(scope => (Scope: scope, Pass: new WaitPass(scope, methods))).ToList();
        TraceReading.Read(events.SelectMany(pair => pair.Scope.Process.Requests(pair.Pass)));
        var switches = events.Where(pair => (pair.Scope.Process.Kinds & EventKinds.ContextSwitches) != 0).Select(pair => (pair.Scope, Pass: new SwitchPass(pair.Scope, rows, methods, pair.Pass))).ToList();
        TraceReading.Read(switches.SelectMany(pair =>
            pair.Scope.Process.Requests(pair.Pass)));
        switches.ForEach(pair => pair.Pass.End());
        foreach (var (scope, pass) in events.Where(pair => (pair.Scope.Process.Kinds & EventKinds.ContextSwitches) == 0))
        {
            foreach (var (thread, start, stop, method) in pass.Waits)
                Add(scope, rows, thread, start, start, stop, new WaitKey(method, WaitSource.Events));
        }
    }

    /// <summary>Adds a wait of a measuring thread to the rows of the thread's own runs.</summary>
    /// <param name="scope">The process.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="begun">When it began: in which run it counts.</param>
    /// <param name="start">Begin of the time waited.</param>
    /// <param name="stop">End of it.</param>
    /// <param name="key">The row.</param>
    internal static void Add(EventScope scope, EventRows<WaitKey, WaitTally> rows, long thread, long begun, long start, long stop, WaitKey key)
    {
        if (scope.Windows.At(begun) is { } first && first.MeasuringThread == thread && scope.GroupOf(first) is >= 0 and var group)
            rows.At(group, key).Count++;
        foreach (var (run, ticks) in scope.Windows.Clip(start, stop))
        {
            if (run.MeasuringThread != thread || scope.GroupOf(run) is not (>= 0 and var clipped))
                continue;
            var tally = rows.At(clipped, key);
            tally.Ticks += ticks;
            tally.LongestTicks = Math.Max(tally.LongestTicks, ticks);
        }
    }
}
