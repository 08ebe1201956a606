using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>A process with its trace sources and its rows of the run CSV.</summary>
/// <param name="ProcessId">Process id; 0 when unknown.</param>
/// <param name="Program">Name of the program, or of the file when the program is unknown.</param>
/// <param name="Runtime">Version of its runtime; empty when unknown.</param>
/// <param name="Sources">Sources, in the order in which they are tried for a kind of events.</param>
/// <param name="CsvRows">Its rows of the run CSV.</param>
public sealed record TracedProcess(
    int ProcessId,
    string Program,
    string Runtime,
    IReadOnlyList<ITraceSource> Sources,
    IReadOnlyList<RunCsvRow> CsvRows
)
{
    /// <summary>Label of its recording if there are several, else empty.</summary>
    public string Label { get; init; } = "";

    /// <summary>Identifies the process in the input.</summary>
    public ProcessKey Key => new(Label, ProcessId, Use);

    /// <summary>Which of the recording's processes with this id, from 1.</summary>
    public int Use { get; init; } = 1;

    /// <summary>Program and process id as text; with several recordings, including the label.</summary>
    public string Title => $"{(Label.Length > 0 ? Label + ": " : "")}{Program} {ProcessKey.Text(ProcessId, Use)}".Trim();

    /// <summary>Version of its runtime, from the recording or the run CSV; empty when unknown.</summary>
    public string RuntimeVersion => Runtime.Length > 0 ? Runtime : CsvRows.Select(row => row.Runtime).FirstOrDefault("");

    /// <summary>
    /// Name that distinguishes its rows from those of other runtimes: the label of its recording, else the version of its runtime; empty
    /// when unknown.
    /// </summary>
    public string RuntimeName => Label.Length > 0 ? Label : RuntimeVersion;

    /// <summary>Time that the recorder kept it waiting at its start, in ms; null when unknown.</summary>
    public double? HeldMs { get; init; }

    /// <summary>Time in which all its sessions recorded; null for its whole lifetime.</summary>
    public RecordedSpan? Span { get; init; }

    /// <summary>The named part of the trace; null for all of it. With a part, the process is one run.</summary>
    public TraceRange? Range { get; init; }

    /// <summary>The runs delimited by events that the user named; null if it marks its runs itself.</summary>
    public EventRuns? EventRuns { get; init; }

    /// <summary>Kinds of events recorded in any source.</summary>
    public EventKinds Kinds => Sources.Aggregate(EventKinds.None, (all, source) => all | RecordedIn(source));

    /// <summary>Kinds of events recorded in a source: names of native code alone are not <see cref="EventKinds.MethodCode"/>.</summary>
    public static EventKinds RecordedIn(ITraceSource source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return (source.Details & EventDetails.NativeNames) != 0 ? source.Kinds & ~EventKinds.MethodCode : source.Kinds;
    }

    /// <summary>Details recorded with the events; for CPU samples, those of the source that is read.</summary>
    public EventDetails Details =>
        Sources.Aggregate(
            EventDetails.None,
            (all, source) => all | (source.Details & (source == SampleSource ? SampleDetails | OtherDetails : OtherDetails))
        );

    private const EventDetails SampleDetails = EventDetails.KernelSamples | EventDetails.ManagedSamples | EventDetails.ClockedSamples;

    private const EventDetails OtherDetails = EventDetails.Stacks | EventDetails.NoReadyTime;

    /// <summary>Source of CPU samples: the kernel's if there are both, because EventPipe's have only managed frames.</summary>
    private ITraceSource? SampleSource
    {
        get
        {
            var sampled = Sources.Where(source => (source.Kinds & EventKinds.CpuSamples) != 0).ToList();
            return sampled.Find(source => (source.Details & EventDetails.ManagedSamples) == 0) ?? sampled.FirstOrDefault();
        }
    }

    /// <summary>Kinds that are read from every source, because repeated addresses and names are harmless.</summary>
    private const EventKinds Repeatable = EventKinds.MethodCode;

    /// <summary>The part that a circular recording kept; null if it kept everything.</summary>
    public KeptInterval? Kept { get; init; }

    /// <summary>
    /// Selects the source of each kind of events: the first one that provides it, so that an event recorded by two sessions
    /// counts once. Names of methods are read from every source.
    /// </summary>
    /// <returns>The kinds for each source.</returns>
    public IReadOnlyList<(ITraceSource Source, EventKinds Share)> Shares(EventKinds wanted)
    {
        var shares = new (ITraceSource, EventKinds)[Sources.Count];
        var sampled = SampleSource;
        for (var i = 0; i < shares.Length; i++)
        {
            var kinds = Sources[i] == sampled ? Sources[i].Kinds : Sources[i].Kinds & ~EventKinds.CpuSamples;
            shares[i] = (Sources[i], kinds & wanted);
            wanted &= ~kinds | Repeatable;
        }

        return shares;
    }

    /// <summary>Reads the events to which a part subscribes, each kind from its source (<see cref="Shares"/>), source by source.</summary>
    /// <exception cref="IOException">A file became unreadable.</exception>
    public void Read(IEventSubscriber subscriber)
    {
        foreach (var request in Requests(subscriber))
            request.Source.Read(subscriber, request.Kinds);
    }

    /// <summary>
    /// The requests equivalent to <see cref="Read"/>, for <see cref="TraceReading"/>, which combines those of several parts and processes.
    /// </summary>
    public IEnumerable<TraceRequest> Requests(IEventSubscriber subscriber) =>
        Shares(EventHub.KindsOf(subscriber))
            .Where(pair => pair.Share != EventKinds.None)
            .Select(pair => new TraceRequest(pair.Source, subscriber, pair.Share));
}
