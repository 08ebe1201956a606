using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>Everything that belongs to one process: its trace sources and its rows of the run CSV.</summary>
/// <param name="ProcessId">Process id, 0 when unknown.</param>
/// <param name="Program">Name of the program, or of the file when the program is unknown.</param>
/// <param name="Runtime">Version of its runtime, empty when unknown.</param>
/// <param name="Sources">Sources in the order in which they are asked for a kind of events.</param>
/// <param name="CsvRows">Its rows of the run CSV.</param>
public sealed record TracedProcess(int ProcessId, string Program, string Runtime, IReadOnlyList<ITraceSource> Sources, IReadOnlyList<RunCsvRow> CsvRows)
{
    /// <summary>Label of its recording among several, empty when there is one.</summary>
    public string Label { get; init; } = "";

    /// <summary>Tells the process from all others of the input.</summary>
    public ProcessKey Key => new(Label, ProcessId);

    /// <summary>Program and process id, for people; of one of several recordings with its label.</summary>
    public string Title => $"{(Label.Length > 0 ? Label + ": " : "")}{Program} {ProcessId}".Trim();

    /// <summary>Version of its runtime, by the recording or by the run CSV; empty when unknown.</summary>
    public string RuntimeVersion => Runtime.Length > 0 ? Runtime : CsvRows.Select(row => row.Runtime).FirstOrDefault("");

    /// <summary>What its rows are told apart by from those of other runtimes: the label of its recording, else the version of its runtime; empty when unknown.</summary>
    public string RuntimeName => Label.Length > 0 ? Label : RuntimeVersion;

    /// <summary>How long the recorder kept it waiting at its start, in ms; null when that is not known.</summary>
    public double? HeldMs { get; init; }

    /// <summary>When all its sessions recorded; null from its start to its end.</summary>
    public RecordedSpan? Span { get; init; }

    /// <summary>The part of the trace that was named; null for all of it. Then the process is one run.</summary>
    public TraceRange? Range { get; init; }

    /// <summary>The runs that events delimit which the user named; null when it marks its runs itself.</summary>
    public EventRuns? EventRuns { get; init; }

    /// <summary>Kinds of events that were recorded in any source.</summary>
    public EventKinds Kinds => Sources.Aggregate(EventKinds.None, (all, source) => all | RecordedIn(source));

    /// <summary>Kinds of events that were recorded in a source: names of native code alone are not <see cref="EventKinds.MethodCode"/>.</summary>
    public static EventKinds RecordedIn(ITraceSource source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return (source.Details & EventDetails.NativeNames) != 0 ? source.Kinds & ~EventKinds.MethodCode : source.Kinds;
    }

    /// <summary>What the sources record with them; of the CPU samples, what describes those that are read.</summary>
    public EventDetails Details => Sources.Aggregate(EventDetails.None, (all, source) => all | (source.Details & (source == SampleSource ? SampleDetails | EventDetails.Stacks : EventDetails.Stacks)));

    private const EventDetails SampleDetails = EventDetails.KernelSamples | EventDetails.ManagedSamples;

    /// <summary>Where CPU samples are read: from the kernel's where there are both, because EventPipe's are managed frames alone.</summary>
    private ITraceSource? SampleSource
    {
        get
        {
            var sampled = Sources.Where(source => (source.Kinds & EventKinds.CpuSamples) != 0).ToList();
            return sampled.Find(source => (source.Details & EventDetails.ManagedSamples) == 0) ?? sampled.FirstOrDefault();
        }
    }

    /// <summary>Kinds of which every source is read: an address and a name told twice are the same.</summary>
    private const EventKinds Repeatable = EventKinds.MethodCode;

    /// <summary>The part that a circular recording kept; null when everything was.</summary>
    public KeptInterval? Kept { get; init; }

    /// <summary>
    /// What to read from which source: each kind of events from the first source that gives it, so that an event that two sessions recorded is
    /// counted once. Names of methods are read from every source.
    /// </summary>
    /// <returns>A share for each source.</returns>
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

    /// <summary>Reads the events a part subscribes to, each kind from its source (<see cref="Shares"/>), source after source.</summary>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    public void Read(IEventSubscriber subscriber)
    {
        foreach (var request in Requests(subscriber))
            request.Source.Read(subscriber, request.Kinds);
    }

    /// <summary>The requests that <see cref="Read"/> would answer one by one, for <see cref="TraceReading"/>, which answers those of several parts and processes together.</summary>
    public IEnumerable<TraceRequest> Requests(IEventSubscriber subscriber) =>
        Shares(EventHub.KindsOf(subscriber)).Where(pair => pair.Share != EventKinds.None).Select(pair => new TraceRequest(pair.Source, subscriber, pair.Share));
}
