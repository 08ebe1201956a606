using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfMaps;

namespace EtwSerializerProfiler.Traces.JitDumps;

/// <summary>Method names from a jitdump, or from the images that perf inject made of one; each name holds from its time on.</summary>
internal sealed class JitCodeSource : CodeNameSource
{
    private readonly IReadOnlyList<JitCode> _codes;

    /// <summary>Whether times are those of <see cref="CodeNameSource.Clock"/>; else each name holds for the whole trace.</summary>
    private readonly bool _hasTimes;

    /// <summary>Creates a source.</summary>
    /// <param name="path">File of the names.</param>
    /// <param name="processId">The process.</param>
    /// <param name="clock">Clock of the process's other sources.</param>
    /// <param name="codes">The code in time order.</param>
    /// <param name="hasTimes">Whether its times are on that clock; else the last name of an address holds for the whole trace.</param>
    public JitCodeSource(string path, int processId, TraceClock clock, IReadOnlyList<JitCode> codes, bool hasTimes)
        : base(path, processId, clock)
    {
        _hasTimes = hasTimes;
        _codes = codes;
    }

    /// <inheritdoc />
    internal override int Count => _codes.Count;

    /// <inheritdoc />
    private protected override IEnumerable<string> Texts => _codes.Select(code => code.Name);

    /// <inheritdoc />
    private protected override void Publish(EventHub hub, MapNames names, bool withTimes)
    {
        if (!_hasTimes || !withTimes)
        {
            foreach (var code in _codes.GroupBy(code => code.Start).Select(group => group.Last()))
                names.TryPublish(new EventAt(Clock.OriginTicks, ProcessId, 0), code.Start, code.Size, code.Name);
            return;
        }

        foreach (var code in _codes)
        {
            var at = new EventAt(code.Time, ProcessId, 0);
            if (code.MovedFrom != 0)
                hub.Publish(new MethodCodeFreed(at, code.MovedFrom));
            names.TryPublish(at, code.Start, code.Size, code.Name, isTimed: true);
        }
    }
}
