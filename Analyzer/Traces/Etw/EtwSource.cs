using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>Events of one process in an ETW trace: those of its runtime, and kernel events of its threads.</summary>
public sealed class EtwSource : ISharedTraceSource
{
    /// <summary>ETW's default sampling interval, used if the trace names none, in units of 100 ns.</summary>
    private const int DefaultSampleInterval = 10_000;

    /// <summary>Maximum time that a sample waits for the first part of its stack, which is logged immediately.</summary>
    private const double StackPatienceSeconds = 0.1;

    private readonly EtwTrace _trace;
    private readonly bool _reportsLosses;

    internal EtwSource(EtwTrace trace, int processId, EventKinds kinds, EventDetails details, bool reportsLosses)
    {
        _trace = trace;
        _reportsLosses = reportsLosses;
        ProcessId = processId;
        (Kinds, Details) = (kinds, details);
        Clock = new TraceClock(trace.Header.StartTicks, trace.Header.TicksPerSecond);
        Name = trace.Name;
    }

    /// <inheritdoc />
    public string Name { get; }

    /// <summary>The files of its trace.</summary>
    public IReadOnlyList<string> Paths => _trace.Paths;

    /// <inheritdoc />
    public TraceClock Clock { get; }

    /// <inheritdoc />
    public int ProcessId { get; }

    /// <inheritdoc />
    public EventKinds Kinds { get; }

    /// <inheritdoc />
    public EventDetails Details { get; }

    /// <summary>Header of the trace: machine, session, clock.</summary>
    public EtlTraceHeader Header => _trace.Header;

    /// <inheritdoc />
    public object SharedFiles => _trace;

    /// <inheritdoc />
    public TraceReadResult Read(EventHub hub) => ReadTogether([(this, hub)])[0];

    /// <inheritdoc />
    public IReadOnlyList<TraceReadResult> ReadTogether(IReadOnlyList<(ITraceSource Source, EventHub Hub)> sources)
    {
        ArgumentNullException.ThrowIfNull(sources);
        var processes = sources.Select(item => ((EtwSource)item.Source).Begin(item.Hub)).ToList();
        var statistics = new EtwPass(_trace, processes).Read();
        return [.. sources.Select((item, index) => ((EtwSource)item.Source).Result(processes[index], statistics))];
    }

    private EtwProcessPass Begin(EventHub hub)
    {
        var interval = _trace.SampleInterval > 0 ? _trace.SampleInterval : DefaultSampleInterval;
        var patience = (long)(StackPatienceSeconds * Clock.TicksPerSecond);
        var samples = new SampleQueue(
            hub,
            ProcessId,
            Clock.FromNanoseconds(interval * 100L),
            patience,
            _trace.FirstKernelAddress,
            stacksAreWhole: _trace.IsExported
        );
        return new EtwProcessPass(
            ProcessId,
            hub,
            hub.WantsStacks && (Details & EventDetails.Stacks) != 0,
            samples,
            patience,
            _trace.IsExported
        );
    }

    private TraceReadResult Result(EtwProcessPass pass, Etl.EtlStatistics statistics)
    {
        var damage = _reportsLosses && statistics.Damages.Count > 0 ? statistics.Damages[0] : null;
        return new TraceReadResult(
            pass.Events,
            _reportsLosses ? statistics.EventsLost ?? 0 : 0,
            pass.Events > 0 ? pass.First : Clock.OriginTicks,
            Math.Max(pass.Last, Clock.OriginTicks),
            damage is null ? null : new TraceDamage(damage.Path, damage.Offset, statistics.FileBytes, damage.Reason)
        )
        {
            Ends = _trace.EndsOf(ProcessId),
        };
    }
}
