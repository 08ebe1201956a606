namespace EtwSerializerProfiler.Traces.Events;

/// <summary>What BenchmarkDotNet makes an iteration of the workload for.</summary>
public enum BenchmarkStage
{
    /// <summary>First call in the process: it pays for JIT compilation.</summary>
    Jitting,

    /// <summary>Finds out how many operations an iteration takes.</summary>
    Pilot,

    /// <summary>Before the measured ones.</summary>
    Warmup,

    /// <summary>Measured.</summary>
    Actual,
}
