using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Location and settings of a serializer, for passing them to another process.</summary>
/// <param name="PluginPath">Path of its plugin; empty for a built-in one.</param>
/// <param name="DataSpec">Its data; empty for the suite's own.</param>
/// <param name="ReferenceTracking">Whether it tracks references.</param>
public sealed record SerializerOrigin(string PluginPath, string DataSpec, bool ReferenceTracking)
{
    /// <summary>The origin of a serializer.</summary>
    public static SerializerOrigin Of(SerializerDescription serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return new SerializerOrigin(serializer.PluginPath, serializer.DataSpec, serializer.Settings.ReferenceTracking);
    }

    /// <summary>Finds a serializer by name without loading others.</summary>
    /// <exception cref="Plugins.PluginException">The plugin or the data cannot be used.</exception>
    public SerializerDescription Find(string name) =>
        SerializerRegistry.Find(name, PluginPath, DataSpec) with
        {
            Settings = ReferenceTracking ? new SerializerSettings { ReferenceTracking = true } : SerializerSettings.Default,
        };
}
