namespace EtwSerializerProfiler.Sessions.Launch;

/// <summary>The recorded command could not be started; the message says why and what to do.</summary>
public sealed class LaunchException : Exception
{
    /// <summary>Creates the error.</summary>
    public LaunchException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
