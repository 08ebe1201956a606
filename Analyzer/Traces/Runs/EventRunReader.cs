using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Universal;

namespace EtwSerializerProfiler.Traces.Runs;

/// <summary>Finds the runs that events delimit in the traces of processes.</summary>
internal static class EventRunReader
{
    /// <summary>Maximum number of names, and so of rows: programs put ids into the field that names a run.</summary>
    public const int MaxNames = 100;

    private const int MaxNameLength = 80;

    /// <summary>Finds the runs of each process.</summary>
    /// <param name="processes">The processes.</param>
    /// <param name="events">The events.</param>
    /// <returns>All processes, each with its runs.</returns>
    /// <exception cref="NoEventMatchesException">The trace has no such events, or none of them make a pair.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public static IReadOnlyList<TracedProcess> Read(IReadOnlyList<TracedProcess> processes, RunEvents events)
    {
        var traces = TracesOf(processes);
        var found = new List<(TracedProcess Process, EventRuns Runs)>();
        var selections = traces.Select(trace => RunEventSelection.Of(events, TraceContentsReader.Read(trace, byProcess: false))).ToList();
        foreach (var (trace, selection) in traces.Zip(selections).Where(pair => pair.Second is not null))
        {
            var edges = new List<RunEdge>();
            EventDecoder.Read(
                trace,
                selection!.Query,
                item =>
                {
                    if (selection.EdgeOf(item) is { } edge)
                        edges.Add(edge);
                }
            );
            var own = processes.Where(process => process.Sources.Any(source => PathsOf(source).SequenceEqual(trace))).ToList();

            // An event that two sessions recorded counts once.
            foreach (var process in own.Where(process => found.TrueForAll(item => item.Process != process)))
            {
                var ofProcess = own.Count == 1 ? edges : edges.Where(edge => edge.ProcessId == process.ProcessId);
                var runs = EventPairing.Pair(ofProcess, events.Text) with { Kinds = selection.Kinds };
                if (runs.Runs.Count + runs.WithoutBegin + runs.WithoutEnd > 0)
                    found.Add((process, runs));
            }
        }

        if (found.TrueForAll(item => item.Runs.Runs.Count == 0))
            throw NothingFound(events, traces, found);
        var joined = JoinRareNames(found.ConvertAll(item => item.Runs))
            .Zip(found)
            .ToDictionary(pair => pair.Second.Process, pair => pair.First);
        return
        [
            .. processes.Select(process =>
                process with
                {
                    CsvRows = [],
                    EventRuns = joined.GetValueOrDefault(process) ?? new EventRuns(events.Text, []),
                }
            ),
        ];
    }

    /// <summary>The files of each trace of the processes, without traces of the kernel only, which have no events of programs.</summary>
    public static IReadOnlyList<IReadOnlyList<string>> TracesOf(IReadOnlyList<TracedProcess> processes) =>
        [
            .. processes
                .SelectMany(process => process.Sources)
                .Select(PathsOf)
                .Where(paths => paths.Count > 0)
                .DistinctBy(paths => string.Join('\n', paths)),
        ];

    /// <summary>The name of a run: the name of its event and the value of the first text field.</summary>
    public static string NameOf(string name, string? field)
    {
        if (string.IsNullOrWhiteSpace(field))
            return name;
        var text = field.ReplaceLineEndings(" ").Trim();
        return $"{name}: {(text.Length > MaxNameLength ? text[..MaxNameLength] + "…" : text)}";
    }

    private static IReadOnlyList<string> PathsOf(ITraceSource source) =>
        source switch
        {
            EtwSource etw => etw.Paths,
            NetTraceSource or UniversalSource => [source.Name],
            _ => [],
        };

    /// <summary>Joins the runs with the rarest names under "(others)" when there are too many names.</summary>
    private static IEnumerable<EventRuns> JoinRareNames(List<EventRuns> all)
    {
        var names = all.SelectMany(runs => runs.Runs)
            .GroupBy(run => run.Name)
            .OrderByDescending(group => group.Count())
            .ThenBy(group => group.Min(run => run.Start))
            .Select(group => group.Key)
            .ToList();
        var kept = names.Take(MaxNames).ToHashSet();
        return names.Count <= MaxNames
            ? all
            : all.Select(runs =>
                runs with
                {
                    JoinedNames = names.Count - MaxNames,
                    Runs =
                    [
                        .. runs.Runs.Select(run =>
                            kept.Contains(run.Name) ? run : run with { Name = $"{run.Name.Split(": ")[0]}: (others)" }
                        ),
                    ],
                }
            );
    }

    private static NoEventMatchesException NothingFound(
        RunEvents events,
        IReadOnlyList<IReadOnlyList<string>> traces,
        List<(TracedProcess Process, EventRuns Runs)> found
    )
    {
        if (found.Count > 0)
            return new NoEventMatchesException(
                $"no run between events of '{events.Text}'",
                $"{Plural.Of(found.Sum(item => item.Runs.WithoutEnd), "start")} and {Plural.Of(found.Sum(item => item.Runs.WithoutBegin), "stop")} in the trace have no partner",
                "record from a start to its stop"
            );
        var titles = EventPairs.Of(traces).Select(pair => pair.Title).ToList();
        return new NoEventMatchesException(
            $"no events of '{events.Text}' delimit runs",
            "the events of the trace",
            $"{Advice(events, titles)} (--runs list shows all pairs)"
        );
    }

    /// <summary>Suggests names: those like the whole name, else those with a similar task or operation.</summary>
    private static string Advice(RunEvents events, List<string> titles)
    {
        var last = events.Named?.Begin ?? events.Task;
        var near = NearestName.All(events.Text, titles);
        if (near.Count == 0)
            near =
            [
                .. titles
                    .Where(title => NearestName.All(last, [title[(title.IndexOf('/', StringComparison.Ordinal) + 1)..]]).Count > 0)
                    .Take(3),
            ];
        return near.Count > 0 ? $"did you mean {string.Join(" or ", near)}?" : NameChoice.Advice(events.Text, titles);
    }
}
