namespace EtwSerializerProfiler.Traces.Export;

/// <summary>What was named cannot be exported, or not to there; the message says what to do.</summary>
public sealed class ExportException : Exception
{
    /// <summary>Creates one.</summary>
    public ExportException(string message)
        : base(message)
    {
    }
}
