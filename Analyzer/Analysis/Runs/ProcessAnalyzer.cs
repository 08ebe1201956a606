using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// Analyses one process in streaming passes: marks, then waits, give the runs' windows; then every other event goes to the run in whose window it lies.
/// <see cref="RunAnalysis"/> makes the passes, for all processes together. Memory grows with runs, not with events.
/// </summary>
/// <param name="process">The process.</param>
/// <param name="files">Symbols of programs: a thread may begin in one.</param>
/// <param name="causes">Whether CPU samples get their causes.</param>
/// <param name="causeMethods">Whether causes are told by method, too.</param>
internal sealed class ProcessAnalyzer(TracedProcess process, SymbolFiles files, bool causes, bool causeMethods = false)
{
    /// <summary>What the runs' windows come from, besides their marks.</summary>
    private const EventKinds MarkerWaits = EventKinds.Waits | EventKinds.ContextSwitches | EventKinds.ReadyThreads;

    /// <summary>What tells the runs of the original suite, which marks none.</summary>
    private const EventKinds ClassicWaitEvents = EventKinds.ContextSwitches | EventKinds.ReadyThreads | EventKinds.SwitchInStacks;

    private readonly MarkCollector _marks = new();
    private readonly IterationCollector _iterations = new();
    private readonly ClassicMarkers _classicMarkers = new();
    private ClassicWaits? _classicWaits;
    private readonly MarkerEvents _markers = new();
    private readonly CollectionPauses _pauses = new();
    private readonly ManagedCodeMap _methods = new();
    private readonly ProcessLayout _layout = new();

    /// <summary>The sources that give the marks.</summary>
    private readonly HashSet<ITraceSource> _markSources = [];

    /// <summary>The runs in the order of their begins, and what falls into their windows.</summary>
    private List<(RunDraft Draft, DelimiterKind Kind, long Start, long Stop)> _runs = [];
    private RunWindows _windows = new([]);
    private ProcessSymbols? _symbols;
    private SerializerNamer? _namer;
    private EventAttribution? _attribution;
    private CauseAttribution? _causes;
    private SwitchCollector? _switches;
    private bool _isWholeProcess;

    /// <summary>Runs outside the interval that was kept.</summary>
    private int _before;
    private int _after;

    /// <summary>Runs that the begin or the end of the recording cut.</summary>
    private int _cut;

    /// <summary>What the passes found out about each source.</summary>
    public Dictionary<ITraceSource, TraceReadResult> Results { get; } = [];

    /// <summary>Whether other processes have runs on other runtimes.</summary>
    public bool IsOneOfSeveralRuntimes { get; set; }

    /// <summary>True when the process marked a run, in the trace or in the run CSV. Valid after <see cref="Delimit"/>.</summary>
    public bool HasRuns => _marks.Drafts.Count + _before + _after > 0;

    /// <summary>Whether methods have to be named before the last pass: for causes, and for the serializers of a suite that names none.</summary>
    private bool HasNames => (causes || MayBeClassic) && (process.Kinds & EventKinds.CpuSamples) != 0 && (process.Kinds & EventKinds.MethodCode) != 0;

    /// <summary>What causes need to know beforehand: methods, and which thread collects garbage when.</summary>
    private IEnumerable<TraceRequest> CauseRequests(bool ofMarkSources) => HasNames
        ? process.Requests(_methods).Concat(process.Requests(_pauses)).Where(request => _markSources.Contains(request.Source) == ofMarkSources)
        : [];

    /// <summary>First pass: the sources that give the marks, and whatever else is wanted of them before the runs are known.</summary>
    public IEnumerable<TraceRequest> MarkRequests()
    {
        foreach (var (source, share) in process.Shares(EventKinds.RunMarks | MarkerWaits | EventKinds.ProcessLayout))
        {
            if ((share & EventKinds.RunMarks) == 0)
                continue;
            _markSources.Add(source);
            yield return new TraceRequest(source, _marks, share);
            yield return new TraceRequest(source, _iterations, share);
            yield return new TraceRequest(source, _layout, share);
            yield return new TraceRequest(source, _markers, share);
        }

        foreach (var request in CauseRequests(ofMarkSources: true))
            yield return request;
    }

