using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>
/// The perf map of a Mono process as a source of method names: <c>MONO_ENV_OPTIONS=--jitmap</c> writes it. It does not say when code was made, so each entry stands for all of the
/// recording; of two entries with one start the later one counts. .NET's perf maps are no source: the runtime's events say more.
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
        var modules = new Dictionary<string, int>();
        for (var i = 0; i < _map.Count; i++)
        {
            var (start, end, text) = _map[i];
            if (MonoMethodName.Parse(text) is not { } name || end - start > uint.MaxValue)
                continue;
            var module = MonoModules.Of(name.Type);
            if (!modules.TryGetValue(module, out var moduleId))
            {
                modules.Add(module, moduleId = modules.Count + 1);
                hub.Publish(new ModuleLoaded(at, moduleId, module));
            }

            // The rundown's meaning: the code exists at the end, and was there before.
            hub.Publish(new MethodCode(at, i + 1, moduleId, start, (uint)(end - start), CodeTier.Unknown, IsRundown: true, name.Type, name.Name, ""));
        }
    }
}
