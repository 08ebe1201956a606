using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.Marking;

/// <summary>
/// First phase: the runs that a process reports. Reads the source of the marks, and with it everything else that is needed before the runs
/// are known.
/// </summary>
/// <param name="reading">The process.</param>
internal sealed class MarkPhase(ProcessReading reading)
{
    private readonly MarkCollector _marks = new();
    private readonly IterationCollector _iterations = new();
    private readonly MarkerEvents _markers = new();

    public IEnumerable<TraceRequest> Requests()
    {
        if (reading.MarkSource is not { } source)
            return [];
        var (_, share) = reading
            .Process.Shares(EventKinds.RunMarks | WaitPhase.Wanted | EventKinds.ProcessLayout)
            .First(pair => pair.Source == source);
        IEnumerable<IEventSubscriber> subscribers = [_marks, _iterations, reading.Layout, _markers];
        return
        [
            .. subscribers.Select(subscriber => new TraceRequest(source, subscriber, share)),
            .. reading.CodeRequests(ofMarkSource: true),
        ];
    }

    public MarkedProcess Finish()
    {
        // Marks inside BenchmarkDotNet's iterations take precedence over the iterations.
        var announced =
            reading.Process.EventRuns is { } events ? NamedRuns.Of(events, reading.Process.Range, reading.Clock)
            : reading.MarkSource is null ? CsvRuns.WithoutMarks(reading.Process.CsvRows, reading.Clock)
            : _marks.Runs.Count > 0 ? _marks.Runs
            : _iterations.Runs;
        var whole = CutRuns.Without(announced, reading.Process.Span);
        return new MarkedProcess(reading, CsvRuns.Join(whole, reading.Process.CsvRows), _markers) { Cut = announced.Count - whole.Count };
    }
}

/// <summary>A process with its marked runs, in the trace or in the run CSV.</summary>
/// <param name="Reading">The process.</param>
/// <param name="Runs">Its runs, in the order of their first mark.</param>
/// <param name="Markers">Waits and switches of the marker threads, from the source of the marks.</param>
internal sealed record MarkedProcess(ProcessReading Reading, IReadOnlyList<RunMarks> Runs, MarkerEvents Markers)
{
    /// <summary>Runs that the start or end of the recording cut off; they are not in <see cref="Runs"/>.</summary>
    public int Cut { get; init; }
}