    /// <summary>Second pass: the other sources. The markers are known.</summary>
    public IEnumerable<TraceRequest> LayoutRequests()
    {
        if ((process.Kinds & EventKinds.RunMarks) == 0)
            AddUnmarkedRuns();

        // A benchmark that marks its runs inside of BenchmarkDotNet's iterations means its own.
        if (_marks.Drafts.Count == 0)
            _marks.Drafts.AddRange(_iterations.Drafts);
        _cut = CutRuns.TakeOff(_marks.Drafts, process.Span);
        var hasMarkers = _marks.Drafts.Any(draft => draft.WaitsFrom is not null);
        var waits = new WaitCollector(_marks.Drafts, Clock().TicksPerSecond);
        var switches = _switches = new SwitchCollector(_marks.Drafts, Clock().TicksPerSecond);
        var joining = EventHub.Of(waits);
        joining.Add(switches);
        _markers.Replay(joining);
        foreach (var (source, share) in process.Shares(MarkerWaits | EventKinds.ProcessLayout))
        {
            if (_markSources.Contains(source))
                continue;
            if ((share & EventKinds.ProcessLayout) != 0)
                yield return new TraceRequest(source, _layout, share);
            if (hasMarkers && (share & EventKinds.Waits) != 0)
                yield return new TraceRequest(source, waits, share);
            if (hasMarkers && (share & (EventKinds.ContextSwitches | EventKinds.ReadyThreads)) != 0)
                yield return new TraceRequest(source, switches, share);

            // Begin and end of a process without runs are those of its events.
            if (_marks.Drafts.Count == 0)
                yield return new TraceRequest(source, null);
        }

        foreach (var request in CauseRequests(ofMarkSources: false))
            yield return request;
        if (MayBeClassic)
        {
            foreach (var request in process.Requests(_classicMarkers))
                yield return request;
        }
    }

    /// <summary>Third pass, over processes of the original suite only: its marker's waits.</summary>
    public IEnumerable<TraceRequest> ClassicRequests()
    {
        if (!_classicMarkers.Any)
            return [];
        _classicWaits = new ClassicWaits(_classicMarkers);
        return process.Requests(_classicWaits);
    }

    /// <summary>Whether its sources lost events that may be switches. Valid after the first passes.</summary>
    public bool HasLostSwitches => Results.Any(pair => pair.Value.LostEvents > 0 && (pair.Key.Kinds & EventKinds.ContextSwitches) != 0);

    /// <summary>Delimits the runs, once everything that describes them has been read except the run CSV.</summary>
    /// <param name="hasLosses">Whether the recording lost switches of any process: only one of its sources counts them.</param>
    public void Delimit(bool hasLosses)
    {
        if (_classicWaits is not null)
            _marks.Drafts.AddRange(_classicWaits.Drafts());
        foreach (var draft in _marks.Drafts.Where(draft => draft.NotBefore is not null))
        {
            draft.CheckWait(Clock().TicksPerSecond, hasLosses);
            draft.MeasuringThread ??= draft.Marker is null ? null : draft.Waker;
        }

        foreach (var row in process.CsvRows)
        {
            var draft = _marks.Drafts.Find(draft => draft.RunId == row.RunId && !draft.InCsv);
            if (draft is null)
                _marks.Drafts.Add(draft = new RunDraft(row.RunId));
            draft.InCsv = true;
            draft.Identity ??= row.Identity;
            draft.Truth = draft.Truth is { } told
                ? told with { ProbeBeforeNanoseconds = row.Truth.ProbeBeforeNanoseconds, ProbeAfterNanoseconds = row.Truth.ProbeAfterNanoseconds } // the marks do not tell them
                : row.Truth;
            draft.LaunchedTicks ??= Launched(draft.Truth.Value, row.Truth);
        }

        if (process.Kept is not { } kept)
            return;
        _before = _marks.Drafts.RemoveAll(draft => draft.BeginsBefore(kept));
        _after = _marks.Drafts.RemoveAll(draft => draft.EndsAfter(kept));
    }

    /// <summary>The launch as a run's truth or else its row of the run CSV tells it, in the ticks of the truth; null when neither does.</summary>
    private static long? Launched(in RunTruth truth, in RunTruth row)
    {
        if (truth.LaunchedTicks >= 0)
            return truth.LaunchedTicks;
        return row.LaunchedTicks >= 0 && row.TicksPerSecond == truth.TicksPerSecond ? row.LaunchedTicks : null;
    }

    /// <summary>
    /// Of a process that cannot mark its runs in the trace (Mono), the run CSV tells them beforehand: each is to be given its marker's wait by the switches. The CSV's clock may be
    /// coarser than the trace's (Mono's Stopwatch counts CLOCK_MONOTONIC in 100 ns); times that lie before the trace are another clock's.
    /// </summary>
    private void AddUnmarkedRuns()
    {
        var clock = Clock();
        long? before = null;
        foreach (var row in process.CsvRows.OrderBy(row => row.Truth.StartTicks))
        {
            var factor = row.Truth.TicksPerSecond > 0 && clock.TicksPerSecond % row.Truth.TicksPerSecond == 0 ? clock.TicksPerSecond / row.Truth.TicksPerSecond : 0;
            var truth = row.Truth with { StartTicks = row.Truth.StartTicks * factor, StopTicks = row.Truth.StopTicks * factor, TicksPerSecond = clock.TicksPerSecond, LaunchedTicks = row.Truth.LaunchedTicks >= 0 ? row.Truth.LaunchedTicks * factor : -1 };
            if (factor == 0 || truth.StopTicks <= truth.StartTicks || truth.StartTicks < clock.OriginTicks)
                continue;
            _marks.Drafts.Add(new RunDraft(row.RunId) { Identity = row.Identity, Truth = truth, NotBefore = before ?? clock.OriginTicks });
            before = truth.StopTicks;
        }
    }

