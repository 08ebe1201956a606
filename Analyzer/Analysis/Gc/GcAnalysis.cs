using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Gc;

/// <summary>GCs one by one or by trigger, with their sums.</summary>
public static class GcAnalysis
{
    /// <summary>Analyzes in one pass per process.</summary>
    /// <inheritdoc cref="EventPasses.Scopes"/>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">The query; with all kinds of runs, GCs outside of all runs are rows, too.</param>
    /// <param name="files">Symbols of libraries.</param>
    /// <param name="grouping">Grouping of the rows.</param>
    public static GcResult Run(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<Run> runs,
        EventQuery query,
        SymbolFiles files,
        GcGrouping grouping = GcGrouping.Gc
    ) => Begin(processes, runs, query, new SymbolReading(files), grouping).Read();

    /// <summary>Subscribers of <see cref="Run"/>, for reports that share a pass.</summary>
    internal static EventReading<GcResult> Begin(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<Run> runs,
        EventQuery query,
        SymbolReading symbols,
        GcGrouping grouping = GcGrouping.Gc
    )
    {
        ArgumentNullException.ThrowIfNull(query);
        var passes = new EventPasses(processes, runs, query.Filter, symbols);
        var triggers = new GcTriggers();
        var scopes = passes.Scopes(
            EventKinds.Gc,
            "GCs",
            "record session 'clr' (esp-record does so unless --sessions leaves it out); a trace file without GCs may simply lack these events",
            withStacks: grouping != GcGrouping.Gc
        );
        var read = scopes
            .Select(scope => (Scope: scope, Pass: new GcPass(scope, scope.Symbols is { } named ? triggers.Of(named.Resolver) : null)))
            .ToList();

        // Other processes of the recording also pause while runs are on.
        var others = processes
            .Where(process => (process.Kinds & EventKinds.Gc) != 0 && !read.Exists(pair => pair.Scope.Process.Key == process.Key))
            .Select(process => new EventScope(process, [], query.Filter, passes.Groups, null))
            .Select(scope => (Scope: scope, Pass: new GcPass(scope)))
            .ToList();
        return new EventReading<GcResult>(
            [.. read.Concat(others).SelectMany(pair => pair.Scope.Process.Requests(pair.Pass))],
            _ =>
                Result(
                    passes,
                    read,
                    [.. read, .. others],
                    [.. processes.Select(process => process.Label).Distinct()],
                    query,
                    runs.Any(run => run.IsOneOfSeveralRuntimes),
                    grouping,
                    triggers
                )
        );
    }

    private static GcResult Result(
        EventPasses passes,
        List<(EventScope Scope, GcPass Pass)> read,
        List<(EventScope Scope, GcPass Pass)> all,
        List<string> recordings,
        EventQuery query,
        bool several,
        GcGrouping grouping,
        GcTriggers triggers
    )
    {
        var triggered = new List<(GcRow Row, GcTriggers.Trigger Trigger)>();
        var (outside, pause, longest) = (0, 0.0, 0.0);
        foreach (var (scope, pass) in read)
        {
            pause += scope.Clock.ToMilliseconds(pass.UnknownPauseTicks);
            longest = Math.Max(longest, scope.Clock.ToMilliseconds(pass.MaxPauseTicks));
            foreach (var gc in pass.Gcs)
            {
                pause += scope.Clock.ToMilliseconds(gc.PauseInRunsTicks);
                var run = scope.Windows.At(gc.Started.At.Time) is { } tally ? scope.RunOf(tally) : null;
                if (run is null)
                    outside++;
                if (run is null ? query.Filter.AllKinds : query.Filter.Matches(run))
                    triggered.Add((Row(scope, gc, run) with { Runtime = several ? scope.Process.RuntimeName : "" }, gc.Trigger));
            }
        }

        List<GcRow> rows =
        [
            .. triggered
                .Select(item => item.Row)
                .OrderBy(row => recordings.IndexOf(row.Process.Recording))
                .ThenBy(row => row.ProcessId)
                .ThenBy(row => row.StartMs),
        ];
        var inRuns = rows.Where(row => row.Run is not null).ToList();
        var pauses = all.SelectMany(pair => pair.Pass.Pauses.Select(span => (pair.Scope.Process.Key, span.Start, span.Stop))).ToList();
        return new GcResult(Shown(passes.Result(rows, null), query.Top))
        {
            Grouping = grouping,
            Triggers = grouping == GcGrouping.Gc ? null : passes.Result(triggers.Rows(triggered, grouping == GcGrouping.Stack), query.Top),
            Counts = new GcCounts(
                inRuns.Count(row => row.Generation == 0),
                inRuns.Count(row => row.Generation == 1),
                inRuns.Count(row => row.Generation >= 2)
            ),
            Induced = inRuns.Count(row => row.IsInduced),
            Background = inRuns.Count(row => row.Kind == GcKind.Background),
            OutsideRuns = outside,
            Finalized = read.SelectMany(pair => pair.Pass.Finalized)
                .GroupBy(pair => passes.Groups[pair.Key])
                .ToDictionary(group => group.Key, group => group.Sum(pair => pair.Value)),
            PauseMs = pause,
            MaxPauseMs = longest,
            WallMs = passes.Runs.Sum(run => run.WallMs),
            Overlaps = all.GroupBy(pair => pair.Scope.Process.Label).Any(recording => recording.Count() > 1)
                ? PauseOverlaps.Find(pauses, read[0].Scope.Clock)
                : null,
        };
    }

    /// <summary>Of too many rows, keeps those with the longest pauses, in time order.</summary>
    private static EventResult<GcRow> Shown(EventResult<GcRow> all, int? top)
    {
        if (top is not { } limit || limit >= all.AllRows.Count)
            return all;
        var longest = all.AllRows.OrderByDescending(row => row.PauseMs).Take(limit).ToHashSet(ReferenceEqualityComparer.Instance);
        return all with { Rows = [.. all.AllRows.Where(longest.Contains)] };
    }

    private static GcRow Row(EventScope scope, GcDraft gc, Run? run) =>
        new()
        {
            Process = scope.Process.Key,
            Number = gc.Started.Number,
            Generation = gc.Started.Generation,
            Reason = (GcReason)gc.Started.Reason,
            Kind = gc.Started.Kind,
            StartMs = scope.Clock.SinceOriginMilliseconds(gc.Started.At.Time),
            StartTicks = gc.Started.At.Time,
            ThreadId = gc.Started.At.ThreadId,
            PauseMs = scope.Clock.ToMilliseconds(gc.PauseTicks),
            PauseInRunsMs = scope.Clock.ToMilliseconds(gc.PauseInRunsTicks),
            BytesBefore = gc.BytesBefore,
            BytesAfter = gc.BytesAfter,
            PromotedBytes = gc.PromotedBytes,
            Run = run,
        };
}
