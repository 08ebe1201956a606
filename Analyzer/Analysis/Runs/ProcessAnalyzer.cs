using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// Analyses one process in streaming passes: marks, then waits, give the runs' windows; then every other event goes to the run in whose window it lies.
/// Memory grows with runs, not with events.
/// </summary>
/// <param name="process">The process.</param>
/// <param name="files">Symbols of programs: a thread may begin in one.</param>
internal sealed class ProcessAnalyzer(TracedProcess process, SymbolFiles files)
{
    private const TraceCapabilities CostEvents =
        TraceCapabilities.All & ~(TraceCapabilities.RunMarks | TraceCapabilities.Waits | TraceCapabilities.MethodCode | TraceCapabilities.ProcessLayout
            | TraceCapabilities.SwitchStacks | TraceCapabilities.Stacks);

    private readonly MarkCollector _marks = new();
    private readonly CollectionPauses _pauses = new();
    private readonly ProcessLayout _layout = new();

    /// <summary>Whether a pass has filled <see cref="_layout"/>.</summary>
    private bool _hasLayout;

    /// <summary>Runs outside the interval that was kept.</summary>
    private int _before;
    private int _after;

    /// <summary>Runs that the begin or the end of the recording cut.</summary>
    private int _cut;

    /// <summary>What the passes found out about each source.</summary>
    public Dictionary<ITraceSource, TraceReadResult> Results { get; } = [];

    /// <summary>True when the process marked a run, in the trace or in the run CSV. Valid after <see cref="ReadMarks"/>.</summary>
    public bool HasRuns => _marks.Drafts.Count + _before + _after > 0;

    /// <summary>First pass.</summary>
    public void ReadMarks()
    {
        Read(new MarkPass(_marks, _pauses), TraceCapabilities.RunMarks | TraceCapabilities.Collections);
        _cut = CutRuns.TakeOff(_marks.Drafts, process.Span);
        if (_marks.Drafts.Any(draft => draft.MarkerWaiting is not null))
        {
            Read(new WaitCollector(_marks.Drafts, Clock().TicksPerSecond), TraceCapabilities.Waits);
            var switches = new SwitchCollector(_marks.Drafts, Clock().TicksPerSecond);
            Read(new KernelCollector(switches, _layout), TraceCapabilities.Switches | TraceCapabilities.Wakings | TraceCapabilities.ProcessLayout);
            _hasLayout = true;
        }

        foreach (var row in process.CsvRows)
        {
            var draft = _marks.Drafts.Find(draft => draft.RunId == row.RunId && !draft.InCsv);
            if (draft is null)
                _marks.Drafts.Add(draft = new RunDraft(row.RunId));
            draft.InCsv = true;
            draft.Identity ??= row.Identity;
            draft.Truth ??= row.Truth;
        }

        if (process.Kept is not { } kept)
            return;
        _before = _marks.Drafts.RemoveAll(draft => draft.BeginsBefore(kept));
        _after = _marks.Drafts.RemoveAll(draft => draft.EndsAfter(kept));
    }

