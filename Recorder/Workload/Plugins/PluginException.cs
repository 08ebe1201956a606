namespace EtwSerializerProfiler.Workload.Plugins;

/// <summary>Thrown when a plugin cannot be used; the message has plugin, reason and fix.</summary>
public sealed class PluginException : Exception
{
    /// <summary>Creates the error.</summary>
    public PluginException(string message, Exception? inner = null)
        : base(message, inner) { }
}
