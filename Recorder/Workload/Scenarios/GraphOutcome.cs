namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>How writing and reading a graph ended.</summary>
public enum GraphOutcome
{
    /// <summary>What was read is what was written.</summary>
    Ok = 0,

    /// <summary>It was read, but not as it was written.</summary>
    Lost = 1,

    /// <summary>An exception that a program can catch.</summary>
    Refused = 2,

    /// <summary>The process ended: no program can catch that.</summary>
    Crashed = 3,

    /// <summary>It did not end in time.</summary>
    Hung = 4,
}