    /// <summary>Second pass over the marked runs.</summary>
    public ProcessRuns ReadRuns()
    {
        var clock = Clock();
        var delimited = new List<(RunDraft Draft, DelimiterKind Kind, long Start, long Stop)>();
        foreach (var draft in _marks.Drafts)
        {
            if (draft.Window(clock) is { } window)
                delimited.Add((draft, window.Kind, window.Start, window.Stop));
        }

        delimited.Sort((left, right) => left.Start.CompareTo(right.Start));
        var windows = Attribute([.. delimited.Select(run => (run.Start, run.Stop, run.Draft.MeasuringThread, run.Draft.Identity?.Serializer))]);
        var completion = new RunCompletion(process, Results, clock);
        var runs = delimited.Select((run, index) => completion.Complete(run.Draft, run.Kind, run.Start, run.Stop, windows.Tallies[index])).ToList();

        // A snapshot's CSV may lack the row of a run that had just ended; all that are left here have an end.
        var expected = process.Kept is { IsSnapshot: true } ? _marks.Drafts.Count : process.CsvRows.Count > 0 ? _marks.Drafts.Count(draft => draft.InCsv) : _marks.Drafts.Count(draft => draft.MarkStart is not null);
        var pairing = Pairing();
        var missing = _marks.Drafts.Where(draft => !IsFound(draft, pairing, clock)).Select(draft => draft.RunId).Order().ToList();
        return new ProcessRuns(process.ProcessId, runs, pairing, expected, _marks.Drafts.Count - missing.Count, missing)
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

    /// <summary>Second pass over the process as one run, for a program that marks none. Null when there is no event at all.</summary>
    public ProcessRuns? ReadWholeProcess()
    {
        var clock = Clock();
        foreach (var source in process.Sources.Where(source => !Results.ContainsKey(source)))
            Results[source] = source.Read(new NoVisitor(), TraceCapabilities.None);
        var withEvents = Results.Values.Where(result => result.Events > 0).ToList();
        if (withEvents.Count == 0)
            return null;
        var start = Math.Max(withEvents.Min(result => result.FirstTime), Math.Max(process.Kept?.StartTicks ?? 0, process.Span?.StartTicks ?? 0));
        var last = withEvents.Max(result => result.LastTime);
        if (process.Kept is { } kept)
            last = Math.Min(last, kept.StopTicks - 1);
        if (process.Span is { StopTicks: > 0 } span)
            last = Math.Min(last, span.StopTicks);
        var stop = Math.Max(last, start) + 1; // the last event lies inside
        var draft = new RunDraft(1) { Identity = new RunIdentity(process.Program, "", "", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1) };
        var windows = Attribute([(start, stop, null, null)]);
        return new ProcessRuns(process.ProcessId, [new RunCompletion(process, Results, clock).Complete(draft, DelimiterKind.WholeProcess, start, stop, windows.Tallies[0])], DelimiterKind.WholeProcess, null, 1, []) { Cut = _cut };
    }

    private RunWindows Attribute(IReadOnlyList<(long Start, long Stop, long? Thread, string? Serializer)> runs)
    {
        if (!_hasLayout)
            Read(new KernelCollector(null, _layout), TraceCapabilities.ProcessLayout);
        var windows = new RunWindows(runs.Select(run => (run.Start, run.Stop)));
        for (var index = 0; index < runs.Count; index++)
        {
            windows.Tallies[index].MeasuringThread = runs[index].Thread;
            windows.Tallies[index].Entries = runs[index].Serializer is { } serializer ? SerializerEntries.Suites.Of(serializer) : null;
        }

        var hasCauses = (process.Capabilities & TraceCapabilities.CpuSamples) != 0 && (process.Capabilities & TraceCapabilities.MethodCode) != 0;
        var methods = new ManagedCodeMap();
        if (hasCauses)
            Read(methods, TraceCapabilities.MethodCode);
        var symbols = ProcessSymbols.Of(process, methods, _layout, files);
        var causes = hasCauses ? new CauseAttribution(symbols, _pauses, Clock().TicksPerSecond) : null;
        var attribution = new EventAttribution(windows, _layout, new StackEnds(symbols.Resolver), causes);
        Read(attribution, CostEvents);
        if (process.Shares(TraceCapabilities.Switches).FirstOrDefault(pair => pair.Share != TraceCapabilities.None).Source is { } switches)
        {
            var result = Results[switches];
            var begin = process.Kept?.StartTicks ?? process.Span?.StartTicks ?? result.FirstTime;
            attribution.Finish(result.LostEvents == 0 ? begin : null, process.Span is { StopTicks: > 0 } span ? span.StopTicks : result.LastTime);
        }

        foreach (var source in process.Sources.Where(source => !Results.ContainsKey(source)))
            Results[source] = source.Read(new NoVisitor(), TraceCapabilities.None);
        return windows;
    }

    private void Read(TraceVisitor visitor, TraceCapabilities wanted)
    {
        foreach (var (source, share) in process.Shares(wanted))
        {
            if (share != TraceCapabilities.None)
                Results[source] = source.Read(visitor, share);
        }
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
        if ((process.Capabilities & TraceCapabilities.RunMarks) == 0)
            return DelimiterKind.Truth;
        return (process.Capabilities & (TraceCapabilities.Waits | TraceCapabilities.Switches)) != 0 ? DelimiterKind.MarkerWait : DelimiterKind.Marks;
    }

    private static bool IsFound(RunDraft draft, DelimiterKind pairing, TraceClock clock) =>
        pairing == DelimiterKind.MarkerWait ? draft.Marker is not null : draft.Window(clock) is { } window && window.Kind <= pairing;

    /// <summary>Hears nothing: for what a pass finds out about the source itself.</summary>
    private sealed class NoVisitor : TraceVisitor;
}
