namespace EtwSerializerProfiler.Sessions.Attach;

/// <summary>A running process cannot be recorded; the message says why and what to do.</summary>
public sealed class AttachException : Exception
{
    /// <summary>Creates the error.</summary>
    public AttachException(string message)
        : base(message)
    {
    }
}
