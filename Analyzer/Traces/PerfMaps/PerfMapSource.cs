using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>
/// The perf map of a process as a source of method names: <c>MONO_ENV_OPTIONS=--jitmap</c> writes it, or <c>DOTNET_PerfMapEnabled=1</c>. It does not say when code was made, so each entry stands for all of the
/// recording; of two entries with one start the later one counts. Where the runtime's events were recorded these say more.
/// </summary>
public sealed class PerfMapSource : ITraceSource
{
    private readonly PerfMap _map;

    private PerfMapSource(string path, int processId, TraceClock clock, PerfMap map)
    {
        Name = path;
        ProcessId = processId;
        Clock = clock;
        _map = map;
    }

    /// <inheritdoc />
    public string Name { get; }

    /// <inheritdoc />
    public TraceClock Clock { get; }

    /// <inheritdoc />
    public int ProcessId { get; }

    /// <inheritdoc />
    public EventKinds Kinds => _map.Count > 0 ? EventKinds.MethodCode : EventKinds.None;

    /// <inheritdoc />
    public EventDetails Details => EventDetails.None;

    /// <summary>Opens a map.</summary>
    /// <param name="path">The map.</param>
    /// <param name="processId">Its process.</param>
    /// <param name="clock">Clock of the process's other sources.</param>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static PerfMapSource Open(string path, int processId, TraceClock clock) => new(path, processId, clock, PerfMap.Parse(File.ReadAllText(path)));

    /// <summary>The assembly of the program: that of its Main; empty when the map has none.</summary>
    public string Program => Enumerable.Range(0, _map.Count).Select(i => DotNetMapName.Parse(_map[i].Name)).FirstOrDefault(name => name is { Name: "Main" or "<Main>$" })?.Module ?? "";

    /// <summary>First addresses of its code.</summary>
    internal IEnumerable<ulong> Starts => Enumerable.Range(0, _map.Count).Select(i => _map[i].Start);

    /// <inheritdoc />
    public TraceReadResult Read(EventHub hub)
    {
        ArgumentNullException.ThrowIfNull(hub);
        if ((hub.Wanted & EventKinds.MethodCode) != 0)
            Publish(hub);
        return new TraceReadResult(0, 0, Clock.OriginTicks, Clock.OriginTicks, null);
    }

    private void Publish(EventHub hub)
    {
        var at = new EventAt(Clock.OriginTicks, ProcessId, 0);
        var names = new MapNames(hub, new TextPool());
        for (var i = 0; i < _map.Count; i++)
        {
            var (start, end, text) = _map[i];
            if (end - start <= uint.MaxValue)
                names.TryPublish(at, start, (uint)(end - start), text);
        }
    }
}
