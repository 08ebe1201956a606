using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.NetTrace.Universal;

/// <summary>The events of one process in a .nettrace file of a whole machine.</summary>
internal sealed class UniversalSource : ISharedTraceSource
{
    private readonly UniversalTrace _trace;
    private readonly UniversalProcess _process;
    private readonly bool _reportsLosses;

    internal UniversalSource(UniversalTrace trace, UniversalProcess process, EventKinds kinds, EventDetails details, bool reportsLosses)
    {
        _trace = trace;
        _process = process;
        (Kinds, Details) = (kinds, details);
        _reportsLosses = reportsLosses;
    }

    /// <inheritdoc />
    public string Name => _trace.Layout.Path;

    /// <inheritdoc />
    public TraceClock Clock => _trace.Layout.Header.Clock;

    /// <inheritdoc />
    public int ProcessId => _process.Id;

    /// <inheritdoc />
    public EventKinds Kinds { get; }

    /// <inheritdoc />
    public EventDetails Details { get; }

    /// <summary>Time for which threads would have run without a sample, in ticks: events were lost.</summary>
    public long UnknownTicks => _trace.OtherSwitches(_process) is { Count: > 0 } ? _process.Switches.UnknownTicks : 0;

    /// <summary>Runtime of the process with its version; empty when the file does not have it.</summary>
    public string RuntimeVersion => _process.Runtime;

    /// <summary>Name of the program, for people.</summary>
    public string Program => _process.Title;

    /// <summary>The trace that it is a part of.</summary>
    public UniversalTrace Trace => _trace;

    /// <inheritdoc />
    public object SharedFiles => _trace;

    /// <inheritdoc />
    public TraceReadResult Read(EventHub hub) => ReadTogether([(this, hub)])[0];

    /// <inheritdoc />
    public IReadOnlyList<TraceReadResult> ReadTogether(IReadOnlyList<(ITraceSource Source, EventHub Hub)> sources)
    {
        ArgumentNullException.ThrowIfNull(sources);
        var passes = sources.Select(item => (Source: (UniversalSource)item.Source, Pass: ((UniversalSource)item.Source).Begin(item.Hub))).ToList();
        var byProcess = passes.ToDictionary(item => item.Source.ProcessId, item => item.Pass);
        using var reader = new NetTraceReader(_trace.Layout);
        while (reader.TryRead(out var item))
        {
            if (item.Type.Universal == UniversalEventKind.ThreadReadied)
            {
                foreach (var (_, any) in byProcess)
                    any.OnReadied(item);
                continue;
            }

            if (byProcess.TryGetValue(item.ProcessId, out var pass))
                pass.OnEvent(item);
            if (item.Type.Universal != UniversalEventKind.CpuSample || item.ProcessId == 0)
                continue;
            foreach (var (process, other) in byProcess)
            {
                if (process != item.ProcessId)
                    other.OnOtherSample(item);
            }
        }

        return [.. passes.Select(item => item.Source.Result(item.Pass, reader))];
    }

    private UniversalPass Begin(EventHub hub) => new(_trace, _process, hub);

    private TraceReadResult Result(UniversalPass pass, NetTraceReader reader)
    {
        pass.Finish(reader.ThreadNames);
        var origin = Clock.OriginTicks;
        return new TraceReadResult(
            pass.Events, _reportsLosses ? reader.LostEvents : 0, pass.Events > 0 ? pass.FirstTime : origin, Math.Max(pass.LastTime, origin), _reportsLosses ? reader.Damage : null);
    }
}
