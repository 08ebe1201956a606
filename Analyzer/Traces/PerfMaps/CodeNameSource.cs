using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>
/// Names of a process's jitted code, from a file of its runtime, as a source of events. Recorded runtime events are more precise.
/// </summary>
public abstract class CodeNameSource : ITraceSource
{
    private protected CodeNameSource(string path, int processId, TraceClock clock)
    {
        Name = path;
        ProcessId = processId;
        Clock = clock;
    }

    /// <inheritdoc />
    public string Name { get; }

    /// <inheritdoc />
    public TraceClock Clock { get; }

    /// <inheritdoc />
    public int ProcessId { get; }

    /// <inheritdoc />
    public EventKinds Kinds => Count > 0 ? EventKinds.MethodCode : EventKinds.None;

    /// <inheritdoc />
    public EventDetails Details => EventDetails.None;

    /// <summary>The program's assembly: that of its Main; empty if it has none.</summary>
    public string Program =>
        Texts.Select(text => DotNetMapName.Parse(text)).FirstOrDefault(name => name is { Name: "Main" or "<Main>$" })?.Module ?? "";

    /// <summary>Number of pieces of code.</summary>
    internal abstract int Count { get; }

    /// <summary>Names as the runtime wrote them.</summary>
    private protected abstract IEnumerable<string> Texts { get; }

    /// <inheritdoc />
    public TraceReadResult Read(EventHub hub)
    {
        ArgumentNullException.ThrowIfNull(hub);
        if ((hub.Wanted & EventKinds.MethodCode) != 0)
            Publish(hub, new MapNames(hub, new MapNamePool()), withTimes: true);
        return new TraceReadResult(0, 0, Clock.OriginTicks, Clock.OriginTicks, null);
    }

    /// <summary>Reads names like those of a map, which hold for the whole trace: exports write them before the events.</summary>
    internal void ReadWithoutTimes(IEventSubscriber subscriber)
    {
        var hub = EventHub.Of(subscriber, Kinds);
        Publish(hub, new MapNames(hub, new MapNamePool()), withTimes: false);
    }

    private protected abstract void Publish(EventHub hub, MapNames names, bool withTimes);
}
