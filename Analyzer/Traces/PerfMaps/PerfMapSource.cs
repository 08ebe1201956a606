using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>
/// The perf map of a process as a source of method names: <c>MONO_ENV_OPTIONS=--jitmap</c> writes it, or <c>DOTNET_PerfMapEnabled=1</c>. It
/// has no times of code, so each entry applies to all of the recording; of two entries with one start the later one counts.
/// </summary>
public sealed class PerfMapSource : CodeNameSource
{
    private readonly PerfMap _map;

    private PerfMapSource(string path, int processId, TraceClock clock, PerfMap map)
        : base(path, processId, clock) => _map = map;

    /// <inheritdoc />
    internal override int Count => _map.Count;

    /// <inheritdoc />
    private protected override IEnumerable<string> Texts => Enumerable.Range(0, _map.Count).Select(i => _map[i].Name);

    /// <summary>First addresses of its code.</summary>
    internal IEnumerable<ulong> Starts => Enumerable.Range(0, _map.Count).Select(i => _map[i].Start);

    /// <summary>Opens a map.</summary>
    /// <param name="path">The map.</param>
    /// <param name="processId">Its process.</param>
    /// <param name="clock">Clock of the process's other sources.</param>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static PerfMapSource Open(string path, int processId, TraceClock clock) => new(path, processId, clock, PerfMap.Read(path));

    /// <inheritdoc />
    private protected override void Publish(EventHub hub, MapNames names, bool withTimes)
    {
        var at = new EventAt(Clock.OriginTicks, ProcessId, 0);
        for (var i = 0; i < _map.Count; i++)
        {
            var (start, end, text) = _map[i];
            if (end - start <= uint.MaxValue)
                names.TryPublish(at, start, (uint)(end - start), text);
        }
    }
}
