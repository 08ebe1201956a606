using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>
/// Publishes named code of a perf map or a jitdump like events of a runtime: methods with their modules, and the runtime's own code by
/// kind.
/// </summary>
/// <param name="hub">Receives the events.</param>
/// <param name="names">Parses the names.</param>
internal sealed class MapNames(EventHub hub, MapNamePool names)
{
    /// <summary>Ids of modules and methods; negative, so that they differ from those in a trace.</summary>
    private readonly Dictionary<string, long> _modules = [];
    private readonly Dictionary<MapMethod, long> _methods = new(ReferenceEqualityComparer.Instance);

    /// <summary>Publishes a piece of code.</summary>
    /// <param name="at">Time of the code's creation, else of its name.</param>
    /// <param name="start">First address.</param>
    /// <param name="size">Bytes.</param>
    /// <param name="text">The runtime's text.</param>
    /// <param name="isTimed">
    /// Whether the time is that of the code's creation; else its name holds for the whole trace, because maps have no times. Code without a
    /// time is published like a rundown: it exists at the end, and existed before.
    /// </param>
    /// <returns>False when no runtime writes such a text.</returns>
    public bool TryPublish(in EventAt at, ulong start, uint size, string text, bool isTimed = false)
    {
        if (names.Of(text) is not { } name)
            return false;
        if (name.Method is not { } method)
        {
            hub.Publish(new CodeName(at, start, size, CodeKind.Managed, ModuleId(at, SymbolResolver.CodeHeap), name.Stub, name.IsStub));
            return true;
        }

        if (!_methods.TryGetValue(method, out var id))
            _methods.Add(method, id = -1 - _methods.Count);
        var (module, type, simpleName, signature) = method;
        hub.Publish(new MethodCode(at, id, ModuleId(at, module), start, size, name.Tier, IsRundown: !isTimed, type, simpleName, signature));
        return true;
    }

    private long ModuleId(in EventAt at, string module)
    {
        if (!_modules.TryGetValue(module, out var id))
        {
            _modules.Add(module, id = -1 - _modules.Count);
            hub.Publish(new ModuleLoaded(at, id, module));
        }

        return id;
    }
}
