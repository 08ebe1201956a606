using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.NetTrace.Universal;

/// <summary>Events of one process in a .nettrace file of a whole machine.</summary>
internal sealed class UniversalSource : ISharedTraceSource
{
    /// <summary>The number of samples in a time is random: it exceeds three standard errors by chance in one of 740 processes.</summary>
    private const double MaxStandardErrors = 3;

    /// <summary>
    /// A thread counts as running from its first to its last known event, so a sample late by some periods is not a loss.
    /// </summary>
    private const double MaxShare = 0.05;

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

    /// <summary>Time that threads would have run without a sample, in ticks, because events were lost.</summary>
    public long UnknownTicks => _trace.OtherSwitches(_process) is { Count: > 0 } ? _process.Switches.UnknownTicks : 0;

    /// <summary>
    /// Running time of threads by the switches, in ticks; 0 when switches were not recorded, or when switch-outs have their own events.
    /// </summary>
    public long RunningTicks => _trace.OtherSwitches(_process) is { Count: > 0 } ? _process.Switches.RunningTicks : 0;

    /// <summary>
    /// CPU times of a process with untrustworthy switches: the CPU time by switches exceeds that by samples by more than three standard
    /// errors of the sample count plus a share. Null when they agree, or when one was not recorded.
    /// </summary>
    public (double SwitchesMs, double SamplesMs)? UntrustedSwitches
    {
        get
        {
            if (_process.Samples == 0 || RunningTicks is not (> 0 and var switches))
                return null;
            var samples = (double)_process.SampledPeriods * _trace.SampleTicks;
            var error = samples / Math.Sqrt(_process.Samples);
            return switches > samples + (MaxStandardErrors * error) + (MaxShare * samples)
                ? (Clock.ToMilliseconds(switches), Clock.ToMilliseconds((long)samples))
                : null;
        }
    }

    /// <summary>Runtime of the process with its version; empty when the file lacks it.</summary>
    public string RuntimeVersion => _process.Runtime;

    /// <summary>Name of the program, for people.</summary>
    public string Program => _process.Title;

    /// <summary>Its trace.</summary>
    public UniversalTrace Trace => _trace;

    /// <inheritdoc />
    public object SharedFiles => _trace;

    /// <inheritdoc />
    public TraceReadResult Read(EventHub hub) => ReadTogether([(this, hub)])[0];

    /// <inheritdoc />
    public IReadOnlyList<TraceReadResult> ReadTogether(IReadOnlyList<(ITraceSource Source, EventHub Hub)> sources)
    {
        ArgumentNullException.ThrowIfNull(sources);
        var passes = sources
            .Select(item => (Source: (UniversalSource)item.Source, Pass: ((UniversalSource)item.Source).Begin(item.Hub)))
            .ToList();
        var byProcess = passes.ToDictionary(item => item.Source.ProcessId, item => item.Pass);
        UniversalPass[] ofReadied = [.. byProcess.Values.Where(any => any.WantsReadied)],
            ofOthers = [.. byProcess.Values.Where(any => any.WantsOtherSamples)];
        using var reader = new NetTraceReader(_trace.Layout, new Filter(byProcess));
        while (reader.TryRead(out var item))
        {
            if (item.Type.Universal == UniversalEventKind.ThreadReadied)
            {
                foreach (var any in ofReadied)
                    any.OnReadied(item);
                continue;
            }

            if (byProcess.TryGetValue(item.ProcessId, out var pass))
                pass.OnEvent(item);
            if (item.Type.Universal != UniversalEventKind.CpuSample || item.ProcessId == 0)
                continue;
            foreach (var other in ofOthers)
                other.OnOtherSample(item);
        }

        return [.. passes.Select(item => item.Source.Result(item.Pass, reader))];
    }

    /// <summary>Excludes events that no process wants.</summary>
    private sealed class Filter(Dictionary<int, UniversalPass> passes) : INetTraceFilter
    {
        private readonly Dictionary<NetTraceEventType, bool> _wanted = new(ReferenceEqualityComparer.Instance);

        /// <inheritdoc />
        public bool Wants(NetTraceEventType type)
        {
            if (!_wanted.TryGetValue(type, out var isWanted))
                _wanted.Add(type, isWanted = IsWantedByAny(type));
            return isWanted;
        }

        /// <summary>Separate, because its closure would be allocated for known types, too.</summary>
        private bool IsWantedByAny(NetTraceEventType type) => passes.Values.Any(pass => pass.Wants(type));

        /// <inheritdoc />
        public void OnLeftOut(NetTraceEventType type, long time, int processId)
        {
            if (passes.TryGetValue(processId, out var pass))
                pass.OnLeftOut(type, time);
        }
    }

    private UniversalPass Begin(EventHub hub) => new(_trace, _process, hub);

    private TraceReadResult Result(UniversalPass pass, NetTraceReader reader)
    {
        pass.Finish(reader.ThreadNames);
        var origin = Clock.OriginTicks;
        return new TraceReadResult(
            pass.Events,
            _reportsLosses ? reader.LostEvents : 0,
            pass.Events > 0 ? pass.FirstTime : origin,
            Math.Max(pass.LastTime, origin),
            _reportsLosses ? reader.Damage : null
        );
    }
}