    /// <summary>The marked runs get their windows.</summary>
    /// <returns>True.</returns>
    public bool BeginRuns()
    {
        var clock = Clock();
        foreach (var draft in _marks.Drafts)
        {
            if (draft.Window(clock) is { } window)
                _runs.Add((draft, window.Kind, window.Start, window.Stop));
        }

        _runs.Sort((left, right) => left.Start.CompareTo(right.Start));
        Begin();
        return true;
    }

    /// <summary>The process is one run, for a program that marks none.</summary>
    /// <returns>False when there is no event at all.</returns>
    public bool BeginWholeProcess()
    {
        var withEvents = Results.Values.Where(result => result.Events > 0).ToList();
        if (withEvents.Count == 0)
            return false;
        var start = Math.Max(withEvents.Min(result => result.FirstTime), Math.Max(process.Kept?.StartTicks ?? 0, process.Span?.StartTicks ?? 0));
        var last = withEvents.Max(result => result.LastTime);
        if (process.Kept is { } kept)
            last = Math.Min(last, kept.StopTicks - 1);
        if (process.Span is { StopTicks: > 0 } span)
            last = Math.Min(last, span.StopTicks);
        var stop = Math.Max(last, start) + 1; // the last event lies inside
        var draft = new RunDraft(1) { Identity = new RunIdentity(process.Program, "", "", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1) };
        _runs = [(draft, DelimiterKind.WholeProcess, start, stop)];
        _isWholeProcess = true;
        Begin();
        return true;
    }

    /// <summary>The runs with what is known of them so far.</summary>
    public List<Run> Runs()
    {
        var completion = new RunCompletion(process, Results, Clock(), IsOneOfSeveralRuntimes);
        var runs = _runs.Select((run, index) => completion.Complete(run.Draft, run.Kind, run.Start, run.Stop, _windows.Tallies[index])).ToList();
        var best = runs.Min(run => run.ProbeAfterNs < run.ProbeBeforeNs ? run.ProbeAfterNs : run.ProbeBeforeNs);
        return best is null ? runs : [.. runs.Select(run => run with { BestProbeNs = best })];
    }

    /// <summary>Fourth pass, over processes of the original suite only: whose runs they are.</summary>
    public IEnumerable<TraceRequest> NameRequests()
    {
        if (!IsClassic || !HasNames)
            return [];
        _namer = new SerializerNamer(_windows, [.. _runs.Select(run => run.Draft.Identity!.Operation)], _symbols!.Resolver);
        return process.Requests(_namer);
    }

    /// <summary>The runs of the original suite get their serializers, and are numbered among those of the same one.</summary>
    public void Name()
    {
        if (!IsClassic)
            return;
        var numbers = new Dictionary<(string Serializer, string Operation), int>();
        for (var index = 0; index < _runs.Count; index++)
        {
            var (draft, found) = (_runs[index].Draft, _namer?.Of(index));
            var identity = draft.Identity! with { Serializer = found?.Serializer ?? SerializerNamer.Unknown };
            var number = numbers[(identity.Serializer, identity.Operation)] = numbers.GetValueOrDefault((identity.Serializer, identity.Operation)) + 1;
            draft.Identity = identity with { RunNumber = number };
            _windows.Tallies[index].MeasuringThread = draft.MeasuringThread = found?.Thread;
        }
    }

    /// <summary>Last pass: what lies in the runs.</summary>
    public IEnumerable<TraceRequest> CostRequests()
    {
        for (var index = 0; index < _runs.Count; index++)
            _windows.Tallies[index].Entries = _runs[index].Draft.Identity is { } identity && !_isWholeProcess ? SerializerEntries.Suites.Of(identity.Serializer) : null;
        _attribution = new EventAttribution(_windows, _layout, new StackEnds(_symbols!.Resolver), causes && HasNames ? _causes = new CauseAttribution(_symbols, _pauses, Clock().TicksPerSecond, causeMethods) : null);
        var requests = process.Requests(_attribution).ToList();
        return [.. requests, .. process.Sources.Where(source => !Results.ContainsKey(source) && !requests.Exists(request => request.Source == source)).Select(source => new TraceRequest(source, null))];
    }

