using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Requests;

/// <summary>HTTP requests that programs served and sent, by route. Memory grows by 8 bytes per request.</summary>
public static class RequestAnalysis
{
    /// <summary>Analyzes in one pass per process.</summary>
    /// <inheritdoc cref="EventPasses.Scopes"/>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">The query.</param>
    /// <param name="files">Symbols of libraries; not used for requests.</param>
    public static RequestResult Run(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, EventQuery query, SymbolFiles files) =>
        Begin(processes, runs, query, new SymbolReading(files)).Read();

    /// <summary>Subscribers of <see cref="Run"/>, for reports that share a pass.</summary>
    internal static EventReading<RequestResult> Begin(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<Run> runs,
        EventQuery query,
        SymbolReading symbols
    )
    {
        ArgumentNullException.ThrowIfNull(query);
        var passes = new EventPasses(processes, runs, query.Filter, symbols);
        var scopes = passes.Scopes(
            EventKinds.Requests,
            "HTTP requests",
            "record your own program with session 'clr', without --no-requests; a trace file without requests may simply lack these events",
            withStacks: false
        );
        var rows = new EventRows<RequestKey, RequestTally>(passes.Groups);
        var names = new NameIndex();
        var read = scopes.Select(scope => new RequestPass(scope, rows, names)).ToList();
        return new EventReading<RequestResult>(
            [.. read.SelectMany(pass => pass.Scope.Process.Requests(pass))],
            _ =>
            {
                read.ForEach(pass => pass.End());
                var ticksPerMs = scopes[0].Clock.TicksPerSecond / 1e3;
                List<RequestRow> all = [.. rows.All.Select(row => Row(row.Runs, row.Key, names[row.Key.Name], row.Tally, ticksPerMs))];
                var ordered = all.OrderByDescending(row => row.TotalMs)
                    .ThenByDescending(row => row.Open)
                    .ThenBy(row => row.Runs.ToString(), StringComparer.Ordinal)
                    .ThenBy(row => row.Side)
                    .ThenBy(row => row.Name, StringComparer.Ordinal);
                return new RequestResult(passes.Result([.. ordered], query.Top)) { Unpaired = read.Sum(pass => pass.Unpaired) };
            }
        );
    }

    private static RequestRow Row(SummaryKey runs, RequestKey key, string name, RequestTally tally, double ticksPerMs)
    {
        var sorted = tally.Ticks.Order().Select(ticks => ticks / ticksPerMs).ToList();
        return new RequestRow
        {
            Runs = runs,
            Side = key.Side,
            Name = name,
            Count = sorted.Count,
            Failed = tally.Failed,
            Open = tally.Open,
            Statuses =
            [
                .. tally
                    .Statuses.OrderByDescending(status => status.Value)
                    .ThenBy(status => status.Key)
                    .Select(status => (status.Key, status.Value)),
            ],
            TotalMs = sorted.Sum(),
            MedianMs = Statistics.Median(sorted),
            P95Ms = Statistics.Quantile(sorted, 0.95),
            MaxMs = sorted.Count > 0 ? sorted[^1] : null,
            Longest = tally.Longest,
        };
    }
}
