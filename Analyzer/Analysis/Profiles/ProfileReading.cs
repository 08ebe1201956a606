using System.Globalization;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>Puts the CPU samples of runs together as a profile, in the passes of <see cref="RunAnalysis"/>.</summary>
/// <param name="query">What it is to hold.</param>
/// <param name="symbols">Symbols of the processes.</param>
public sealed class ProfileReading(ProfileQuery query, SymbolReading symbols) : IRunReader
{
    private readonly ProfileTables _tables = new(query.InOrder);
    private readonly Dictionary<SummaryKey, int> _groups = [];
    private readonly List<(TracedProcess Process, GcPauses Pauses)> _processes = [];
    private readonly Dictionary<string, long> _origins = [];
    private readonly List<string> _problems = [];
    private bool _hasSeveralRecordings;

    /// <inheritdoc />
    public IEnumerable<TraceRequest> Prepare(IReadOnlyList<TracedProcess> processes)
    {
        ArgumentNullException.ThrowIfNull(processes);
        foreach (var recording in processes.GroupBy(process => process.Label))
            _origins[recording.Key] = recording
                .SelectMany(process => process.Sources)
                .Select(source => source.Clock.OriginTicks)
                .Where(origin => origin > 0)
                .DefaultIfEmpty()
                .Min();
        _hasSeveralRecordings = _origins.Count > 1;
        var requests = new List<TraceRequest>();
        foreach (var process in processes.Where(process => (process.Kinds & EventKinds.CpuSamples) != 0))
        {
            var pauses = new GcPauses();
            _processes.Add((process, pauses));
            requests.AddRange(symbols.Requests(process));
            requests.AddRange(process.Requests(pauses));
        }

        return requests;
    }

    /// <inheritdoc />
    /// <exception cref="NoRunMatchesException">The filter leaves no run over.</exception>
    public IEnumerable<TraceRequest> Begin(IReadOnlyList<Run> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        _ = NoRunMatchesException.Chosen(query.Filter, runs);
        var requests = new List<TraceRequest>();
        foreach (var (process, pauses) in _processes)
        {
            var own = runs.Where(run => run.Process == process.Key).OrderBy(run => run.StartTicks).ToList();
            if (!own.Exists(query.Filter.Matches))
                continue;
            if (ProcessSymbols.Problem(process) is { } problem)
                _problems.Add(problem);
            var named = symbols.Of(process);
            if (named.InlineTreeProblem is { } refused)
                _problems.Add(refused);
            var windows = RunWindows.Of(own);
            for (var index = 0; index < own.Count; index++)
                windows.Tallies[index].Entries = own[index].Delimiter.NamesSerializer
                    ? SerializerEntries.Suites.Of(own[index].Identity.Serializer)
                    : null;
            var scope = new ProfileScope(
                process,
                named,
                pauses,
                _tables,
                _origins[process.Label],
                own.Select(run => run.MeasuringThread).OfType<long>()
            );
            requests.AddRange(process.Requests(new ProfilePass(scope, _tables, windows, own.ConvertAll(GroupOf))));
            if (!query.WithEvents)
                continue;
            requests.AddRange(process.Requests(new ProfileEventPass(scope, _tables)));
            foreach (var run in own.Where(query.Filter.Matches))
                _tables.Events.Add(
                    new ProfileEvent(
                        ProfileEventKind.Run,
                        scope.ThreadOf(run.MeasuringThread ?? process.ProcessId),
                        scope.Since(run.StartTicks),
                        scope.Since(run.StopTicks),
                        SummaryKey.Of(run).ToString(),
                        string.Create(CultureInfo.InvariantCulture, $"run {run.RunId}")
                    )
                );
        }

        return requests;
    }

    /// <summary>What came out, once the samples were read.</summary>
    public SampleProfile Result()
    {
        if (_tables.Quality.Samples > 0 && _hasSeveralRecordings && query.InOrder)
            _problems.Add(
                "times are those since the begin of each recording: recordings that were made one after another lie on top of each other"
            );
        foreach (var (kind, dropped) in _tables.Dropped.Index().Where(item => item.Item > 0))
            _problems.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{dropped:N0} events of kind {(ProfileEventKind)kind} after the first {ProfileTables.MaxEvents:N0} of their process are left out"
                )
            );
        _problems.AddRange(symbols.Files.Problems);
        return new SampleProfile
        {
            Groups = _tables.Groups,
            Stacks = _tables.Stacks,
            Sums = [.. _tables.Sums],
            Samples = InOrder(_tables.Samples, sample => sample.TimeNs),
            Threads = _tables.Threads,
            Events = InOrder(_tables.Events, happened => happened.StartNs),
            SampleCount = _tables.SampleCount,
            CpuNs = _tables.CpuNs,
            Quality = _tables.Quality,
            PeriodNs = _tables.PeriodNs,
            Problems = _problems,
        };
    }

    /// <summary>Several processes follow each other, and a sample may come late where its stack does.</summary>
    private static List<T> InOrder<T>(List<T> items, Func<T, long> time)
    {
        for (var i = 1; i < items.Count; i++)
        {
            if (time(items[i]) < time(items[i - 1]))
                return [.. items.OrderBy(time)];
        }

        return items;
    }

    private int GroupOf(Run run)
    {
        if (!query.Filter.Matches(run))
            return -1;
        var key = SummaryKey.Of(run);
        if (query.Grouping == ProfileGrouping.Run)
        {
            _tables.Groups.Add(new ProfileGroup(key, run));
            return _tables.Groups.Count - 1;
        }

        if (!_groups.TryGetValue(key, out var number))
        {
            _groups.Add(key, number = _tables.Groups.Count);
            _tables.Groups.Add(new ProfileGroup(key, null));
        }

        return number;
    }
}
