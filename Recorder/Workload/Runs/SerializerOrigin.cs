using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Tells another process where a serializer is found and what it is asked for.</summary>
/// <param name="PluginPath">Path of the plugin that has it, empty for a built-in one.</param>
/// <param name="DataSpec">The data it serves, empty for the suite's.</param>
/// <param name="ReferenceTracking">Whether it tracks references.</param>
public sealed record SerializerOrigin(string PluginPath, string DataSpec, bool ReferenceTracking)
{
    /// <summary>The origin of a serializer.</summary>
    public static SerializerOrigin Of(SerializerDescription serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return new SerializerOrigin(serializer.PluginPath, serializer.DataSpec, serializer.Settings.ReferenceTracking);
    }

    /// <summary>Finds the serializer of a name; loads nothing of others.</summary>
    /// <exception cref="Plugins.PluginException">The plugin or the data cannot be used.</exception>
    public SerializerDescription Find(string name) =>
        SerializerRegistry.Find(name, PluginPath, DataSpec) with { Settings = ReferenceTracking ? new SerializerSettings { ReferenceTracking = true } : SerializerSettings.Default };
}
