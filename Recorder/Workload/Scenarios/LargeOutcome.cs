namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>How an attempt at a limit ended.</summary>
public enum LargeOutcome
{
    /// <summary>There is no limit at that size.</summary>
    Ok = 0,

    /// <summary>An exception that a program can catch.</summary>
    Refused = 1,

    /// <summary>The process ended or hung.</summary>
    Crashed = 2,

    /// <summary>Not tried: the memory or the time was not there.</summary>
    LeftOut = 3,
}
