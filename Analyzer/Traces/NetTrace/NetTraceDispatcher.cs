using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Publishes the events of a .nettrace file, and collects their totals.</summary>
/// <param name="hub">Receives the events.</param>
/// <param name="pointerBytes">Size of a pointer in the recorded process.</param>
/// <param name="clocked">Weights samples of the sample profiler by the threads' clocks; null when not recorded.</param>
internal sealed class NetTraceDispatcher(EventHub hub, int pointerBytes, ClockedSamples? clocked = null) : INetTraceFilter
{
    private readonly bool _withStacks = hub.WantsStacks;

    private readonly ClrEventDispatcher _clr = new(hub);

    private readonly SampleProfilerEvents? _samples = hub.Wants<CpuSample>() || hub.Wants<ProfilerSample>() ? new(hub, clocked) : null;

    /// <summary>Number of events of every kind.</summary>
    public long Events { get; private set; }

    /// <summary>Time of the first event.</summary>
    public long FirstTime { get; private set; } = long.MaxValue;

    /// <summary>Time of the last event, except rundown events.</summary>
    public long LastTime { get; private set; } = long.MinValue;

    /// <summary>The trace has ended.</summary>
    public void Finish() => _samples?.Finish();

    /// <summary>Publishes one event.</summary>
    public void OnEvent(in NetTraceEvent item)
    {
        Count(item.Type, item.Time);
        var provider = item.Type.Provider;
        var at = new EventAt(item.Time, item.ProcessId, item.ThreadId);
        if (provider == SampleProfilerEvents.Provider)
            _samples?.Add(at, item.Payload, item.Stack);
        else
            _clr.Dispatch(
                provider,
                item.Type.EventId,
                at,
                item.Payload,
                new ClrEventDetail(_withStacks ? item.Stack : default, pointerBytes)
            );
    }

    /// <inheritdoc />
    public bool Wants(NetTraceEventType type) =>
        type.IsProcessInfo
        || (type.Provider == SampleProfilerEvents.Provider ? _samples is not null : _clr.Wants(type.Provider, type.EventId));

    /// <inheritdoc />
    public void OnLeftOut(NetTraceEventType type, long time, int processId) => Count(type, time);

    private void Count(NetTraceEventType type, long time)
    {
        Events++;
        if (time < FirstTime)
            FirstTime = time;
        if (time > LastTime && !type.IsRundown)
            LastTime = time;
    }
}
