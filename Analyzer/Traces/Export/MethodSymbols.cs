using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Writes the methods of a process as symbols at the time they get code, with names as in the runtime's perf maps: TraceEvent parses module
/// and method from these.
/// </summary>
/// <param name="events">Receives them.</param>
/// <param name="processId">The process.</param>
/// <param name="startTicks">Start of the trace; earlier methods get this time.</param>
internal sealed class MethodSymbols(UniversalEvents events, int processId, long startTicks) : IEventSubscriber
{
    private readonly long _startTicks = startTicks;
    private readonly Dictionary<long, string> _modules = [];

    /// <summary>Method at each start address: the rundown repeats load events.</summary>
    private readonly Dictionary<ulong, long> _living = [];

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe((in ModuleLoaded module) => _modules[module.ModuleId] = Path.GetFileNameWithoutExtension(module.Path));
        hub.Subscribe<MethodCode>(OnMethodCode);
        hub.Subscribe<CodeName>(OnCodeName);
    }

    private void OnMethodCode(in MethodCode code)
    {
        if (code.Size == 0 || (_living.TryGetValue(code.Start, out var known) && (known == code.MethodId || code.IsRundown)))
            return;
        _living[code.Start] = code.MethodId;
        var name = new DotNetMapName(_modules.GetValueOrDefault(code.ModuleId, "?"), code.Namespace, code.Name, code.Signature, code.Tier);
        events.Symbol(Math.Max(code.At.Time, _startTicks), processId, code.Start, code.Start + code.Size - 1, name.ToString());
    }

    /// <summary>Code of a perf map without a method.</summary>
    private void OnCodeName(in CodeName code)
    {
        if (code.Size > 0 && code.Kind == CodeKind.Managed)
            events.Symbol(
                Math.Max(code.At.Time, _startTicks),
                processId,
                code.Start,
                code.Start + code.Size - 1,
                DotNetMapName.StubText(code.Name)
            );
    }
}
