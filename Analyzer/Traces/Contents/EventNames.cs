using System.Collections.Concurrent;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.TraceEventFeed;

namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>Gets names of event kinds from TraceEvent's parsers.</summary>
internal sealed class EventNames
{
    private readonly Dictionary<EventCountKey, EventCount> _kinds;
    private readonly TraceLoggingSchemas _schemas;
    private readonly bool _byProcess;

    /// <summary>Kinds without a shown event yet; accessed where the trace is read.</summary>
    private readonly HashSet<EventCountKey> _unseen;

    /// <summary>Kind of each event in progress, in order; null for events read for their content.</summary>
    private readonly ConcurrentQueue<EventCountKey?> _shown = new();

    private readonly Dictionary<int, string> _processes = [];

    private EventNames(TraceLoggingSchemas schemas, Dictionary<EventCountKey, EventCount> kinds)
    {
        _schemas = schemas;
        _kinds = kinds;
        _unseen = [.. kinds.Keys];
        _byProcess = kinds.Keys.Any(key => key.ProcessId != EventCountKey.AnyProcess);
    }

    /// <summary>Interval of the CPU samples; null when no event has it.</summary>
    public double? SampleIntervalMs { get; private set; }

    /// <summary>Manifests of EventSources that were ignored.</summary>
    public IReadOnlyCollection<DamagedManifest> DamagedManifests { get; private set; } = [];

    /// <summary>Names kinds and, if requested, their processes.</summary>
    /// <param name="files">The trace.</param>
    /// <param name="schemas">Ids of self-describing events.</param>
    /// <param name="kinds">The kinds.</param>
    /// <param name="shown">Buffers with an event of each kind and those that are <see cref="IsAlwaysShown"/>.</param>
    /// <param name="described">Buffers with <see cref="Descriptions"/>.</param>
    public static EventNames Find(
        EtlFiles files,
        TraceLoggingSchemas schemas,
        Dictionary<EventCountKey, EventCount> kinds,
        EtlBuffers shown,
        EtlBuffers described
    )
    {
        var names = new EventNames(schemas, kinds);
        var feed = new EventRecordFeed(
            EtwTrace.OpenReader(files, new EtlReadOptions { Buffers = shown }),
            schemas,
            names.IsWanted,
            () => EtwTrace.OpenReader(files, new EtlReadOptions { Buffers = described })
        );
        using var source = feed.CreateSource();
        StandardParsers.AddTo(source);
        source.Kernel.ProcessStartGroup += data => names._processes.TryAdd(data.ProcessID, EtwTrace.FileName(data.KernelImageFileName));
        source.Kernel.ProcessEndGroup += data => names._processes.TryAdd(data.ProcessID, EtwTrace.FileName(data.KernelImageFileName));
        source.Kernel.PerfInfoCollectionStart += data => names.Interval(data.SampleSource, data.NewInterval);
        source.Kernel.PerfInfoSetInterval += data => names.Interval(data.SampleSource, data.NewInterval);
        source.AllEvents += names.OnEvent;
        feed.ProcessAll(source, () => names._shown.TryDequeue(out _));
        names.DamagedManifests = feed.DamagedManifests;
        names.Complete();
        return names;
    }

    /// <summary>Whether an event has the name of a process or the sampling interval.</summary>
    public static bool IsAlwaysShown(in EtlEvent item) =>
        item.IsKernel
        && (
            (item.Group == EtlKernelGroups.Process && item.Opcode is >= 1 and <= 4)
            || (item.Group == EtlKernelGroups.PerfInfo && item.Opcode is KernelPayload.SetInterval or KernelPayload.CollectionStart)
        );

    private void Interval(int source, int hundredNanoseconds)
    {
        if (source == 0)
            SampleIntervalMs = hundredNanoseconds / 1e4;
    }

    /// <summary>Selects the first event of each kind, and events with process names and the sampling interval.</summary>
    private bool IsWanted(in EtlEvent item)
    {
        if (_unseen.Count > 0 && TraceContentsReader.KeyOf(item, _schemas, _byProcess) is var key && _unseen.Remove(key))
        {
            _shown.Enqueue(key);
            return true;
        }

        var isShown = IsAlwaysShown(item);
        if (isShown)
            _shown.Enqueue(null);
        return isShown;
    }

    private void OnEvent(Microsoft.Diagnostics.Tracing.TraceEvent data)
    {
        if (!_shown.TryDequeue(out var key) || key is not { } shown || !_kinds.TryGetValue(shown, out var kind))
            return;
        kind.ProviderName = data.ProviderName;
        kind.EventName = data.EventName;
    }

    private void Complete()
    {
        foreach (var kind in _kinds.Values)
        {
            if (kind.ProviderName.Length == 0)
            {
                kind.ProviderName = $"Provider({kind.Provider})";
                kind.EventName = kind.IsClassic ? $"Opcode({kind.Opcode})" : $"EventID({kind.Id})";
            }

            kind.ProcessName = kind.ProcessId is { } process ? _processes.GetValueOrDefault(process, "") : "";
        }
    }
}
