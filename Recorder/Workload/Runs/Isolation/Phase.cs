namespace EtwSerializerProfiler.Workload.Runs.Isolation;

/// <summary>What the process of a serializer is asked to do next.</summary>
public enum Phase
{
    /// <summary>The first use of each operation.</summary>
    FirstUse = 0,

    /// <summary>The other settling runs.</summary>
    Settle = 1,

    /// <summary>The measured runs.</summary>
    Measure = 2,
}
