namespace EtwSerializerProfiler.Sessions;

/// <summary>What samples where a program spends its time.</summary>
public enum CpuSampler
{
    /// <summary>Perf events: CPU time of all threads with native and managed frames.</summary>
    Perf,

    /// <summary>The sample profiler of EventPipe: wall time of managed threads at safe points.</summary>
    EventPipe,

    /// <summary>Nothing.</summary>
    None,
}
