namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>The suite could not be built for a runtime, or does not start on it; the message is one line that says why and what to do.</summary>
public sealed class PublishException : Exception
{
    /// <summary>Creates the error.</summary>
    public PublishException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
