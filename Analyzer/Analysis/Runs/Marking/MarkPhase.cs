using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.Marking;

/// <summary>First phase: which runs a process says it made. Reads the source of the marks, and from it whatever else is needed before the runs are known.</summary>
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
        var (_, share) = reading.Process.Shares(EventKinds.RunMarks | WaitPhase.Wanted | EventKinds.ProcessLayout).First(pair => pair.Source == source);
        IEnumerable<IEventSubscriber> subscribers = [_marks, _iterations, reading.Layout, _markers];
        return [.. subscribers.Select(subscriber => new TraceRequest(source, subscriber, share)), .. reading.CodeRequests(ofMarkSource: true)];
    }

    public MarkedProcess Finish()
    {
        // A benchmark that marks its runs inside of BenchmarkDotNet's iterations means its own.
        var announced = reading.Process.EventRuns is { } events ? NamedRuns.Of(events, reading.Process.Range, reading.Clock) : reading.MarkSource is null ? CsvRuns.WithoutMarks(reading.Process.CsvRows, reading.Clock) : _marks.Runs.Count > 0 ? _marks.Runs : _iterations.Runs;
        var whole = CutRuns.Without(announced, reading.Process.Span);
        return new MarkedProcess(reading, CsvRuns.Join(whole, reading.Process.CsvRows), _markers) { Cut = announced.Count - whole.Count };
    }
}

/// <summary>A process with the runs that it marked, in the trace or in the run CSV.</summary>
/// <param name="Reading">The process.</param>
/// <param name="Runs">Its runs, in the order of their first mark.</param>
/// <param name="Markers">Waits and switches of the marker threads, from the source of the marks.</param>
internal sealed record MarkedProcess(ProcessReading Reading, IReadOnlyList<RunMarks> Runs, MarkerEvents Markers)
{
    /// <summary>Runs that the begin or the end of the recording cut; they are not among <see cref="Runs"/>.</summary>
    public int Cut { get; init; }
}
