namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>A step failed; what it says includes what to do.</summary>
public sealed class EtwStepException : Exception
{
    /// <summary>Makes it.</summary>
    public EtwStepException(string message)
        : base(message)
    {
    }

    /// <summary>Makes it.</summary>
    public EtwStepException(string message, Exception inner)
        : base(message, inner)
    {
    }
}
