using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Jit;

/// <summary>JIT compilations in the runs, by method and tier.</summary>
public static class JitAnalysis
{
    /// <summary>Analyzes in one pass per process.</summary>
    /// <inheritdoc cref="EventPasses.Scopes"/>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">The query.</param>
    /// <param name="files">Symbols of libraries.</param>
    public static EventResult<JitRow> Run(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<Run> runs,
        EventQuery query,
        SymbolFiles files
    ) => Begin(processes, runs, query, new SymbolReading(files)).Read();

    /// <summary>Subscribers of <see cref="Run"/>, for reports that share a pass.</summary>
    internal static EventReading<EventResult<JitRow>> Begin(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<Run> runs,
        EventQuery query,
        SymbolReading symbols
    )
    {
        ArgumentNullException.ThrowIfNull(query);
        var passes = new EventPasses(processes, runs, query.Filter, symbols);
        var names = new NameIndex();
        var rows = new EventRows<Key, Tally>(passes.Groups);
        var scopes = passes.Scopes(
            EventKinds.Jit,
            "compilations",
            "record session 'code' (esp-record does so unless --sessions leaves it out)",
            withStacks: true
        );
        var ticksPerSecond = scopes[^1].Clock.TicksPerSecond;
        var requests = scopes.SelectMany(scope => scope.Process.Requests(new JitPass(scope, rows, names)));
        return new EventReading<EventResult<JitRow>>(
            [.. requests],
            _ =>
                passes.Result(
                    [
                        .. rows
                            .All.Select(row => new JitRow
                            {
                                Runs = row.Runs,
                                Method = names[row.Key.Method] is { Length: > 0 } name ? name : null,
                                Tier = row.Key.Tier,
                                Count = row.Tally.Count,
                                Ms = row.Tally.Ticks * 1e3 / ticksPerSecond,
                                IlBytes = row.Tally.LacksIl ? null : row.Tally.IlBytes,
                                NativeBytes = row.Tally.NativeBytes,
                                Threads = row.Tally.Threads == JitThreadKinds.None ? null : row.Tally.Threads,
                            })
                            .OrderByDescending(row => row.Ms)
                            .ThenByDescending(row => row.Count)
                            .ThenBy(row => row.Runs.ToString(), StringComparer.Ordinal)
                            .ThenBy(row => row.Method, StringComparer.Ordinal)
                            .ThenBy(row => row.Tier),
                    ],
                    query.Top
                )
        );
    }

    /// <summary>Key of a row.</summary>
    internal readonly record struct Key(int Method, CodeTier Tier);

    /// <summary>Sums of a row.</summary>
    internal sealed class Tally
    {
        public long Count { get; set; }

        public long Ticks { get; set; }

        public long IlBytes { get; set; }

        public bool LacksIl { get; set; }

        public long NativeBytes { get; set; }

        public JitThreadKinds Threads { get; set; }
    }
}
