using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>
/// Publishes named code of a perf map or a jitdump like events of a runtime: methods with their modules, and the runtime's own code by
/// kind.
/// </summary>
/// <param name="hub">Receives the events.</param>
/// <param name="texts">Pool of the names.</param>
internal sealed class MapNames(EventHub hub, TextPool texts)
{
    /// <summary>Ids of modules and methods; negative, so that they differ from those in a trace.</summary>
    private readonly Dictionary<string, long> _modules = [];
    private readonly Dictionary<(string Module, string Type, string Name, string Signature), long> _methods = [];

    /// <summary>Publishes a piece of code.</summary>
    /// <param name="at">Time of the code's creation, else of its name.</param>
    /// <param name="start">First address.</param>
    /// <param name="size">Bytes.</param>
    /// <param name="text">The runtime's text.</param>
    /// <param name="isTimed">
    /// Whether the time is that of the code's creation; else its name holds for the whole trace, because maps have no times.
    /// </param>
    /// <returns>False when no runtime writes such a text.</returns>
    public bool TryPublish(in EventAt at, ulong start, uint size, string text, bool isTimed = false)
    {
        if (DotNetMapName.StubOf(text) is { } stub)
            hub.Publish(
                new CodeName(
                    at,
                    start,
                    size,
                    CodeKind.Managed,
                    ModuleId(at, SymbolResolver.CodeHeap),
                    stub,
                    IsStub: text.Contains(RuntimeStubs.Prefix, StringComparison.Ordinal)
                )
            );
        else if (DotNetMapName.Parse(text, texts) is { } method)
            Publish(at, start, size, method.Module + ".dll", method.Type, method.Name, method.Signature, method.Tier, isTimed);
        else if (MonoMethodName.Parse(text) is { } mono)
            Publish(at, start, size, MonoModules.Of(mono.Type), mono.Type, mono.Name, "", CodeTier.Unknown, isTimed);
        else
            return false;
        return true;
    }

    /// <summary>Publishes without a time, like a rundown: the code exists at the end, and existed before.</summary>
    private void Publish(
        in EventAt at,
        ulong start,
        uint size,
        string module,
        string type,
        string name,
        string signature,
        CodeTier tier,
        bool isTimed
    )
    {
        var key = (module, type, name, signature);
        if (!_methods.TryGetValue(key, out var id))
            _methods.Add(key, id = -1 - _methods.Count);
        hub.Publish(new MethodCode(at, id, ModuleId(at, module), start, size, tier, IsRundown: !isTimed, type, name, signature));
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
