namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Thrown when no process with matching runs recorded the events of a report.</summary>
public sealed class NotRecordedException : Exception
{
    /// <summary>Creates the error.</summary>
    /// <param name="expected">What is missing.</param>
    /// <param name="advice">How to fix it.</param>
    public NotRecordedException(string expected, string advice)
        : base($"{expected} were not recorded: {advice}")
    {
        Expected = expected;
        Advice = advice;
    }

    /// <summary>What is missing.</summary>
    public string Expected { get; }

    /// <summary>How to fix it.</summary>
    public string Advice { get; }
}
