using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>Last phase: the costs between start and stop of each run.</summary>
internal sealed class CostPhase
{
    private readonly DelimitedProcess _process;
    private readonly ProcessReading _reading;
    private readonly RunWindows _windows;
    private readonly CauseAttribution? _causes;
    private readonly EventAttribution _attribution;
    private readonly bool _isOneOfSeveralRuntimes;

    /// <summary>Creates it before any cost is known.</summary>
    /// <param name="process">The process with its named runs.</param>
    /// <param name="isOneOfSeveralRuntimes">Whether other processes have runs on other runtimes.</param>
    public CostPhase(DelimitedProcess process, bool isOneOfSeveralRuntimes)
    {
        (_process, _reading, _isOneOfSeveralRuntimes) = (process, process.Reading, isOneOfSeveralRuntimes);
        _windows = process.CreateWindows();
        foreach (var (run, tally) in process.Windowed.Zip(_windows.Tallies))
        {
            tally.MeasuringThread = run.Evidence.MeasuringThread;
            tally.Entries =
                run.Marks.Identity is { } identity && run.Window!.Delimiter.NamesSerializer
                    ? SerializerEntries.Suites.Of(identity.Serializer)
                    : null;
        }

        _causes = _reading.CreateCauses();
        _attribution = new EventAttribution(_windows, _reading.Layout, new StackEnds(_reading.Symbols.Resolver), _causes);
    }

    /// <summary>Requests events with costs, and sources not read by any pass yet, because their losses and damage count.</summary>
    public IEnumerable<TraceRequest> Requests()
    {
        var requests = _reading.Process.Requests(_attribution).ToList();
        var read = requests.Select(request => request.Source).Concat(_reading.Results.Keys).ToHashSet();
        return
        [
            .. requests,
            .. _reading.Process.Sources.Where(source => !read.Contains(source)).Select(source => new TraceRequest(source, null)),
        ];
    }

    /// <summary>The runs with their current data: before <see cref="Requests"/> are answered, everything except costs.</summary>
    public IReadOnlyList<Run> Runs()
    {
        var completion = new RunCompletion(_reading, _isOneOfSeveralRuntimes);
        var runs = _process.Windowed.Zip(_windows.Tallies, completion.Complete).ToList();
        var best = runs.Min(run => run.ProbeAfterNs < run.ProbeBeforeNs ? run.ProbeAfterNs : run.ProbeBeforeNs);
        return best is null ? runs : [.. runs.Select(run => run with { BestProbeNs = best })];
    }

    public ProcessRuns Finish()
    {
        CompleteSwitches();
        foreach (var tally in _windows.Tallies)
            _causes?.NameMethods(tally.Causes);
        return new ProcessRuns(_process, Runs());
    }

    /// <summary>Adds the time of threads that were on a processor, or asleep, when the recording began or ended.</summary>
    private void CompleteSwitches()
    {
        var process = _reading.Process;
        if (
            process
                .Shares(EventKinds.ContextSwitches | EventKinds.ThreadClocks)
                .FirstOrDefault(pair => pair.Share != EventKinds.None)
                .Source
            is not { } source
        )
            return;
        var result = _reading.Results[source];
        var begin = process.Kept?.StartTicks ?? process.Span?.StartTicks ?? result.FirstTime;
        var hasAllSwitches = (source.Kinds & EventKinds.ContextSwitches) != 0 && result.LostEvents == 0;
        _attribution.Finish(hasAllSwitches ? begin : null, process.Span is { StopTicks: > 0 } span ? span.StopTicks : result.LastTime);
    }
}
