namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Whether a published case is there on this runtime.</summary>
public enum Verdict
{
    /// <summary>What was measured does not decide.</summary>
    Undecided = 0,

    /// <summary>It is.</summary>
    Present = 1,

    /// <summary>It is not.</summary>
    NotPresent = 2,
}
