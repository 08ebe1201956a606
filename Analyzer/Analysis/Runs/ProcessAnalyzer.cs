using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// Analyses one process in streaming passes: marks, then waits, give the runs' windows; then every other event goes to the run in whose window it lies.
/// Memory grows with runs, not with events.
/// </summary>
/// <param name="process">The process.</param>
internal sealed class ProcessAnalyzer(TracedProcess process)
{
    private const TraceCapabilities CostEvents = TraceCapabilities.All & ~(TraceCapabilities.RunMarks | TraceCapabilities.Waits | TraceCapabilities.Wakings | TraceCapabilities.CpuSamples
        | TraceCapabilities.MethodCode | TraceCapabilities.ProcessLayout);

    private readonly MarkCollector _marks = new();

    /// <summary>Runs that the begin or the end of the recording cut.</summary>
    private int _cut;

    /// <summary>What the passes found out about each source.</summary>
    public Dictionary<ITraceSource, TraceReadResult> Results { get; } = [];

    /// <summary>True when the process marked a run, in the trace or in the run CSV. Valid after <see cref="ReadMarks"/>.</summary>
    public bool HasRuns => _marks.Drafts.Count > 0;

    /// <summary>First pass.</summary>
    public void ReadMarks()
    {
        Read(_marks, TraceCapabilities.RunMarks);
        _cut = CutRuns.TakeOff(_marks.Drafts, process.Span);
        if (_marks.Drafts.Any(draft => draft.MarkerWaiting is not null))
        {
            Read(new WaitCollector(_marks.Drafts, Clock().TicksPerSecond), TraceCapabilities.Waits);
            Read(new SwitchCollector(_marks.Drafts, Clock().TicksPerSecond), TraceCapabilities.Switches | TraceCapabilities.Wakings);
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
        var windows = Attribute([.. delimited.Select(run => (run.Start, run.Stop))]);
        var runs = delimited.Select((run, index) => Complete(run.Draft, run.Kind, run.Start, run.Stop, clock, windows.Tallies[index])).ToList();

        var expected = process.CsvRows.Count > 0 ? process.CsvRows.Count : _marks.Drafts.Count(draft => draft.MarkStart is not null);
        var pairing = Pairing();
        var missing = _marks.Drafts.Where(draft => !IsFound(draft, pairing, clock)).Select(draft => draft.RunId).Order().ToList();
        return new ProcessRuns(process.ProcessId, runs, pairing, expected, _marks.Drafts.Count - missing.Count, missing)
        {
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
        var start = Math.Max(withEvents.Min(result => result.FirstTime), process.Span?.StartTicks ?? 0);
        var last = withEvents.Max(result => result.LastTime);
        if (process.Span is { StopTicks: > 0 } span)
            last = Math.Min(last, span.StopTicks);
        var stop = Math.Max(last, start) + 1; // the last event lies inside
        var draft = new RunDraft(1) { Identity = new RunIdentity(process.Program, "", "", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1) };
        var windows = Attribute([(start, stop)]);
        return new ProcessRuns(process.ProcessId, [Complete(draft, DelimiterKind.WholeProcess, start, stop, clock, windows.Tallies[0])], DelimiterKind.WholeProcess, null, 1, []) { Cut = _cut };
    }

    private RunWindows Attribute(IReadOnlyList<(long Start, long Stop)> windows)
    {
        var runs = new RunWindows(windows);
        var attribution = new EventAttribution(runs);
        Read(attribution, CostEvents | (process.Sources.Any(IsCpuTime) ? TraceCapabilities.CpuSamples : TraceCapabilities.None));
        if (process.Sources.FirstOrDefault(IsCpuTime) is { } switches && Results.TryGetValue(switches, out var result) && result.LostEvents == 0)
            attribution.Processors.Complete(process.Span?.StartTicks ?? result.FirstTime, process.Span is { StopTicks: > 0 } span ? span.StopTicks : result.LastTime);
        foreach (var source in process.Sources.Where(source => !Results.ContainsKey(source)))
            Results[source] = source.Read(new NoVisitor(), TraceCapabilities.None);
        return runs;
    }

    /// <summary>Whether a source says when threads were on a processor; its samples then say it of those that never left theirs.</summary>
    private static bool IsCpuTime(ITraceSource source) => (source.Capabilities & TraceCapabilities.Switches) != 0;

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

    private Run Complete(RunDraft draft, DelimiterKind kind, long start, long stop, TraceClock clock, RunTally tally)
    {
        var truth = draft.Truth;
        var hasClock = truth is { } known && known.TicksPerSecond == clock.TicksPerSecond && known.StopTicks > known.StartTicks;
        var comparable = hasClock && kind <= DelimiterKind.MarkerWait;
        var truthCollections = truth is { Gen0: >= 0, Gen1: >= 0, Gen2: >= 0 } counts ? new CollectionCounts(counts.Gen0, counts.Gen1, counts.Gen2) : (CollectionCounts?)null;
        (double Bytes, AllocationSource Source)? byEvents =
            Has(TraceCapabilities.AllocationSamples) ? (tally.SampledBytes, AllocationSource.Sampled)
            : Has(TraceCapabilities.AllocationTicks) ? (tally.TickBytes, AllocationSource.Ticks)
            : null;
        var allocated = truth is { AllocatedBytes: >= 0 } exact ? (exact.AllocatedBytes, AllocationSource.Truth) : byEvents;
        return new Run
        {
            ProcessId = process.ProcessId,
            RunId = draft.RunId,
            Identity = draft.Identity ?? new RunIdentity($"unnamed run {draft.RunId}", "", "", RunOperation.Run, RunKind.Measured, 0, 0, 1, 1),
            Delimiter = kind,
            StartTicks = start,
            StopTicks = stop,
            StartMs = clock.SinceOriginMilliseconds(start),
            StopMs = clock.SinceOriginMilliseconds(stop),
            WallMs = clock.ToMilliseconds(stop - start),
            StartDifferenceUs = comparable ? clock.ToMicroseconds(start - truth!.Value.StartTicks) : null,
            StopDifferenceUs = comparable ? clock.ToMicroseconds(stop - truth!.Value.StopTicks) : null,
            DurationDifferenceUs = comparable ? clock.ToMicroseconds(stop - start - (truth!.Value.StopTicks - truth.Value.StartTicks)) : null,
            MarkerDurationDifferenceUs = hasClock && draft.Marker is { } wait
                ? clock.ToMicroseconds(wait.Stop - wait.Start - (truth!.Value.StopTicks - truth.Value.StartTicks))
                : null,
            MarkerMarksDifferenceUs = draft.MarkerMarksDistance is { } distance ? clock.ToMicroseconds(distance) : null,
            Collections = Has(TraceCapabilities.Collections) ? tally.Collections : truthCollections,
            TruthCollections = truthCollections,
            PauseTotalMs = Has(TraceCapabilities.Collections) ? clock.ToMilliseconds(tally.PauseTicks) : null,
            PauseMaxMs = Has(TraceCapabilities.Collections) ? clock.ToMilliseconds(tally.LongestPauseTicks) : null,
            AllocatedBytes = allocated?.Bytes,
            AllocatedBytesSource = allocated?.Source,
            AllocatedBytesByEvents = byEvents?.Bytes,
            AllocatedBytesByEventsSource = byEvents?.Source,
            JitMethods = Has(TraceCapabilities.Jit) ? tally.JitMethods : null,
            JitMs = Has(TraceCapabilities.Jit) ? clock.ToMilliseconds(tally.JitTicks) : null,
            Exceptions = Has(TraceCapabilities.Exceptions) ? tally.Exceptions : null,
            Contentions = Has(TraceCapabilities.Contention) ? tally.Contentions : null,
            ContentionMs = Has(TraceCapabilities.Contention) ? clock.ToMilliseconds(tally.ContentionTicks) : null,
            CpuMs = Has(TraceCapabilities.Switches) ? clock.ToMilliseconds(tally.CpuTicks) : null,
            ThreadCpuMs = truth is { ThreadCpuNanoseconds: >= 0 } cpu ? cpu.ThreadCpuNanoseconds / 1e6 : null,
            DataBytes = truth is { DataBytes: >= 0 } data ? data.DataBytes : null,
            Error = truth?.Error ?? "",
        };

        bool Has(TraceCapabilities kind) => WasRecorded(kind, stop);
    }

    /// <summary>Whether events of a kind were recorded and could be read up to <paramref name="time"/>: behind a file's damage nothing is known.</summary>
    private bool WasRecorded(TraceCapabilities kind, long time)
    {
        foreach (var source in process.Sources)
        {
            if ((source.Capabilities & kind) != 0)
                return !Results.TryGetValue(source, out var result) || result.Damage is null || time <= result.LastTime;
        }

        return false;
    }

    /// <summary>Hears nothing: for what a pass finds out about the source itself.</summary>
    private sealed class NoVisitor : TraceVisitor;
}
