using EtwSerializerProfiler.Analysis.Runs.Marking;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.Delimiting;

/// <summary>
/// Second phase: the marker thread's wait for each marked run. Reads the sources without marks, and the events that
/// <see cref="MarkerEvents"/> kept from the source with them.
/// </summary>
/// <param name="marked">The process with its marked runs.</param>
internal sealed class WaitPhase(MarkedProcess marked)
{
    /// <summary>Events that can show a marker's wait.</summary>
    public const EventKinds Wanted = EventKinds.Waits | EventKinds.ContextSwitches | EventKinds.ReadyThreads;

    private readonly ProcessReading _reading = marked.Reading;
    private readonly List<AnnouncedRun> _runs = [.. marked.Runs.Select(run => new AnnouncedRun(run))];
    private SwitchCollector? _switches;

    public IEnumerable<TraceRequest> Requests()
    {
        var ticksPerSecond = _reading.Clock.TicksPerSecond;
        var waits = new WaitCollector(_runs, ticksPerSecond);
        _switches = new SwitchCollector(_runs, ticksPerSecond);
        var kept = EventHub.Of(waits);
        kept.Add(_switches);
        marked.Markers.Replay(kept);

        var isAnnounced = _runs.Exists(run => run.Marks.WaitsFrom is not null);
        foreach (var (source, share) in _reading.Process.Shares(Wanted | EventKinds.ProcessLayout))
        {
            if (source == _reading.MarkSource)
                continue;
            if ((share & EventKinds.ProcessLayout) != 0)
                yield return new TraceRequest(source, _reading.Layout, share);
            if (isAnnounced && (share & EventKinds.Waits) != 0)
                yield return new TraceRequest(source, waits, share);
            if (isAnnounced && (share & (EventKinds.ContextSwitches | EventKinds.ReadyThreads)) != 0)
                yield return new TraceRequest(source, _switches, share);

            // A process without runs spans its first to its last event.
            if (_runs.Count == 0)
                yield return new TraceRequest(source, null);
        }

        foreach (var request in _reading.CodeRequests(ofMarkSource: false))
            yield return request;
    }

    /// <summary>Delimits the runs.</summary>
    /// <param name="hasLosses">Whether the recording lost switches of any process: only one of its sources counts them.</param>
    public DelimitedProcess Delimit(bool hasLosses)
    {
        var runs = _runs.ConvertAll(run => new RunEvidence(run.Marks, run.Wait, _reading.Clock).WithoutIdleWait(hasLosses));
        var kept = _reading.Process.Kept;
        var before = kept is null ? 0 : runs.RemoveAll(run => run.Marks.BeginsBefore(kept));
        var after = kept is null ? 0 : runs.RemoveAll(run => run.Marks.EndsAfter(kept));
        return new DelimitedProcess(_reading, Pairing(runs), DelimitedRun.Of(runs))
        {
            Before = before,
            After = after,
            Cut = marked.Cut,
        };
    }

    /// <summary>Evidence that every run needs to count as found: its marker's wait, if waits were recorded.</summary>
    private RunDelimiter Pairing(List<RunEvidence> runs)
    {
        if (_reading.Process.EventRuns is not null)
            return RunDelimiter.Events;
        if (_reading.MarkSource is null)
            return _switches is { HasMarker: true } ? RunDelimiter.MarkerWait : RunDelimiter.SelfReported;
        if (runs.Exists(run => run.Marks.Iteration is not null))
            return RunDelimiter.Marks;
        return (_reading.Process.Kinds & (EventKinds.Waits | EventKinds.ContextSwitches)) != 0
            ? RunDelimiter.MarkerWait
            : RunDelimiter.Marks;
    }
}
