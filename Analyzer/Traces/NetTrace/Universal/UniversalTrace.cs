using System.Runtime.InteropServices;
using System.Text.Json;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfMaps;

namespace EtwSerializerProfiler.Traces.NetTrace.Universal;

/// <summary>
/// A .nettrace file of a whole machine from record-trace (dotnet-trace collect-linux); one pass finds its processes and their data.
/// </summary>
internal sealed class UniversalTrace
{
    /// <summary>CPU time of a sample of value 1, if the file lacks it.</summary>
    private const long SampleNanoseconds = 1_000_000;

    /// <summary>Minimum unknown time to report.</summary>
    private const double MinUnknownSeconds = 0.1;

    private readonly Dictionary<int, UniversalProcess> _processes = [];
    private readonly Dictionary<long, string> _buildIds = [];

    private readonly HashSet<long> _kernelMappings = [];
    private bool _hasMappings;

    private UniversalTrace(NetTraceLayout layout) => Layout = layout;

    /// <summary>The file.</summary>
    public NetTraceLayout Layout { get; }

    /// <summary>All processes with events.</summary>
    public IReadOnlyCollection<UniversalProcess> Processes => _processes.Values;

    /// <summary>Whether a mapping is kernel code.</summary>
    public bool IsKernel(long mappingId) => _kernelMappings.Contains(mappingId);

    /// <summary>The .NET processes that ran or, without any, all that ran; most CPU time first.</summary>
    public IReadOnlyList<UniversalSource> Sources { get; private set; } = [];

    /// <summary>Whether a file is a trace of a whole machine.</summary>
    public static bool IsIn(NetTraceLayout layout)
    {
        if (layout.Header.Version < 6)
            return false;
        using var reader = new NetTraceReader(layout);
        return reader.ReadTypes().Values.Any(type => type.Universal != UniversalEventKind.None);
    }

    /// <summary>Opens a file.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static UniversalTrace Open(NetTraceLayout layout)
    {
        var trace = new UniversalTrace(layout);
        trace.Scan();
        return trace;
    }

    /// <summary>Build id of a mapping's file; empty when the trace lacks it.</summary>
    public string BuildIdOf(in UniversalMapping mapping) => _buildIds.GetValueOrDefault(mapping.MetadataId, "");

    /// <summary>CPU time of a sample of value 1, in ticks.</summary>
    public long SampleTicks => Layout.Header.Clock.FromNanoseconds(Layout.Header.SamplingNanoseconds ?? SampleNanoseconds);

    /// <summary>Losses that the trace does not report itself, one sentence each.</summary>
    public IEnumerable<string> Problems
    {
        get
        {
            foreach (var source in Sources)
            {
                if (source.UntrustedSwitches is { } times)
                {
                    yield return FormattableString.Invariant(
                        $"{Layout.Path}: CPU time of {source.Program} ({source.ProcessId}) is {times.SwitchesMs:0} ms by context switches but {times.SamplesMs:0} ms by samples: switches were lost; rely on the samples ('Sampled ms' in 'esp-analyze table --detail')"
                    );
                }
            }

            var seconds = Sources.Sum(source => Layout.Header.Clock.ToMilliseconds(source.UnknownTicks)) / 1000;
            if (seconds >= MinUnknownSeconds)
                yield return FormattableString.Invariant(
                    $"{Layout.Path}: the recorder lost events: {seconds:0.0} s of threads' time have neither samples nor switches and do not count as CPU time"
                );
        }
    }

    /// <summary>
    /// The switches of a process's threads without an event in the trace, oldest first; empty when switches were not recorded.
    /// </summary>
    public IReadOnlyList<ThreadSwitch> OtherSwitches(UniversalProcess process) =>
        HasSwitchesOut || process.Switches.IsEmpty
            ? []
            : process.Switches.Others(SwitchesAreOut, process.Samples > 0 ? SampleTicks : null, Layout.Header.Clock.OriginTicks);

    /// <summary>Its paths and names.</summary>
    public TextPool Texts { get; } = new();

    /// <summary>The names of runtime code.</summary>
    public MapNamePool Names { get; } = new();

    /// <summary>The kernel's functions.</summary>
    public KernelNames Kernel { get; } = new();

    /// <summary>Whether switch events are switch-outs; else they are switch-ins.</summary>
    public bool SwitchesAreOut { get; private set; }

    /// <summary>Whether switch-outs have their own events, as in an export of esp-analyze.</summary>
    public bool HasSwitchesOut { get; private set; }

    private bool _hasReadied;

    private void Scan()
    {
        using var reader = new NetTraceReader(Layout);
        while (reader.TryRead(out var item))
            Notice(item);
        var overlaps = _processes.Values.Select(process => process.Switches.Overlaps()).ToList();
        SwitchesAreOut = !Layout.Header.SwitchesAreIn && overlaps.Sum(item => item.IfOut) <= overlaps.Sum(item => item.IfIn);
        var ran = _processes
            .Values.Where(process => process is { Id: > 0, Samples: > 0 } || process.Seen.Seen != EventKinds.None)
            .OrderByDescending(process => process.Samples)
            .ThenBy(process => process.Id)
            .ToList();
        var chosen = Layout.Header.IsExported
            ? Layout.Header.Recorded.Select(item => ran.Find(process => process.Id == item.ProcessId)).OfType<UniversalProcess>().ToList()
            : ran.FindAll(process => process.IsManaged);
        Sources =
        [
            .. (chosen.Count > 0 ? chosen : ran).Select(
                (process, index) => new UniversalSource(this, process, KindsOf(process), DetailsOf(process), reportsLosses: index == 0)
            ),
        ];
    }