    /// <summary>Notes what a pass found out about this process's sources.</summary>
    public void Note(IReadOnlyDictionary<ITraceSource, TraceReadResult> found)
    {
        foreach (var source in process.Sources)
        {
            if (found.TryGetValue(source, out var result))
                Results[source] = result;
        }
    }

    /// <summary>The last pass is over.</summary>
    public ProcessRuns Finish()
    {
        if (process.Shares(EventKinds.ContextSwitches).FirstOrDefault(pair => pair.Share != EventKinds.None).Source is { } switches)
        {
            var result = Results[switches];
            var begin = process.Kept?.StartTicks ?? process.Span?.StartTicks ?? result.FirstTime;
            _attribution!.Finish(result.LostEvents == 0 ? begin : null, process.Span is { StopTicks: > 0 } span ? span.StopTicks : result.LastTime);
        }

        foreach (var tally in _windows.Tallies)
            _causes?.NameMethods(tally.Causes);
        var runs = Runs();
        if (_isWholeProcess)
            return new ProcessRuns(process.Key, runs, DelimiterKind.WholeProcess, null, 1, []) { Cut = _cut };

        // A snapshot's CSV may lack the row of a run that had just ended; all that are left here have an end.
        int? expected = _classicWaits is not null ? null : process.Kept is { IsSnapshot: true } ? _marks.Drafts.Count : process.CsvRows.Count > 0 ? _marks.Drafts.Count(draft => draft.InCsv) : _marks.Drafts.Count(draft => draft.MarkStart is not null);
        var pairing = Pairing();
        var clock = Clock();
        var missing = _marks.Drafts.Where(draft => !IsFound(draft, pairing, clock)).Select(draft => draft.RunId).Order().ToList();
        return new ProcessRuns(process.Key, runs, pairing, expected, _marks.Drafts.Count - missing.Count, missing)
        {
            Before = _before,
            After = _after,
            Cut = _cut,
            BySerializer =
            [
                .. _marks.Drafts.GroupBy(draft => draft.Identity?.Serializer ?? "")
                    .Select(group => new RunCount(group.Key, group.Count(), group.Count(draft => IsFound(draft, pairing, clock)))),
            ],
        };
    }

    /// <summary>Whether the runs are those of the original suite.</summary>
    private bool IsClassic => _classicWaits is not null && !_isWholeProcess;

    /// <summary>Whether a process without marks has what tells the runs of the original suite.</summary>
    private bool MayBeClassic =>
        (process.Kinds & EventKinds.RunMarks) == 0 && process.CsvRows.Count == 0
        && (process.Kinds & (ClassicWaitEvents | EventKinds.MethodCode)) is var has && (has | EventKinds.ReadyThreads) == (ClassicWaitEvents | EventKinds.MethodCode);

    private void Begin()
    {
        _windows = new RunWindows(_runs.Select(run => (run.Start, run.Stop)));
        for (var index = 0; index < _runs.Count; index++)
            _windows.Tallies[index].MeasuringThread = _isWholeProcess ? null : _runs[index].Draft.MeasuringThread;
        _symbols = ProcessSymbols.Of(process, _methods, _layout, files);
    }

    /// <summary>The sources' clock; without any, that of the runs themselves.</summary>
    private TraceClock Clock()
    {
        if (process.Sources.Count > 0)
            return new TraceClock(process.Sources.Select(source => source.Clock.OriginTicks).Where(origin => origin > 0).DefaultIfEmpty().Min(), process.Sources[0].Clock.TicksPerSecond);
        var truths = process.CsvRows.Where(row => row.Truth.TicksPerSecond > 0).Select(row => row.Truth).ToList();
        return truths.Count == 0 ? new TraceClock(0, 1_000_000_000) : new TraceClock(truths.Min(truth => truth.StartTicks), truths[0].TicksPerSecond);
    }

    /// <summary>What every expected run must have in the trace to count as found: its marker's wait, where waits were recorded.</summary>
    private DelimiterKind Pairing()
    {
        if (_classicWaits is not null)
            return DelimiterKind.MarkerWait;
        if ((process.Kinds & EventKinds.RunMarks) == 0)
            return _switches is { HasMarker: true } ? DelimiterKind.MarkerWait : DelimiterKind.Truth;
        if (_marks.Drafts.Exists(draft => draft.Iteration is not null))
            return DelimiterKind.Marks;
        return (process.Kinds & (EventKinds.Waits | EventKinds.ContextSwitches)) != 0 ? DelimiterKind.MarkerWait : DelimiterKind.Marks;
    }

    private static bool IsFound(RunDraft draft, DelimiterKind pairing, TraceClock clock) =>
        pairing == DelimiterKind.MarkerWait ? draft.Marker is not null : draft.Window(clock) is { } window && window.Kind <= pairing;
}
