using System.Reflection;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Features;

/// <summary>A serializer whose features are tried, for data of any type.</summary>
/// <param name="name">Its name.</param>
/// <param name="pluginPath">The plugin that has it; empty for a serializer that ships with the suite.</param>
public sealed class FeatureSubject(string name, string pluginPath)
{
    private static readonly MethodInfo s_builtIn = typeof(BuiltInSerializers).GetMethod(nameof(BuiltInSerializers.Of))!;

    // One for all types: a plugin is loaded once.
    private readonly Plugin? _plugin = pluginPath.Length == 0 ? null : new Plugin(pluginPath);

    /// <summary>Its name.</summary>
    public string Name { get; } = name;

    /// <summary>The plugin that has it; empty for a serializer that ships with the suite.</summary>
    public string PluginPath { get; } = pluginPath;

    /// <summary>The serializer for the suite's own data, or for that of its own types.</summary>
    /// <exception cref="PluginException">It cannot be had from its plugin.</exception>
    public SerializerDescription OfSuiteData() =>
        For(typeof(BookShelf), () => new BookShelfModel()) ?? throw new PluginException($"{PluginPath}: there is no serializer '{Name}' for the suite's data");

    /// <summary>The serializer for graphs of a type; null when it takes only types of its own.</summary>
    /// <exception cref="PluginException">It cannot be had from its plugin.</exception>
    public SerializerDescription? For(Type graphType)
    {
        var serializer = For(graphType, () => throw new NotSupportedException("The data of a feature has no model."));
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
