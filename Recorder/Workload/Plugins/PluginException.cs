namespace EtwSerializerProfiler.Workload.Plugins;

/// <summary>A plugin cannot be used; the message says which, why, and what to do.</summary>
public sealed class PluginException : Exception
{
    /// <summary>Creates the error.</summary>
    public PluginException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
