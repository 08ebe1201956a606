using System.Reflection;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Features;

/// <summary>A serializer to try, for data of any type.</summary>
/// <param name="name">Its name.</param>
/// <param name="pluginPath">Path of its plugin; empty for a serializer of the suite.</param>
public sealed class FeatureSubject(string name, string pluginPath)
{
    private static readonly MethodInfo s_builtIn = typeof(BuiltInSerializers).GetMethod(nameof(BuiltInSerializers.Of))!;

    // Shared by all types, so that a plugin is loaded once.
    private readonly Plugin? _plugin = pluginPath.Length == 0 ? null : new Plugin(pluginPath);

    /// <summary>Its name.</summary>
    public string Name { get; } = name;

    /// <summary>Path of its plugin; empty for a serializer of the suite.</summary>
    public string PluginPath { get; } = pluginPath;

    /// <summary>The serializer for the suite's own data, or for its own types.</summary>
    /// <exception cref="PluginException">The plugin does not provide it.</exception>
    public SerializerDescription OfSuiteData() =>
        For(typeof(BookShelf), () => new BookShelfModel())
        ?? throw new PluginException($"{PluginPath}: there is no serializer '{Name}' for the suite's data");

    /// <summary>The serializer for graphs of a type; null when it supports only its own types.</summary>
    /// <exception cref="PluginException">The plugin does not provide it.</exception>
    public SerializerDescription? For(Type graphType)
    {
        var serializer = For(graphType, () => throw new NotSupportedException("Feature data has no model."));
        return serializer is { HasOwnTypes: true } ? null : serializer;
    }

    private SerializerDescription? For(Type graphType, Func<GraphModel> model)
    {
        var serializers = _plugin is null
            ? (IReadOnlyList<SerializerDescription>)s_builtIn.MakeGenericMethod(graphType).Invoke(null, [model])!
            : _plugin.Serializers(graphType, model);
        return serializers.FirstOrDefault(serializer => serializer.Name == Name);
    }
}
