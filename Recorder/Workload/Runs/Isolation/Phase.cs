namespace EtwSerializerProfiler.Workload.Runs.Isolation;

/// <summary>Work phases of a serializer's process.</summary>
public enum Phase
{
    /// <summary>The first use of each operation.</summary>
    FirstUse = 0,

    /// <summary>Calls until the JIT is idle, and rehearsed runs.</summary>
    Settle = 1,

    /// <summary>The measured runs.</summary>
    Measure = 2,
}
