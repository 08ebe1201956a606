using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>Names of jitted code of a process, from a file that its runtime wrote, as a source of events. Where the runtime's events were recorded these say more.</summary>
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

    /// <summary>The assembly of the program: that of its Main; empty when it has none.</summary>
    public string Program => Texts.Select(text => DotNetMapName.Parse(text)).FirstOrDefault(name => name is { Name: "Main" or "<Main>$" })?.Module ?? "";

    /// <summary>Pieces of code.</summary>
    internal abstract int Count { get; }

    /// <summary>Names as the runtime wrote them.</summary>
    private protected abstract IEnumerable<string> Texts { get; }

    /// <inheritdoc />
    public TraceReadResult Read(EventHub hub)
    {
        ArgumentNullException.ThrowIfNull(hub);
        if ((hub.Wanted & EventKinds.MethodCode) != 0)
            Publish(hub, new MapNames(hub, new TextPool()), withTimes: true);
        return new TraceReadResult(0, 0, Clock.OriginTicks, Clock.OriginTicks, null);
    }

    /// <summary>Reads names as those of a map, which stand for all of the trace: exports write them before the events.</summary>
    internal void ReadWithoutTimes(IEventSubscriber subscriber)
    {
        var hub = EventHub.Of(subscriber, Kinds);
        Publish(hub, new MapNames(hub, new TextPool()), withTimes: false);
    }

    private protected abstract void Publish(EventHub hub, MapNames names, bool withTimes);
}
