using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>What a runtime's text for a piece of code in a perf map or a jitdump means.</summary>
/// <param name="Method">The method; null for code without one.</param>
/// <param name="Tier">How the method's code was compiled.</param>
/// <param name="Stub">Kind of code without a method; empty for a method.</param>
/// <param name="IsStub">Whether the runtime announces such code nowhere.</param>
internal sealed record MapName(MapMethod? Method, CodeTier Tier, string Stub = "", bool IsStub = false)
{
    /// <summary>Parses a text; null when no runtime writes such a text.</summary>
    /// <param name="text">The text.</param>
    /// <param name="texts">Pool of its parts.</param>
    public static MapName? Parse(string text, TextPool texts) =>
        DotNetMapName.StubOf(text) is { } stub
            ? new MapName(null, CodeTier.Unknown, stub, text.Contains(RuntimeStubs.Prefix, StringComparison.Ordinal))
        : DotNetMapName.Parse(text, texts) is { } method
            ? new MapName(new MapMethod(texts.Of(method.Module + ".dll"), method.Type, method.Name, method.Signature), method.Tier)
        : MonoMethodName.Parse(text) is { } mono
            ? new MapName(new MapMethod(MonoModules.Of(mono.Type), mono.Type, mono.Name, ""), CodeTier.Unknown)
        : null;
}

/// <summary>A method of a perf map or a jitdump, which may have several pieces of code.</summary>
/// <param name="Module">File name of its assembly.</param>
/// <param name="Type">Full name of its type.</param>
/// <param name="Name">Its name.</param>
/// <param name="Signature">Its signature in the runtime's notation; empty when unknown.</param>
internal sealed record MapMethod(string Module, string Type, string Name, string Signature);

/// <summary>Texts of runtimes, each parsed once: the processes of a trace run much of the same code.</summary>
internal sealed class MapNamePool
{
    private readonly TextPool _texts = new();
    private readonly Dictionary<string, MapName?> _names = [];
    private readonly HashSet<MapMethod> _methods = [];

    /// <summary>What a text means; null when no runtime writes such a text.</summary>
    /// <param name="text">The text.</param>
    public MapName? Of(string text)
    {
        if (_names.TryGetValue(text, out var known))
            return known;
        var name = MapName.Parse(text, _texts);
        if (name?.Method is { } method && !_methods.Add(method) && _methods.TryGetValue(method, out var same))
            name = name with { Method = same };
        _names.Add(text, name);
        return name;
    }
}