    private EventKinds KindsOf(UniversalProcess process) =>
        process.Seen.Seen
        | RecordedOf(process)
        | (process.Samples > 0 ? EventKinds.CpuSamples : EventKinds.None)
        | (process.Samples > 0 && Layout.Header.IsOfMachine ? EventKinds.OtherProcesses : EventKinds.None)
        | (
            process.Switches.IsEmpty
                ? EventKinds.None
                : EventKinds.ContextSwitches | (SwitchesAreOut ? EventKinds.SwitchOutStacks : EventKinds.SwitchInStacks)
        )
        | (_hasReadied ? EventKinds.ReadyThreads : EventKinds.None)
        | (_hasMappings ? EventKinds.ProcessLayout : EventKinds.None)
        | (process.HasNames ? EventKinds.MethodCode : EventKinds.None);

    private EventDetails DetailsOf(UniversalProcess process) =>
        (Layout.Header.SamplesKernel ? EventDetails.KernelSamples : EventDetails.None)
        | (process.HasStacks ? EventDetails.Stacks : EventDetails.None)
        | (Layout.Header.IsExported && (RecordedOf(process) & EventKinds.MethodCode) == 0 ? EventDetails.NativeNames : EventDetails.None);

    /// <summary>The kinds of events that an export declares as recorded.</summary>
    private EventKinds RecordedOf(UniversalProcess process) =>
        Layout.Header.Recorded.FirstOrDefault(item => item.ProcessId == process.Id).Kinds;

    private void Notice(in NetTraceEvent item)
    {
        var process = ProcessOf(item.ProcessId);
        switch (item.Type.Universal)
        {
            case UniversalEventKind.Process:
                if (UniversalPayload.TryReadProcessName(item.Payload, out var name))
                    (process.Name, process.IsCreated) = (name, item.Type.Name == UniversalEventKinds.ProcessCreated);
                break;
            case UniversalEventKind.Mapping:
                if (!UniversalPayload.TryReadMapping(item.Payload, Texts, out var mapping))
                    break;
                _hasMappings = true;
                process.Add(mapping);
                if (mapping.IsKernel)
                    _kernelMappings.Add(mapping.Id);
                break;
            case UniversalEventKind.MappingMetadata:
                if (
                    UniversalPayload.TryReadMetadata(item.Payload, out var id, out var symbols)
                    && BuildId(symbols) is { Length: > 0 } buildId
                )
                    _buildIds[id] = buildId;
                break;
            case UniversalEventKind.Symbol:
                if (!UniversalPayload.TryReadSymbol(item.Payload, out var symbol))
                    break;
                process.HasNames = true;
                process.Notice(symbol.Name);
                if (_kernelMappings.Contains(symbol.MappingId))
                    Kernel.Add(symbol);
                break;
            case UniversalEventKind.CpuSample:
                process.Samples++;
                process.SampledPeriods += UniversalPayload.ReadValue(item.Payload);
                process.Switches.AddSample(item.ThreadId, item.Time, item.Processor);
                break;
            case UniversalEventKind.ContextSwitch:
                process.Switches.Add(item.ThreadId, item.Time, UniversalPayload.ReadValue(item.Payload), item.Processor);
                break;
            case UniversalEventKind.SwitchedOut:
                HasSwitchesOut = true;
                break;
            case UniversalEventKind.ThreadReadied:
                _hasReadied = true;
                break;
            default:
                NoticeRuntimeEvent(item, process);
                break;
        }
    }

    private static void NoticeRuntimeEvent(in NetTraceEvent item, UniversalProcess process)
    {
        var provider = item.Type.Provider;
        if (!ClrEventDispatcher.Knows(provider))
            return;
        process.IsManaged = true;
        if (
            item.Type.EventId == ProcessPayload.RuntimeInformation
            && process.Runtime.Length == 0
            && ProcessPayload.ReadVersion(item.Payload) is { Length: > 0 } version
        )
            process.Runtime = $".NET {version}";
        process.HasStacks |= ClrEventDispatcher.HasStack(provider, item.Type.EventId) && !item.Stack.IsEmpty;
        new ClrEventDispatcher(process.Seen).Dispatch(
            provider,
            item.Type.EventId,
            new EventAt(item.Time, item.ProcessId, item.ThreadId),
            item.Payload
        );
    }

    private UniversalProcess ProcessOf(int id)
    {
        ref var process = ref CollectionsMarshal.GetValueRefOrAddDefault(_processes, id, out _);
        return process ??= new UniversalProcess(id);
    }

    private static string BuildId(string metadata)
    {
        if (metadata.Length == 0)
            return "";
        try
        {
            using var json = JsonDocument.Parse(metadata);
            return json.RootElement is { ValueKind: JsonValueKind.Object } root && root.TryGetProperty("build_id", out var id)
                ? id.GetString() ?? ""
                : "";
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            return "";
        }
    }
}
